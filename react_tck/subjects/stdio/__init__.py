"""Harnesses over stdio: other programs that speak the protocol of docs/PROTOCOL.md."""

from react_tck.subjects.stdio.adapter import AdapterSubject, make_command
from react_tck.subjects.stdio.subject import StdioSubject, make_starter
from react_tck.subjects.stdio.time_limits import Timeouts

__all__ = ["AdapterSubject", "StdioSubject", "Timeouts", "make_command", "make_starter"]
