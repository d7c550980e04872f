"""Standard output and error as they are found: full, closed, without a reader, ASCII only; none costs the verdict."""

import codecs
import errno
import io
import os
import select
import sys
from typing import Any, TextIO

#: What the kit itself writes, for terminals that have ASCII only.
_ASCII = str.maketrans({"·": ".", "–": "-", "→": "->", "…": "...", "─": "-", "✓": "ok", "✗": "x"})
_ERRORS = "react-tck"


class Streams:
    """The streams of a command, from its start to its status."""

    def __init__(self) -> None:
        codecs.register_error(_ERRORS, _in_ascii)
        # A descriptor that is closed would be given to the next file opened, which then gets what is printed.
        for number in range(3):
            _open_if_closed(number)
        sys.stdin = sys.stdin or io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)))
        self._out = _Enduring(1)
        sys.stdout = _wrap_stream(sys.stdout, sys.__stdout__, self._out)
        sys.stderr = _wrap_stream(sys.stderr, sys.__stderr__, _Enduring(2))

    def settle_status(self, verdict: int) -> int:
        """The verdict's status; nothing is conformant that nobody could be told, unless nobody wanted to hear it."""
        sys.stdout.flush()
        lost = self._out.lost
        if lost is None or lost.errno == errno.EPIPE:
            return verdict
        print(f"react-tck: standard output can't be written: {lost.strerror}", file=sys.stderr)
        return verdict or 2


class _Enduring(io.FileIO):
    """Takes everything; what can't be written is dropped, and why is kept."""

    def __init__(self, number: int) -> None:
        super().__init__(number, "w", closefd=False)
        self.lost: OSError | None = None

    def write(self, data: Any) -> int:
        """Write it, unless that failed before."""
        try:
            while self.lost is None:
                if (written := super().write(data)) is not None:
                    return written
                # Somebody has made the terminal non-blocking.
                select.select([], [self], [])
        except OSError as error:
            self.lost = error
        return len(data)


def _open_if_closed(number: int) -> None:
    try:
        os.fstat(number)
    except OSError:
        # The lowest number is taken that is free, which is this one.
        os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)


def _wrap_stream(stream: TextIO | None, original: TextIO | None, raw: _Enduring) -> TextIO:
    """The stream with the file beneath exchanged; one that somebody has put in its place is left as it is."""
    if stream is not None and stream is not original:
        return stream
    if stream is not None:
        stream.flush()
    encoding = stream.encoding if stream else "utf-8"
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding, _ERRORS, line_buffering=raw.fileno() == 2 or raw.isatty())


def _in_ascii(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_ASCII)
    return text.encode("ascii", "backslashreplace").decode(), error.end
