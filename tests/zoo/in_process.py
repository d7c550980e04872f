"""Python subjects that misbehave in every way we know: each is the reference, but for what it does after a call.

One run meets all of them: by the nonce among the inputs the subject knows which row it plays, and what to do in it.
"""

import asyncio
import atexit
import builtins
import contextlib
import ctypes
import faulthandler
import gc
import json
import locale
import logging
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from react_tck.model.case import Invocation, Options
from react_tck.model.episode import nonce
from react_tck.model.outcome import Outcome
from react_tck.model.report import Verdict
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool
from react_tck.subjects.api import Endpoints, Instance, Subject
from react_tck.suite.books import Books, Unheard
from react_tck.suite.selection import Selection

#: Seconds a row may take, and bytes the subject may take up, in the zoo.
PATIENCE, MEMORY = 4.0, 2 << 30
#: Where those that start processes write their numbers.
STARTED = "REACT_TCK_ZOO_STARTED"
#: Is given the outcome of the call, gives what becomes of it.
Act = Callable[[Outcome], object]


@dataclass(frozen=True)
class Kind:
    """One way to misbehave, and how a row ends in which a subject does."""

    name: str
    does: str
    act: Act
    verdict: Verdict
    evidence: str


_kinds: list[Kind] = []


def errs(does: str, evidence: str) -> Callable[[Act], Act]:
    """The row is an error that tells this."""
    return _kind(does, Verdict.ERROR, evidence)


def fails(does: str, evidence: str) -> Callable[[Act], Act]:
    """The row fails, and tells this."""
    return _kind(does, Verdict.FAILED, evidence)


def passes(does: str) -> Callable[[Act], Act]:
    """It is none of the kit's business, and costs nobody anything."""
    return _kind(does, Verdict.PASSED, "")


def _kind(does: str, verdict: Verdict, evidence: str) -> Callable[[Act], Act]:
    def take(act: Act) -> Act:
        _kinds.append(Kind(act.__name__.strip("_").replace("_", "-"), does, act, verdict, evidence))
        return act

    return take


def _hangs(does: str) -> Callable[[Act], Act]:
    return errs(does, f"did not come to an end within {PATIENCE:g} seconds")


# It ends its process.


@errs("`os._exit(0)`", "ended its process: exited with status 0")
def exit_0(_: Outcome) -> None:
    os._exit(0)


@errs("`os._exit(3)`", "ended its process: exited with status 3")
def exit_3(_: Outcome) -> None:
    os._exit(3)


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


@errs("SIGTERM to itself", "ended by signal 15 (SIGTERM")
def sigterm(_: Outcome) -> None:
    _signals(signal.SIGTERM)


@errs("SIGHUP to itself", "ended by signal 1 (SIGHUP")
def sighup(_: Outcome) -> None:
    _signals(signal.SIGHUP)


@errs("reads at address 0", "ended by signal 11 (SIGSEGV")
def segmentation_fault(_: Outcome) -> None:
    ctypes.string_at(0)


@errs("`os.abort()`", "ended by signal 6 (SIGABRT")
def abort(_: Outcome) -> None:
    os.abort()


@errs("an alarm that nobody handles", "ended by signal 14 (SIGALRM")
def alarm(_: Outcome) -> None:
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(60)


@errs("SIGKILL to its process group", "ended by signal 9")
def kills_its_group(_: Outcome) -> None:
    os.kill(0, signal.SIGKILL)


@errs("SIGKILL to its parent", "ended the process that guards it")
def kills_its_guard(_: Outcome) -> None:
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)


@errs("`exec` of a program that ends", "exited with status 0")
def becomes_another_program(_: Outcome) -> None:
    os.execvp("true", ["true"])


@_hangs("`exec` of a program that doesn't end")
def becomes_a_sleeper(_: Outcome) -> None:
    os.execvp("sleep", ["sleep", "1000"])


# What it raises is no `Exception`, or says that nothing is wrong.


