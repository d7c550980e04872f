"""Subjects in other processes: the protocol over the standard input and output of a harness."""

from react_tck.subjects.stdio.session import Timeouts
from react_tck.subjects.stdio.subject import StdioSubject, make_starter

__all__ = ["StdioSubject", "Timeouts", "make_starter"]
