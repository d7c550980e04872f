"""Subjects in other processes: the protocol over the standard input and output of a harness."""

from react_tck.subjects.stdio.subject import StdioSubject, make_starter
from react_tck.subjects.stdio.time_limits import Timeouts

__all__ = ["StdioSubject", "Timeouts", "make_starter"]