@errs("`sys.exit(0)`", "calling raised SystemExit: 0")
def sys_exit(_: Outcome) -> None:
    sys.exit(0)


@errs("raises KeyboardInterrupt", "KeyboardInterrupt came out of the subject")
def keyboard_interrupt(_: Outcome) -> None:
    raise KeyboardInterrupt


@errs("raises CancelledError", "CancelledError came out of the subject")
def cancelled_error(_: Outcome) -> None:
    raise asyncio.CancelledError


@errs("raises GeneratorExit", "GeneratorExit came out of the subject")
def generator_exit(_: Outcome) -> None:
    raise GeneratorExit


class Unheard_of(BaseException):  # noqa: N801 - as strange as it gets
    """Nobody's."""


@errs("raises a BaseException of its own", "Unheard_of came out of the subject: no")
def own_base_exception(_: Outcome) -> None:
    raise Unheard_of("no")


@errs("`pytest.skip`", "Skipped came out of the subject")
def pytest_skip(_: Outcome) -> None:
    pytest.skip("not today")


@errs("`pytest.xfail`", "XFailed came out of the subject")
def pytest_xfail(_: Outcome) -> None:
    pytest.xfail("known")


@errs("`pytest.fail`", "Failed came out of the subject")
def pytest_fail(_: Outcome) -> None:
    pytest.fail("no")


@errs("`pytest.exit`", "calling raised Exit: enough")
def pytest_exit(_: Outcome) -> None:
    pytest.exit("enough", returncode=0)


@errs("raises unittest.SkipTest", "calling raised SkipTest")
def unittest_skip(_: Outcome) -> None:
    raise unittest.SkipTest("not today")


@errs("raises StopIteration", "calling raised StopIteration")
def stop_iteration(_: Outcome) -> None:
    raise StopIteration


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


@_hangs("an endless loop")
def endless_loop(_: Outcome) -> None:
    spin()


@_hangs("sleeps for ever")
def sleeps(_: Outcome) -> None:
    threading.Event().wait()


@_hangs("waits for a lock that it holds")
def deadlock(_: Outcome) -> None:
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


@_hangs("waits for a thread that doesn't end")
def joins_for_ever(_: Outcome) -> None:
    thread = threading.Thread(target=spin, daemon=True)
    thread.start()
    thread.join()


@_hangs("a regular expression that backtracks without end, and lets no other thread run")
def backtracks(_: Outcome) -> None:
    re.match("(a+)+$", "a" * 64 + "b")


@_hangs("stops itself")
def stops(_: Outcome) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


@_hangs("blocks every signal, then loops")
def deaf(_: Outcome) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    spin()


@_hangs("runs an event loop for ever")
def event_loop_for_ever(_: Outcome) -> None:
    asyncio.new_event_loop().run_forever()


@_hangs("writes into every descriptor there is, without end")
def writes_everywhere_without_end(outcome: Outcome) -> None:
    while True:
        writes_everywhere(outcome)


@_hangs("prints without end")
def prints_without_end(_: Outcome) -> None:
    while True:
        print("y" * 1000)


# It leaves its process changed.


@errs("`os.environ.clear()`", "environment variables are gone: ")
def clears_environment(_: Outcome) -> None:
    os.environ.clear()


@errs("deletes a variable of the environment", "environment variables are gone: PATH")
def deletes_path(_: Outcome) -> None:
    del os.environ["PATH"]


@errs("changes a variable of the environment", "environment variables have other values: PATH")
def changes_path(_: Outcome) -> None:
    os.environ["PATH"] = ""


@errs("changes the working directory", "the working directory is /")
def changes_directory(_: Outcome) -> None:
    os.chdir("/")


@errs("deletes the directory it has changed to", "the working directory is (deleted)")
def deletes_directory(_: Outcome) -> None:
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    Path(folder).rmdir()


@errs("`os.umask(0o777)`", "the mask of new files' modes is 0o777")
def changes_umask(_: Outcome) -> None:
    os.umask(0o777)


