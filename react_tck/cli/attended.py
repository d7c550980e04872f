"""A command that has somebody's code in its own process, under a guard: interrupted, ended by that code or killed, it
leaves nothing running, and says so.

There are three processes: ours, which hands signals on; the guard (react_tck/processes/guard.py); and the command's.
"""

import contextlib
import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType

from react_tck.processes.guard import (
    IS_POSSIBLE,
    PR_SET_CHILD_SUBREAPER,
    PR_SET_PDEATHSIG,
    exit_after,
    kill_descendants,
    kill_process,
    set_process_option,
    wait_for_worker,
)
from react_tck.processes.interruption import leave_at_signals, list_handled_signals

#: Seconds that a command has for going once it has said its status.
_GOING = 1.0
#: Statuses of `results/exit_status.py`, which this process, that is to be there at once, doesn't wait to import.
_BROKEN, _INTERRUPTED, _BY_SIGNAL = 3, 130, 128
#: Begins what the guard says; what the command says is its status.
_LAST_WORD = b"\xff"


def run_attended(work: Callable[[], int], grace: float) -> int:
    """Return the status of work done in a process of its own; interrupted, it has so many seconds to say it."""
    if not IS_POSSIBLE or sys.gettrace() is not None:  # a debugger wouldn't follow
        return work()
    reports, report = os.pipe()
    held, lifeline = os.pipe()
    relay = _Relay(lifeline)
    guard = os.fork()
    if guard == 0:
        os.close(lifeline)
        os.close(reports)
        _become_guard()
        command = os.fork()
        if command == 0:
            os.close(held)
            sys.exit(_run_work(work, report))
        exit_after(lambda: _stand_guard(command, held, report, grace))
    os.close(held)
    os.close(report)
    with os.fdopen(reports, "rb", 0) as said:
        first = said.read(1)
        if not select.select([said], [], [], _GOING)[0]:
            relay.end_processes()
        # Until the guard has ended, the last of all.
        status = relay.report_status(first + said.read())
    os.waitpid(guard, 0)
    return status


def end_in_time(status: int) -> None:
    """Have this process end with that status in a second, if a subject has left threads that Python would wait for.

    Nothing else is to be done by now: the status is known, and what was printed is out.
    """
    if any(not thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread()):
        timer = threading.Timer(_GOING, os._exit, (status,))
        timer.daemon = True
        timer.start()


class _Relay:
    """Hands signals on instead of ending."""

    def __init__(self, lifeline: int) -> None:
        self._lifeline = lifeline
        self._taken: list[int] = []
        for number in list_handled_signals():
            signal.signal(number, self._relay_signal)

    def end_processes(self) -> None:
        """Have everything ended at once."""
        os.close(self._lifeline)

    def _relay_signal(self, number: int, _: FrameType | None) -> None:
        self._taken.append(number)
        with contextlib.suppress(OSError):
            os.write(self._lifeline, bytes([number]))

    def report_status(self, said: bytes) -> int:
        """Return what has been said of the end, as a status."""
        if said and not said.startswith(_LAST_WORD):
            return said[0] if said[0] != _INTERRUPTED or not self._taken else _BY_SIGNAL + self._taken[0]
        if self._taken:
            print("react-tck: interrupted; what was at work didn't stop, so it was ended", file=sys.stderr)
            return _BY_SIGNAL + self._taken[0]
        how = said.removeprefix(_LAST_WORD).decode()
        print(f"react-tck: the subject ended the process of the kit, which {how}", file=sys.stderr)
        return _BROKEN


def _become_guard() -> None:
    """Become the guard: what is started from now on stays below this process, and the terminal doesn't know it."""
    os.setsid()
    set_process_option(PR_SET_CHILD_SUBREAPER, 1)
    leave_at_signals()


def _run_work(work: Callable[[], int], report: int) -> int:
    set_process_option(PR_SET_PDEATHSIG, signal.SIGKILL)
    try:
        status = work()
    except KeyboardInterrupt:
        status = _INTERRUPTED
    os.write(report, bytes([status]))
    return status


def _describe_change(status: int) -> str:
    if os.WIFSTOPPED(status):
        return f"was stopped by signal {os.WSTOPSIG(status)}, so that it was ended"
    code = os.waitstatus_to_exitcode(status)
    return f"exited with status {code}" if code >= 0 else f"was ended by signal {-code}"


def _stand_guard(command: int, held: int, report: int, grace: float) -> None:
    for number in list_handled_signals():
        signal.signal(number, signal.SIG_IGN)
    is_told = False
    while (status := wait_for_worker(command, held)) is None:
        sent = os.read(held, 1)
        if not sent or is_told:
            break
        is_told = True
        signal.signal(signal.SIGALRM, lambda *_: kill_process(command))
        signal.setitimer(signal.ITIMER_REAL, grace)
        os.kill(command, sent[0])
    if status is not None:
        os.write(report, _LAST_WORD + _describe_change(status).encode())
    kill_descendants(command)
