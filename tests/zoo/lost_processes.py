"""Python subjects that end their process, take all there is, or never come back."""

import contextlib
import ctypes
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from react_tck.model.outcome import Outcome
from tests.zoo.harmless import writes_everywhere
from tests.zoo.kinds import errs, hangs

# It ends its process.


@errs("`os._exit(0)`", "ended its process: exited with status 0")
def exit_0(_: Outcome) -> None:
    os._exit(0)


@errs("`os._exit(5)` in a thread", "exited with status 5")
def exit_in_a_thread(_: Outcome) -> None:
    threading.Thread(target=os._exit, args=(5,)).start()
    time.sleep(60)


@errs("writes on standard error, then exits", "it wrote last:\n  the licence has run out")
def exit_with_last_words(_: Outcome) -> None:
    print("the licence has run out", file=sys.stderr, flush=True)
    os._exit(1)


def _signals(number: signal.Signals) -> None:
    os.kill(os.getpid(), number)
    time.sleep(60)


@errs("SIGKILL to itself", "ended by signal 9 (SIGKILL")
def sigkill(_: Outcome) -> None:
    _signals(signal.SIGKILL)


@errs("reads at address 0", "ended by signal 11 (SIGSEGV")
def segmentation_fault(_: Outcome) -> None:
    ctypes.string_at(0)


@errs("SIGKILL to its process group", "ended by signal 9")
def kills_its_group(_: Outcome) -> None:
    os.kill(0, signal.SIGKILL)


@errs("SIGKILL to its parent", "ended the process that guards it")
def kills_its_guard(_: Outcome) -> None:
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)


@hangs("`exec` of a program that doesn't end")
def becomes_a_sleeper(_: Outcome) -> None:
    os.execvp("sleep", ["sleep", "1000"])


# What it raises is no `Exception`, or says that nothing is wrong.


@errs("`sys.exit(0)`", "calling raised SystemExit: 0")
def sys_exit(_: Outcome) -> None:
    sys.exit(0)


@errs("raises KeyboardInterrupt", "KeyboardInterrupt came out of the subject")
def keyboard_interrupt(_: Outcome) -> None:
    raise KeyboardInterrupt


class Unheard_of(BaseException):  # noqa: N801 - as strange as it gets
    """Nobody's."""


@errs("raises a BaseException of its own", "Unheard_of came out of the subject: no")
def own_base_exception(_: Outcome) -> None:
    raise Unheard_of("no")


@errs("`pytest.skip`", "Skipped came out of the subject")
def pytest_skip(_: Outcome) -> None:
    pytest.skip("not today")


@errs("`pytest.exit`", "calling raised Exit: enough")
def pytest_exit(_: Outcome) -> None:
    pytest.exit("enough", returncode=0)


@errs("recurses without end", "calling raised RecursionError")
def recurses(outcome: Outcome) -> None:
    recurses(outcome)


@errs("raises MemoryError", "too little memory")
def memory_error(_: Outcome) -> None:
    raise MemoryError


@errs("reads the standard input", "calling raised EOFError")
def reads_stdin(_: Outcome) -> None:
    input()


# It takes what there is.


def _hoard() -> Iterator[bytes]:
    while True:
        yield bytes(1 << 27)


@errs("allocates without end", "too little memory")
def takes_all_memory(_: Outcome) -> None:
    list(_hoard())


@errs("opens files without end", "too few descriptors")
def takes_all_descriptors(_: Outcome) -> None:
    with contextlib.suppress(OSError):
        while True:
            os.open(os.devnull, os.O_RDONLY)


# It doesn't come back.


def spin() -> None:
    """Without end."""
    while True:
        pass


@hangs("an endless loop")
def endless_loop(_: Outcome) -> None:
    spin()


@hangs("sleeps for ever")
def sleeps(_: Outcome) -> None:
    threading.Event().wait()


@hangs("a regular expression that backtracks without end, and lets no other thread run")
def backtracks(_: Outcome) -> None:
    re.match("(a+)+$", "a" * 64 + "b")


@errs("stops itself", "stopped the process that plays it, by signal 19 (SIGSTOP)")
def stops(_: Outcome) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


@errs("stops its parent", "stopped the process that guards it")
def stops_its_guard(_: Outcome) -> None:
    os.kill(os.getppid(), signal.SIGSTOP)
    time.sleep(1000)


@hangs("blocks every signal, then sleeps")
def deaf(_: Outcome) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    time.sleep(1000)


@hangs("writes into every descriptor there is, without end")
def writes_everywhere_without_end(outcome: Outcome) -> None:
    while True:
        writes_everywhere(outcome)


@hangs("prints without end")
def prints_without_end(_: Outcome) -> None:
    while True:
        print("y" * 1000)
