"""A process of a harness: lines in, lines out, and nothing left over when it ends; or its author, who pastes them."""

import contextlib
import fcntl
import os
import select
import signal
import subprocess
import termios
import threading
import time
from array import array
from collections import deque
from collections.abc import Sequence
from typing import IO

from react_tck.subjects.stdio.environment import build_environment, hide_own_memory

#: Bytes taken at a time.
_CHUNK = 64 * 1024
#: Seconds in which a harness has to take a request.
_WRITE_TIMEOUT = 60.0
#: Bytes of the standard error kept as evidence, the latest ones.
_STDERR_KEPT = 8 * 1024
#: Seconds granted for each gentler way of ending a process.
_GRACE = 2.0
#: Seconds between two looks whether it still runs.
_TURN = 0.2


#: Bytes a line may have; a longer one is a flood, not a message.
MAX_LINE = 16 * 1024 * 1024


class LineTooLong(Exception):
    """The harness writes without end and without a line break."""


class Lines:
    """What was received and not yet read."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        #: How many of them are known to hold no line break.
        self._searched = 0
        #: Whether nothing will be added.
        self.is_complete = False

    @property
    def is_full(self) -> bool:
        """Whether the harness is to be left to wait before more is taken."""
        return len(self._bytes) > MAX_LINE

    @property
    def is_empty(self) -> bool:
        """Whether all that was received has been read."""
        return not self._bytes

    def add_bytes(self, received: bytes) -> None:
        """Take what was received; nothing means that there will be no more."""
        self._bytes += received
        self.is_complete = not received

    def take_line(self) -> bytes | None:
        """Return the next whole line without its break, if it is there.

        Raises:
            LineTooLong: for a line of more than MAX_LINE bytes.
        """
        if not self._bytes:
            return None
        end = self._bytes.find(b"\n", self._searched)
        self._searched = len(self._bytes) if end < 0 else 0
        if end > MAX_LINE or (end < 0 and self.is_full):
            raise LineTooLong(f"a line of more than {MAX_LINE} bytes")
        return None if end < 0 else self._take_bytes(end + 1)

    def take_rest(self) -> bytes | None:
        """Return what is there without a break at its end; None if there is nothing."""
        return self._take_bytes(len(self._bytes)) if self._bytes else None

    def _take_bytes(self, size: int) -> bytes:
        taken = bytes(self._bytes[:size])
        del self._bytes[:size]
        self._searched = 0
        return taken.rstrip(b"\r\n") or taken  # a blank line is told as what it is


class Process:
    """A running harness, in a process group of its own."""

    def __init__(self, command: Sequence[str], cwd: str | None = None, env: Sequence[str] = ()) -> None:
        hide_own_memory()
        self._popen = subprocess.Popen(
            list(command),
            cwd=cwd,
            env=build_environment(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._stdin = _require_pipe(self._popen.stdin)
        os.set_blocking(self._stdin.fileno(), False)
        self._received = Lines()
        #: Bytes of the latest request.
        self._asked = 0
        self._stdout = _require_pipe(self._popen.stdout).fileno()
        self._output = select.poll()
        self._output.register(self._stdout, select.POLLIN)
        self._stderr: deque[bytes] = deque()
        self._reader = threading.Thread(target=self._read_stderr, daemon=True)
        self._reader.start()

    def write_line(self, line: bytes) -> None:
        """Write a line, and take meanwhile what comes: a harness that waits for room to write reads nothing.

        Raises:
            OSError: if nobody reads any more, or nobody has for a minute.
        """
        rest = line + b"\n"
        self._asked = len(rest)
        if not (rest := rest[self._write_part(rest) :]):
            return  # by far the most
        deadline = time.monotonic() + _WRITE_TIMEOUT
        while rest:
            if time.monotonic() >= deadline:
                raise TimeoutError
            self._wait_for_room()
            rest = rest[self._write_part(rest) :]

    def _write_part(self, data: bytes) -> int:
        try:
            return os.write(self._stdin.fileno(), data)
        except BlockingIOError:
            return 0

    def read_line(self, timeout: float) -> bytes | None:
        """Return the next line without its break; None if there will be no more.

        Raises:
            TimeoutError: after so many seconds.
            LineTooLong: for a line of more than MAX_LINE bytes.
        """
        deadline = time.monotonic() + timeout
        ended = False
        while (line := self._received.take_line()) is None:
            # In short turns: a child that keeps the output open hides that the harness has ended.
            left = deadline - time.monotonic()
            if self._take_output(min(_TURN, left) if left > 0 else 0):
                continue
            if ended or self._received.is_complete:
                return self._received.take_rest()
            if time.monotonic() >= deadline:
                raise TimeoutError
            ended = self._popen.poll() is not None
        return line

    def _take_output(self, seconds: float) -> bool:
        """Wait for output and take it; whether there was any."""
        if self._received.is_complete or not self._output.poll(seconds * 1000):
            return False
        self._received.add_bytes(os.read(self._stdout, _CHUNK))
        return True

    def _wait_for_room(self) -> None:
        """Until there is room to write, or output, which is taken; at most for a turn."""
        either = select.poll()
        either.register(self._stdin, select.POLLOUT)
        if not self._received.is_complete and not self._received.is_full:
            either.register(self._stdout, select.POLLIN)
        either.poll(_TURN * 1000)
        if not self._received.is_full:
            self._take_output(0)

    @property
    def has_more(self) -> bool:
        """Whether more than the latest line has come already."""
        return not self._received.is_empty

    def read_unasked(self, seconds: float = 0.0) -> bytes | None:
        """Return what is written that nobody asked for; empty at its end, None if nothing comes in time."""
        self._take_output(seconds)
        if self._received.is_empty:
            return b"" if self._received.is_complete else None
        return self._received.take_rest()

    def has_read_input(self) -> bool:
        """Tell whether any of what was written last has been read, where the system tells what a pipe still holds."""
        held = array("i", [0])
        with contextlib.suppress(OSError):
            fcntl.ioctl(self._stdin.fileno(), termios.FIONREAD, held)
        return held[0] < self._asked

    @property
    def pid(self) -> int:
        """The number of the process and of its group."""
        return self._popen.pid

    @property
    def stderr(self) -> str:
        """The end of what it wrote on its standard error, all of it if it has ended."""
        if self._popen.poll() is not None:
            self._reader.join(_TURN)
        return b"".join(self._stderr)[-_STDERR_KEPT:].decode(errors="replace").strip()

    def describe_end(self, closed: str = "output") -> str:
        """Return how it ended, once it has; if it goes on, which of its streams it closed."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(_GRACE)
        status = self._popen.returncode
        if status is None:
            return f"closed its standard {closed} but still runs"
        return f"was ended by signal {-status}" if status < 0 else f"exited with status {status}"

    def end_harness(self) -> None:
        """End it: by closing its standard input, else by a signal; whatever it forked ends too."""
        with contextlib.suppress(OSError):
            self._stdin.close()
        for number in (None, signal.SIGTERM, signal.SIGKILL):
            if number is not None:
                self._send_signal(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(_GRACE)
                break
        # A leftover child keeps the group alive after the harness itself is gone.
        self._send_signal(signal.SIGKILL)
        self._close_outputs()

    def _close_outputs(self) -> None:
        _require_pipe(self._popen.stdout).close()
        self._reader.join(_GRACE)
        # A child that left the group may still hold the pipe; its reader then keeps the stream.
        if not self._reader.is_alive():
            _require_pipe(self._popen.stderr).close()

    def _send_signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, number)

    def _read_stderr(self) -> None:
        stderr = _require_pipe(self._popen.stderr)
        while chunk := os.read(stderr.fileno(), 4096):
            self._stderr.append(chunk)
            while len(self._stderr) * 4096 > 16 * _STDERR_KEPT:
                self._stderr.popleft()


