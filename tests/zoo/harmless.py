"""Python subjects that return what is no outcome, and those whose ways are none of the kit's business."""

import atexit
import contextlib
import faulthandler
import os
import signal
import subprocess
import threading
import time
import warnings
from pathlib import Path

from react_tck.model.outcome import Outcome
from tests.zoo.kinds import STARTED, errs, fails, passes

# What it returns.


@fails("half a surrogate pair in an output", "\\ud83d")
def half_a_pair(outcome: Outcome) -> object:
    return outcome.model_copy(update={"outputs": {**(outcome.outputs or {}), "answer": "\ud83d"}})


@fails("another output", "expected: ")
def another_output(outcome: Outcome) -> object:
    return outcome.model_copy(update={"outputs": {"answer": 7}})


@errs("returns an object", "which is not an Outcome")
def returns_an_object(_: Outcome) -> object:
    return object()


@errs("an output of 5,000 digits", "calling gave an outcome that holds a whole number of 16610 bits")
def many_digits(outcome: Outcome) -> object:
    return outcome.model_copy(update={"outputs": {"answer": 10**5000}})


# What is none of the kit's business.


@passes("leaves a daemon that sleeps")
def leaves_an_idle_daemon(_: Outcome) -> None:
    threading.Thread(target=threading.Event().wait, daemon=True).start()


@passes("a thread raises")
def raises_in_a_thread(_: Outcome) -> None:
    threading.Thread(target=lambda: 1 // 0).start()


@passes("prints ten megabytes")
def prints_much(_: Outcome) -> None:
    for _number in range(1000):
        print("x" * 10_000)


@passes("writes bytes that are no text on both standard streams")
def writes_bytes(_: Outcome) -> None:
    os.write(1, b"\xff\x00\xfe")
    os.write(2, b"\x1b[2J\xff")


@passes("writes into every descriptor there is")
def writes_everywhere(_: Outcome) -> None:
    for descriptor in range(3, 64):
        with contextlib.suppress(OSError):
            os.write(descriptor, b'{"garbage": [')


@passes("makes warnings errors")
def makes_warnings_errors(_: Outcome) -> None:
    warnings.simplefilter("error")


@passes("wants to do something at the exit")
def at_exit(_: Outcome) -> None:
    atexit.register(os._exit, 9)


@passes("takes the signal by which the kit asks where it is")
def takes_the_kits_signal(_: Outcome) -> None:
    faulthandler.unregister(signal.SIGUSR1)


@passes("leaves a process that sleeps")
def leaves_a_process(_: Outcome) -> None:
    _note(subprocess.Popen(["sleep", "1000"]).pid)


@passes("leaves a process in a session of its own")
def leaves_a_process_elsewhere(_: Outcome) -> None:
    _note(subprocess.Popen(["sleep", "1000"], start_new_session=True).pid)


@passes("leaves a daemon of the old school: forked twice, in a session of its own, all descriptors closed")
def leaves_a_daemon_process(_: Outcome) -> None:
    if child := os.fork():
        os.waitpid(child, 0)
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    _note(os.getpid())
    os.closerange(0, 4096)
    time.sleep(1000)


def _note(process: int) -> None:
    with Path(os.environ[STARTED]).open("a") as file:
        file.write(f"{process}\n")
