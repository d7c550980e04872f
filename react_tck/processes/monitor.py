"""The state of a process that every row is to find alike; what a subject changes in it is damage."""

import builtins
import errno
import gc
import json
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from react_tck.play.left_over import find_left_over_threads, is_busy

#: Seconds in which a thread has to run that is started.
_GRACE = 1.0
#: Descriptors that have to be left.
_SPARE_DESCRIPTORS = 32
#: Functions without which nothing here is what it seems.
_VITAL: tuple[tuple[Any, tuple[str, ...]], ...] = (
    (os, ("_exit", "fork", "getpid", "kill", "read", "write")),
    (time, ("monotonic", "sleep", "time")),
    (json, ("dumps", "loads")),
)
#: A library may put its own in their place when it is imported or built, as tracing does: what they do is looked at.
_START, _JOIN = threading.Thread.start, threading.Thread.join
_NAMES_SHOWN = 5


def _read_signal_handlers() -> dict[str, Any]:
    return {number.name: signal.getsignal(number) for number in signal.Signals}


def _is_timer_set() -> bool:
    return any(signal.getitimer(which)[0] for which in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF))


def _read_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _read_working_directory() -> str:
    try:
        return str(Path.cwd())
    except OSError:
        return "(deleted)"


def _read_vital_functions() -> dict[str, Any]:
    return {f"{home.__name__}.{name}": getattr(home, name, None) for home, names in _VITAL for name in names}


def _can_start_threads() -> bool:
    """Whether a thread runs that is started, and can be waited for; it is tried where another function does that."""
    if threading.Thread.start is _START and threading.Thread.join is _JOIN:
        return True
    has_run = threading.Event()
    try:
        thread = threading.Thread(target=has_run.set, daemon=True)
        thread.start()
        thread.join(_GRACE)
    except Exception:
        return False
    return has_run.is_set()


def _read_standard_streams() -> dict[str, Any]:
    streams = {name: getattr(sys, name) for name in ("stdin", "stdout", "stderr")}
    return {name: "closed" if getattr(stream, "closed", True) else stream for name, stream in streams.items()}