@errs("sets the recursion limit to a few more than there are", "the recursion limit is ")
def lowers_recursion_limit(_: Outcome) -> None:
    limit = 1
    while True:
        with contextlib.suppress(RecursionError):
            return sys.setrecursionlimit(limit)
        limit += 1


@errs("closes `sys.stdout`", "other or closed standard streams: stdout")
def closes_stdout(_: Outcome) -> None:
    sys.stdout.close()


@errs("`sys.stderr = None`", "other or closed standard streams: stderr")
def loses_stderr(_: Outcome) -> None:
    sys.stderr = None


@errs("closes descriptor 1", "descriptors that aren't its own were closed: 1")
def closes_descriptor_1(_: Outcome) -> None:
    os.close(1)


@errs("closes descriptor 2 and opens a file", "descriptors that aren't its own were closed: 2")
def takes_descriptor_2(_: Outcome) -> None:
    os.close(2)
    os.open(os.devnull, os.O_WRONLY)


@errs("closes all descriptors, as daemons do", "it had closed descriptors that aren't its own")
def closes_all_descriptors(_: Outcome) -> None:
    os.closerange(0, 4096)


@errs("ignores SIGINT", "other handlers of signals: SIGINT")
def ignores_sigint(_: Outcome) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@errs("handles SIGTERM", "other handlers of signals: SIGTERM")
def handles_sigterm(_: Outcome) -> None:
    signal.signal(signal.SIGTERM, lambda *_: None)


@errs("leaves a timer set", "a timer is set: True")
def leaves_a_timer(_: Outcome) -> None:
    signal.setitimer(signal.ITIMER_REAL, 1000)


@errs("replaces `open`", "other built-in functions: open")
def replaces_open(_: Outcome) -> None:
    builtins.open = None  # type: ignore[assignment]


@errs("replaces `print`", "other built-in functions: print")
def replaces_print(_: Outcome) -> None:
    builtins.print = lambda *_, **__: None


@errs("replaces `json.dumps`", "other functions of the standard library: json.dumps")
def replaces_json_dumps(_: Outcome) -> None:
    json.dumps = None  # type: ignore[assignment]


@errs("freezes the clock", "other functions of the standard library: time.monotonic, time.time")
def freezes_the_clock(_: Outcome) -> None:
    time.time = time.monotonic = lambda: 0.0


@errs("makes sleeping instant", "other functions of the standard library: time.sleep")
def makes_sleep_instant(_: Outcome) -> None:
    time.sleep = lambda _: None


@errs("unloads the kit's modules", "modules of the kit were unloaded: ")
def unloads_modules(_: Outcome) -> None:
    for name in [name for name in sys.modules if name.startswith("react_tck.judges")]:
        del sys.modules[name]


@errs("leaves a trace function", "the trace function is ")
def leaves_a_trace(_: Outcome) -> None:
    sys.settrace(lambda *_: None)


@errs("leaves a profile function", "the profile function is ")
def leaves_a_profile(_: Outcome) -> None:
    sys.setprofile(lambda *_: None)


@errs("`gc.disable()`", "garbage is collected: False")
def disables_gc(_: Outcome) -> None:
    gc.disable()


@errs("changes the locale", "the locale is ")
def changes_locale(_: Outcome) -> None:
    now = locale.setlocale(locale.LC_ALL)
    locale.setlocale(locale.LC_ALL, "C" if "UTF-8" in now else "C.UTF-8")


@errs("lowers the limit of open files", "other limits of resources: RLIMIT_NOFILE")
def lowers_limit_of_files(_: Outcome) -> None:
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (128, most))


@errs("`os.nice(5)`", "the priority is ")
def nice(_: Outcome) -> None:
    os.nice(5)


@errs("threads take turns every five seconds", "the interval at which threads take turns is 5.0 s")
def long_turns(_: Outcome) -> None:
    sys.setswitchinterval(5)