def _require_pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None, "all three streams are pipes"
    return stream


class Pasted:
    """The author instead of a pipe."""

    stderr = ""
    has_more = False

    def __init__(self, answers: IO[str], screen: IO[str]) -> None:
        self._answers = answers
        self._screen = screen

    def write_line(self, line: bytes) -> None:
        """Show the line to paste into the harness."""
        self._print_text(f"\npaste into your harness:\n{line.decode()}\nand paste its answer here:")

    def read_line(self, timeout: float) -> bytes | None:  # noqa: ARG002 - a person at a debugger takes the time it takes
        """Return the next line pasted here that isn't blank; None at the end of the input."""
        for line in self._answers:
            if line.strip():
                return line.strip().encode()
        return None

    def read_unasked(self, seconds: float = 0.0) -> bytes | None:  # noqa: ARG002 - nobody needs to wait
        """Return nothing: a person says nothing unasked."""
        return None

    def has_read_input(self) -> bool:
        """Tell whether a person has read it."""
        return True

    def describe_end(self, closed: str = "output") -> str:  # noqa: ARG002 - a person closes nothing
        """Return what it means that there is nothing more to read."""
        return "gave no further answer"

    def end_harness(self) -> None:
        """Tell the author to end the harness: nothing here can."""
        self._print_text("\nthat was the last line; end your harness")

    def _print_text(self, text: str) -> None:
        self._screen.write(f"{text}\n")
        self._screen.flush()
