"""Standard output and error as they are found: full, closed, without a reader, ASCII only; none costs the verdict.

Where a runner of a CI reads them, what is said there is no command of the runner's, whoever said it.
"""

import codecs
import errno
import io
import os
import re
import select
import stat
import sys
from collections.abc import Iterable
from typing import Any, TextIO

#: What the kit itself writes, for terminals that have ASCII only.
_ASCII = str.maketrans({"·": ".", "–": "-", "→": "->", "…": "...", "─": "-", "✓": "ok", "✗": "x"})
_ERRORS = "react-tck"
#: Each is set by one of the runners that look for commands in a job's log.
_RUNNERS = ("GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "TEAMCITY_VERSION")
#: Blank space, which .NET takes away before a command, and what it doesn't see, in UTF-8.
_SPACES = rb"[\s\x1c-\x1f]|\xc2[\x85\xa0\xad]|\xe1\x9a\x80|\xe2\x80[\x80-\x8f\xa8\xa9\xaf]|\xe2\x81[\x9f\xa0]"
_BLANK = rb"(?:%b|\xe3\x80\x80|\xef\xbb\xbf)*" % _SPACES
#: What begins a command: GitHub's at a line's start; those of its older form, Azure's, TeamCity's, and GitLab's
#: sections wherever they stand.
_COMMAND = re.compile(rb"(?<=[\r\n])%b::|##(?:\[|vso\[|teamcity\[)|section_(?:start|end):" % _BLANK)
#: A line that may still become one, and bytes of another that are looked at again.
_BEGUN, _LOOKED_AT = re.compile(rb"[\r\n]%b:?" % _BLANK), 16


class Streams:
    """The streams of a command, from its start to its status."""

    def __init__(self) -> None:
        codecs.register_error(_ERRORS, _in_ascii)
        # A descriptor that is closed would be given to the next file opened, which then gets what is printed.
        for number in range(3):
            _open_if_closed(number)
        sys.stdin = sys.stdin or io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)))
        self._out = _open_stream(1)
        sys.stdout = _wrap_stream(sys.stdout, sys.__stdout__, self._out)
        sys.stderr = _wrap_stream(sys.stderr, sys.__stderr__, _open_stream(2))

    def settle_status(self, verdict: int) -> int:
        """Return the verdict's status; nothing is conformant that nobody could be told, unless nobody wanted it."""
        sys.stdout.flush()
        lost = self._out.lost
        if lost is None or lost.errno == errno.EPIPE:
            return verdict
        print(f"react-tck: standard output can't be written: {lost.strerror}", file=sys.stderr)
        return verdict or 2


def print_commands(lines: Iterable[str]) -> None:
    """Print lines that are commands of the runner's indeed, made by ourselves."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    for line in lines:
        if isinstance(raw, _RunnersLog):
            sys.stdout.flush()
            raw.write_command(line.encode(sys.stdout.encoding, _ERRORS))
        else:
            print(line)


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


class _RunnersLog(_Enduring):
    """A stream that a runner reads: what looks like a command has a backslash in it, however it was written."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        #: The end of what was written, from its line's beginning where that matters.
        self._before = b"\n"

    def write(self, data: Any) -> int:
        """Write it so that there is no command in it, nor in what it makes with what was written before."""
        begun, whole = len(self._before), self._before + bytes(data)
        for found in reversed(list(_COMMAND.finditer(whole))):
            whole = b"%b\\%b" % (whole[: found.end() - 1], whole[found.end() - 1 :])
        self._write_all(whole[begun:])
        line = whole[max(whole.rfind(b"\n"), whole.rfind(b"\r"), 0) :]
        # Of blank space there may be any amount.
        self._before = (b"\n:" if line.endswith(b":") else b"\n") if _BEGUN.fullmatch(line) else line[-_LOOKED_AT:]
        return len(data)

    def write_command(self, line: bytes) -> None:
        """Write a line as it is, behind one that somebody hasn't ended."""
        self._write_all(b"%b%b\n" % (b"" if self._before == b"\n" else b"\n", line))
        self._before = b"\n"

    def _write_all(self, data: bytes) -> None:
        while data:
            data = data[super().write(data) :]


def _open_if_closed(number: int) -> None:
    try:
        os.fstat(number)
    except OSError:
        # The lowest number is taken that is free, which is this one.
        os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)


def _wrap_stream(stream: TextIO | None, original: TextIO | None, raw: _Enduring) -> TextIO:
    """Return the stream with the file beneath exchanged; one that somebody has put in its place is left as it is."""
    if stream is not None and stream is not original:
        return stream
    if stream is not None:
        stream.flush()
    encoding = stream.encoding if stream else "utf-8"
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding, _ERRORS, line_buffering=raw.fileno() == 2 or raw.isatty())


def _open_stream(number: int) -> _Enduring:
    return (_RunnersLog if _is_read_by_runner(number) else _Enduring)(number)


def _is_read_by_runner(number: int) -> bool:
    """Tell whether it leads to a job's log; a file is the user's own."""
    return any(os.environ.get(name) for name in _RUNNERS) and not stat.S_ISREG(os.fstat(number).st_mode)


def _in_ascii(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_ASCII)
    return text.encode("ascii", "backslashreplace").decode(), error.end
