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
#: What begins a command: GitHub's at a line's start, blank space aside; those of its older form, Azure's and TeamCity's
#: wherever they stand; GitLab's sections.
_COMMAND = re.compile(r"(?:\A|(?<=[\r\n]))\s*(?=::|section_(?:start|end):)|#(?=#(?:\[|vso\[|teamcity\[))")


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


def print_commands(lines: Iterable[str]) -> None:
    """Print lines that are commands of the runner's indeed, made by ourselves."""
    for line in lines:
        if isinstance(sys.stdout, _RunnersLog):
            sys.stdout.write_command(f"{line}\n")
        else:
            print(line)


class _RunnersLog(io.TextIOWrapper):
    """A stream that a runner reads: what looks like a command has a backslash before what makes it one."""

    def write(self, text: str) -> int:
        """Write the text, in which there is no command."""
        super().write(_COMMAND.sub(r"\g<0>\\", text))
        return len(text)

    def write_command(self, line: str) -> None:
        """Write a line as it is."""
        super().write(line)


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
    kind = _RunnersLog if _is_read_by_runner(raw) else io.TextIOWrapper
    return kind(io.BufferedWriter(raw), encoding, _ERRORS, line_buffering=raw.fileno() == 2 or raw.isatty())


def _is_read_by_runner(raw: io.FileIO) -> bool:
    """Whether it leads to a job's log; a file is the user's own."""
    return any(os.environ.get(name) for name in _RUNNERS) and not stat.S_ISREG(os.fstat(raw.fileno()).st_mode)


def _in_ascii(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_ASCII)
    return text.encode("ascii", "backslashreplace").decode(), error.end
