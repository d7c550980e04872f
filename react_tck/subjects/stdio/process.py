"""A harness's process: lines in, lines out, and nothing of it left over when it ends."""

import contextlib
import os
import queue
import re
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import IO

#: Bytes a line may have; a longer one is a flood, not a message.
MAX_LINE = 16 * 1024 * 1024
#: Lines waiting to be read before the harness is left to wait.
_MAX_WAITING = 1000
#: Bytes of the standard error kept as evidence, the latest ones.
_STDERR_KEPT = 8 * 1024
#: Seconds granted for each gentler way of ending a process.
_GRACE = 2.0
#: Seconds between two looks whether it still runs.
_TURN = 0.2

_SECRET = re.compile(r"key|token|secret|passw|credential|auth", re.IGNORECASE)


class LineTooLong(Exception):
    """The harness writes without end and without a line break."""


class Process:
    """A running harness, in a process group of its own."""

    def __init__(self, command: Sequence[str], cwd: str | None = None) -> None:
        self._popen = subprocess.Popen(
            list(command),
            cwd=cwd,
            env=clean_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._lines: queue.Queue[bytes | Exception | None] = queue.Queue(_MAX_WAITING)
        self._stderr: deque[bytes] = deque()
        self._ended = threading.Event()
        self._readers = [
            threading.Thread(target=target, daemon=True) for target in (self._read_stdout, self._read_stderr)
        ]
        for reader in self._readers:
            reader.start()

    def write(self, line: bytes) -> None:
        """Write a line.

        Raises:
            BrokenPipeError: if nobody reads any more.
        """
        stdin = _pipe(self._popen.stdin)
        stdin.write(line + b"\n")
        stdin.flush()

    def read(self, timeout: float) -> bytes | None:
        """The next line without its break; None if there will be no more.

        Raises:
            TimeoutError: after so many seconds.
            LineTooLong: for a line of more than MAX_LINE bytes.
        """
        line = self._next(timeout)
        if isinstance(line, Exception):
            raise line
        return line

    def _next(self, timeout: float) -> bytes | Exception | None:
        """Wait in short turns: a child that keeps the output open hides that the harness has ended."""
        deadline = time.monotonic() + timeout
        ended = False
        while True:
            with contextlib.suppress(queue.Empty):
                return self._lines.get(timeout=max(0, min(_TURN, deadline - time.monotonic())))
            if ended:
                return None
            if time.monotonic() >= deadline:
                raise TimeoutError
            ended = self._popen.poll() is not None

    @property
    def pid(self) -> int:
        """The number of the process and of its group."""
        return self._popen.pid

    @property
    def stderr(self) -> str:
        """The end of what it wrote on its standard error."""
        return b"".join(self._stderr)[-_STDERR_KEPT:].decode(errors="replace").strip()

    def describe_end(self) -> str:
        """How it ended, once it has."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(_GRACE)
        status = self._popen.returncode
        if status is None:
            return "closed its standard output but still runs"
        return f"was ended by signal {-status}" if status < 0 else f"exited with status {status}"

    def end(self) -> None:
        """End it: by closing its standard input, else by a signal; whatever it forked ends too."""
        self._ended.set()
        with contextlib.suppress(OSError):
            _pipe(self._popen.stdin).close()
        for number in (None, signal.SIGTERM, signal.SIGKILL):
            if number is not None:
                self._signal(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(_GRACE)
                break
        # A leftover child keeps the group alive after the harness itself is gone.
        self._signal(signal.SIGKILL)
        self._close_outputs()

    def _close_outputs(self) -> None:
        for reader, stream in zip(self._readers, (self._popen.stdout, self._popen.stderr), strict=True):
            reader.join(_GRACE)
            # A child that left the group may still hold the pipe; its reader then keeps the stream.
            if not reader.is_alive():
                _pipe(stream).close()

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, number)

    def _read_stdout(self) -> None:
        stdout = _pipe(self._popen.stdout)
        while line := stdout.readline(MAX_LINE + 1):
            if len(line) > MAX_LINE:
                self._put(LineTooLong(f"a line of more than {MAX_LINE} bytes"))
                return
            self._put(line.rstrip(b"\r\n"))
        self._put(None)

    def _put(self, line: bytes | Exception | None) -> None:
        while not self._ended.is_set():
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=_GRACE)
                return

    def _read_stderr(self) -> None:
        stderr = _pipe(self._popen.stderr)
        while chunk := os.read(stderr.fileno(), 4096):
            self._stderr.append(chunk)
            while len(self._stderr) * 4096 > 16 * _STDERR_KEPT:
                self._stderr.popleft()


def clean_environment() -> dict[str, str]:
    """The environment without what looks like a secret: a harness needs none to talk to the kit."""
    return {name: value for name, value in os.environ.items() if not _SECRET.search(name)}


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None, "all three streams are pipes"
    return stream