def _read_resource_limits() -> dict[str, Any]:
    kinds = ("RLIMIT_CORE", "RLIMIT_CPU", "RLIMIT_DATA", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_STACK")
    return {kind: resource.getrlimit(getattr(resource, kind)) for kind in kinds}


#: What is read, and what is said of it if it isn't what it was.
_TRAITS: Mapping[str, Callable[[], Any]] = {
    "the working directory is {}": _read_working_directory,
    "the mask of new files' modes is {:#o}": _read_umask,
    "the recursion limit is {}": sys.getrecursionlimit,
    "the limit of digits of whole numbers is {}": sys.get_int_max_str_digits,
    "a timer is set: {}": _is_timer_set,
    "threads can be started and waited for: {}": _can_start_threads,
}
#: What has names: said of those that are others than they were.
_NAMED_TRAITS: Mapping[str, Callable[[], Mapping[str, Any]]] = {
    "other handlers of signals": _read_signal_handlers,
    "other built-in functions": lambda: dict(vars(builtins)),
    "other functions of the standard library": _read_vital_functions,
    "other or closed standard streams": _read_standard_streams,
    "other limits of resources": _read_resource_limits,
}


class ProcessMonitor:
    """Looks after the process it is made in, from the first row on.

    A harness is in another: whatever it does, it changes nothing here.
    """

    def __init__(self, report: int, memory: int | None, *, has_subject: bool) -> None:
        self._has_subject = has_subject
        self._descriptors = {number: _identify_descriptor(number) for number in (0, 1, 2, report)}
        self._memory = memory
        self._state: dict[str, Any] = {}
        self._environment: dict[str, str] = {}
        self._modules: dict[str, Any] = {}
        self._threads: set[threading.Thread] = set()
        self.is_damaged = False

    def take_snapshot(self) -> None:
        """From here on changes are the rows' doing."""
        if not self._state:
            limit_memory(self._memory)
            self._state = {said: trait() for said, trait in (*_TRAITS.items(), *_NAMED_TRAITS.items())}
            self._environment = dict(os.environ)
            self._modules = {name: module for name, module in sys.modules.items() if name.startswith("react_tck")}
            self._threads = set(threading.enumerate())

    def find_damage(self, error: BaseException | None = None) -> str:
        """Return what was changed since the last look, or used up, as the error shows."""
        found = [*self._find_exhausted_resources(error), *(self._find_changes() if self._has_subject else ())]
        if not found:
            return ""
        self.is_damaged = True
        self._restore_state()
        return (
            f"the subject left its process changed: {'; '.join(found)}. What follows is played in a new one. "
            "If the library has to do so, play it with --in-process, or in a process of its own (--python)."
        )

    def is_ours(self, descriptor: int) -> bool:
        """Tell whether the descriptor is still what it was."""
        return _identify_descriptor(descriptor) == self._descriptors[descriptor]

    def _find_changes(self) -> Iterator[str]:
        for said, trait in _TRAITS.items():
            now = trait()
            if now != self._state[said]:
                yield said.format(now)
        for said, named in _NAMED_TRAITS.items():
            before, after = self._state[said], named()
            if changed := [name for name in before if _is_replaced(after.get(name), before[name])]:
                yield f"{said}: {_join_names(changed)}"
        yield from self._find_environment_changes()
        if gone := [name for name, module in self._modules.items() if sys.modules.get(name) is not module]:
            yield f"modules of the kit were unloaded: {_join_names(gone)}"
        if closed := [number for number in self._descriptors if not self.is_ours(number)]:
            yield f"descriptors that aren't its own were closed: {_join_names(map(str, closed))}"
        yield from self._find_busy_threads()

    def _find_environment_changes(self) -> Iterator[str]:
        before, after = self._environment, dict(os.environ)
        if gone := [name for name in before if name not in after]:
            yield f"environment variables are gone: {_join_names(gone)}"
        if changed := [name for name in before if after.get(name, before[name]) != before[name]]:
            yield f"environment variables have other values: {_join_names(changed)}"

    def _find_busy_threads(self) -> Iterator[str]:
        """Threads that it left and that don't just wait: they would slow down whatever is played next."""
        new = find_left_over_threads(self._threads)
        if new and is_busy():
            yield f"threads that it left keep a processor busy: {_join_names(map(str, new))}"
        self._threads |= {left.thread for left in new}

    def _find_exhausted_resources(self, error: BaseException | None) -> Iterator[str]:
        causes = list(_walk_causes(error))
        if any(isinstance(cause, MemoryError) for cause in causes):
            allowed = f" of the {self._memory:,} bytes it may take" if self._memory else ""
            yield f"it left too little memory{allowed}"
        if (
            any(getattr(cause, "errno", None) in (errno.EMFILE, errno.ENFILE) for cause in causes)
            or _are_descriptors_exhausted()
        ):
            yield "it left too few descriptors to open a file"

    def _restore_state(self) -> None:
        """Give back what the kit needs to tell of it."""
        os.environ.update(self._environment)
        sys.setrecursionlimit(max(sys.getrecursionlimit(), self._state["the recursion limit is {}"]))
        vars(builtins).update(self._state["other built-in functions"])
        vars(sys).update(self._state["other or closed standard streams"])
        for home, names in _VITAL:
            for name in names:
                setattr(home, name, self._state["other functions of the standard library"][f"{home.__name__}.{name}"])
        for name, function in (("start", _START), ("join", _JOIN)):
            setattr(threading.Thread, name, function)


def limit_memory(allowed: int | None) -> None:
    """Let this process, from here on, take so many bytes at the most, where the system keeps account of them."""
    if allowed is None or not sys.platform.startswith("linux"):
        return
    # Of what is written to, not of what is merely reserved: libraries reserve plenty.
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    limit = allowed if most == resource.RLIM_INFINITY else min(allowed, most)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, most))


def _is_replaced(one: Any, other: Any) -> bool:
    """Tell whether it is another object, and another value too."""
    return one is not other and not (type(one) is type(other) and isinstance(one, str | tuple) and one == other)


def _identify_descriptor(descriptor: int) -> tuple[int, int] | None:
    try:
        found = os.fstat(descriptor)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _are_descriptors_exhausted() -> bool:
    """Tell whether too few are left, those not counted that only garbage holds."""
    if _has_spare_descriptors():
        return False
    gc.collect()
    return not _has_spare_descriptors()


def _has_spare_descriptors() -> bool:
    spare: list[int] = []
    try:
        while len(spare) < _SPARE_DESCRIPTORS:
            spare.append(os.dup(2))
    except OSError as error:
        return error.errno != errno.EMFILE
    finally:
        for descriptor in spare:
            os.close(descriptor)
    return True


def _walk_causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _join_names(names: Any) -> str:
    every = list(names)
    more = f" and {len(every) - _NAMES_SHOWN} more" if len(every) > _NAMES_SHOWN else ""
    return ", ".join(every[:_NAMES_SHOWN]) + more
