"""Texts of others', made fit to be printed."""

from typing import TextIO

from rich.console import Console

from react_tck.record.transcript import escape_line

__all__ = ["escape_line", "escape_text", "terminal"]


def escape_text(text: str) -> str:
    """Return the text with control characters written as escapes, so that it can't move the cursor or hide anything."""
    return "".join(c if c in "\n\t" else escape_line(c) for c in text)


def terminal(file: TextIO | None = None, width: int | None = None) -> Console:
    """Return a console on the standard output of the time, or the file. Brackets in a text are brackets."""
    return Console(file=file, markup=False, emoji=False, highlight=False, soft_wrap=True, width=width)
