"""Subjects in other processes: the protocol over the standard input and output of a harness."""

from react_tck.subjects.stdio.session import Timeouts
from react_tck.subjects.stdio.subject import StdioSubject, started

__all__ = ["StdioSubject", "Timeouts", "started"]
