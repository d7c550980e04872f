"""A process for somebody's code, under a guard that ends it, and whatever it started, when it is told to or left alone.

The guard is a process too, between ours and theirs. Where the system knows subreapers, what theirs starts stays below
the guard whatever it does; so nothing is left, not even when ours is killed.
"""

import contextlib
import ctypes
import os
import select
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import NoReturn

#: Whether this system can do it.
IS_POSSIBLE = hasattr(os, "fork")
#: Seconds in which all that was started has to be gone.
_GRACE = 2.0
_TURN = 0.005
#: What a process exits with that ends by an error of ours.
_WENT_WRONG = 70
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
_PROCESSES = Path("/proc")
#: The subject may replace it.
_exit = os._exit
#: Between the making of a pipe and its closing no other process may be forked: it would keep the pipe open.
_forking = Lock()

Work = Callable[[int], None]
#: What the guard writes into the worker's pipe when the worker is gone, of its wait status.
LastWord = Callable[[int], bytes]


@dataclass(frozen=True)
class GuardedWorker:
    """A worker under its guard, as we see it."""

    guard: int
    #: The descriptors of what the worker reports, and of what it writes to its standard output and error.
    reports: int
    outputs: int
    #: Closed when all is to end.
    _lifeline: int

    @property
    def is_unguarded(self) -> bool:
        """Whether its guard was stopped, as by SIGSTOP, and does nothing any more."""
        try:
            changed, status = os.waitpid(self.guard, os.WNOHANG | os.WUNTRACED)
        except ChildProcessError:
            return False
        return changed != 0 and os.WIFSTOPPED(status)

    def end_all(self) -> None:
        """End it; when this returns, nothing of it runs."""
        os.close(self._lifeline)
        with contextlib.suppress(OSError):
            os.kill(self.guard, signal.SIGCONT)  # somebody may have stopped it
        deadline = time.monotonic() + _GRACE
        while not _is_reaped(self.guard):
            if time.monotonic() > deadline:
                kill_process(self.guard)
                deadline += _GRACE
            time.sleep(_TURN)
        os.close(self.reports)
        os.close(self.outputs)


def start_guarded_worker(work: Work, last_word: LastWord) -> GuardedWorker:
    """Have a process of its own do the work; it is handed the descriptor to report to."""
    with _forking:
        reports, report = os.pipe()
        outputs, output = os.pipe()
        held, lifeline = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        guard = _fork_process()
        if guard == 0:
            exit_after(lambda: _stand_guard(work, last_word, report, output, held))
        for theirs in (report, output, held):
            os.close(theirs)
    for ours in (reports, outputs):
        os.set_blocking(ours, False)
    return GuardedWorker(guard, reports, outputs, lifeline)


def _fork_process() -> int:
    """Python warns that threads of ours hold locks for ever in the copy; it uses none that they may hold."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def exit_after(action: Callable[[], None]) -> NoReturn:
    """End this process with the action: it is a copy, and mustn't go on as the original, whatever is broken in it."""
    status = _WENT_WRONG
    try:
        try:
            action()
            status = 0
        except BaseException:
            os.write(2, traceback.format_exc().encode(errors="backslashreplace"))
    finally:
        _exit(status)


def _stand_guard(work: Work, last_word: LastWord, report: int, output: int, held: int) -> None:
    os.setsid()
    set_process_option(PR_SET_CHILD_SUBREAPER, 1)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    _redirect_streams(output)
    _close_all_but(report, held)
    worker = _fork_process()
    if worker == 0:
        exit_after(lambda: _start_work(work, report, held))
    status = wait_for_worker(worker, held)
    if status is not None:
        os.write(report, last_word(status))
    kill_descendants(worker)


def _start_work(work: Work, report: int, held: int) -> None:
    os.close(held)
    os.setsid()
    set_process_option(PR_SET_PDEATHSIG, signal.SIGKILL)
    set_process_option(PR_SET_CHILD_SUBREAPER, 1)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # Where memory runs out, it is the subject's process that goes, not ours.
    with contextlib.suppress(OSError):
        (_PROCESSES / "self" / "oom_score_adj").write_text("900")
    work(report)


def wait_for_worker(worker: int, held: int) -> int | None:
    """Return the wait status of the worker when it has ended, or was stopped; None if all is to end before."""
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    either = select.poll()
    either.register(held, select.POLLIN)
    either.register(woken, select.POLLIN)
    while True:
        changed, status = os.waitpid(worker, os.WNOHANG | os.WUNTRACED)
        if changed:
            return status
        if any(descriptor == held for descriptor, _ in either.poll()):
            return None
        os.read(woken, select.PIPE_BUF)


def kill_descendants(worker: int) -> None:
    """End the worker's group, and all that has become ours since its parents are gone."""
    deadline = time.monotonic() + _GRACE
    while time.monotonic() < deadline:
        for process in (-worker, worker, *_find_descendants(os.getpid())):
            kill_process(process)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(_TURN)


def kill_process(process: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(process, signal.SIGKILL)


def _is_reaped(process: int) -> bool:
    try:
        return os.waitpid(process, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return True


def _find_descendants(ancestor: int) -> Iterator[int]:
    """Yield the descendants of a process, as far as the system shows them."""
    parents = dict(_read_parents())
    found = {ancestor}
    while below := {child for child, parent in parents.items() if parent in found} - found:
        found |= below
        yield from below


def _read_parents() -> Iterator[tuple[int, int]]:
    for stat in _PROCESSES.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):
            # The name before it may hold anything, brackets and blanks too.
            yield int(stat.parent.name), int(stat.read_text().rpartition(")")[2].split()[1])


def _redirect_streams(output: int) -> None:
    """Redirect the standard streams of this process and of those that it starts."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    for descriptor, number in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(descriptor, number)
    for name, number, mode in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
        stream = os.fdopen(number, mode, 1, "utf-8", "backslashreplace", closefd=False)
        vars(sys)[name] = vars(sys)[f"__{name}__"] = stream


def _close_all_but(*kept: int) -> None:
    begin = 3
    for descriptor in sorted(kept):
        os.closerange(begin, descriptor)
        begin = descriptor + 1
    os.closerange(begin, os.sysconf("SC_OPEN_MAX"))


def set_process_option(option: int, value: int) -> None:
    """Where there is no such call, the system has no such thing."""
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).prctl(option, value)