@errs("limits the digits of whole numbers", "the limit of digits of whole numbers is 640")
def few_digits(_: Outcome) -> None:
    sys.set_int_max_str_digits(640)


# It leaves something behind.


@errs("leaves a thread that never ends", "threads that nobody ends still run: one in run_forever (base_events.py)")
def leaves_a_thread(_: Outcome) -> None:
    threading.Thread(target=asyncio.new_event_loop().run_forever).start()


@errs("leaves twenty threads", "and 15 more")
def leaves_many_threads(_: Outcome) -> None:
    for _number in range(20):
        threading.Thread(target=time.sleep, args=(1000,)).start()


@errs("leaves a daemon that spins", "keep a processor busy: one in spin (in_process.py)")
def leaves_a_busy_daemon(_: Outcome) -> None:
    threading.Thread(target=spin, daemon=True).start()


@errs("forks, and both go on", "forked its process, and let both go on")
def forks(_: Outcome) -> None:
    os.fork()


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


@errs("returns a tuple", "calling gave (), which is not an Outcome")
def returns_a_tuple(_: Outcome) -> object:
    return ()


# What is none of the kit's business.


@passes("adds a variable to the environment")
def adds_a_variable(_: Outcome) -> None:
    os.environ["REACT_TCK_ZOO_ADDED"] = "1"


@passes("leaves a daemon that sleeps")
def leaves_an_idle_daemon(_: Outcome) -> None:
    threading.Thread(target=threading.Event().wait, daemon=True).start()


@passes("leaves a pool of threads that have nothing to do")
def leaves_a_pool(_: Outcome) -> None:
    ThreadPoolExecutor(4).submit(int).result()


@passes("a thread ends by `sys.exit`")
def exits_a_thread(_: Outcome) -> None:
    threading.Thread(target=sys.exit).start()


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


@passes("disables logging")
def disables_logging(_: Outcome) -> None:
    logging.disable(logging.CRITICAL)


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


KINDS: tuple[Kind, ...] = tuple(_kinds)


class Misbehaving:
    """The reference, but for the rows in which it does something else as well."""

    def __init__(self, inner: Subject, acts: Mapping[str, Act]) -> None:
        self._inner = inner
        self._acts = acts
        self.initialize = inner.initialize

    def construct(
        self, signature: Signature, tools: tuple[Tool, ...], options: Options, endpoints: Endpoints
    ) -> Instance:
        """An instance that looks at its inputs."""
        return MisbehavingInstance(self._inner.construct(signature, tools, options, endpoints), self._acts)


class MisbehavingInstance:
    """One of its instances."""

    def __init__(self, inner: Any, acts: Mapping[str, Act]) -> None:
        self._inner = inner
        self._acts = acts

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def call(self, invocation: Invocation) -> Outcome:
        """Call it, then misbehave if it is time to."""
        outcome: Outcome = self._inner.call(invocation)
        said = json.dumps(invocation.inputs)
        for known, act in self._acts.items():
            if known in said:
                given = act(outcome)
                outcome = outcome if given is None else cast(Outcome, given)
        return outcome


#: Rows in which the reference is called with marked inputs, and passes.
ROWS = Selection(
    tags="@TOOL-001 or @TOOL-002 or @TOOL-003 or @TOOL-004 or @TOOL-006 or @SIG-004 or @SIG-005 or @TRJ-007 "
    "or @ADP-001 or @STEP-001"
)
FEWER_ROWS = Selection(tags="@SIG-004 or @SIG-005 or @STEP-001")
#: What the subject below does, by nonce; the workers are copies of the process that fills it.
ACTS: dict[str, Act] = {}


def subject() -> Subject:
    """The one that a run names."""
    from react_tck.subjects.libraries.reference import react

    return Misbehaving(react.subject(), ACTS)


def marks(selection: Selection) -> dict[str, str]:
    """The nonces of the rows."""
    owed = Books(selection, Unheard()).owed
    return {row: nonce(f"{scenario.requirement_id}/{row}", 0) for row, scenario in owed.items()}
