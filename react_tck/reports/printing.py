"""What is printed, by one writer: no text of others' moves the cursor, hides anything, or is markup."""

import sys
from collections.abc import Iterable
from typing import TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from react_tck.record.transcript import escape_line

__all__ = ["escape_line", "escape_text", "print_text", "terminal"]


def escape_text(text: str) -> str:
    """Return the text with control characters written as escapes, so that it can't move the cursor or hide anything."""
    return text if text.isprintable() else "".join(c if c in "\n\t" else escape_line(c) for c in text)


def print_text(text: str, file: TextIO | None = None) -> None:
    """Print the text on the standard output of the time, or the file, at once."""
    print(escape_text(text), file=file or sys.stdout, flush=True)


class _Terminal(Console):
    """A console that escapes whatever is printed on it; its own movements are no text."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield what is written of it."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=escape_text(segment.text))


def terminal(file: TextIO | None = None, width: int | None = None) -> Console:
    """Return a console on the standard output of the time, or the file. Brackets in a text are brackets."""
    return _Terminal(file=file, markup=False, emoji=False, highlight=False, soft_wrap=True, width=width)
