"""Subjects in other processes: the protocol over the standard input and output of a harness."""

from react_tck.subjects.stdio.adapter import make_adapter_subject
from react_tck.subjects.stdio.session import Timeouts, read_timeouts
from react_tck.subjects.stdio.subject import StdioSubject, make_starter

__all__ = ["StdioSubject", "Timeouts", "make_adapter_subject", "make_starter", "read_timeouts"]
