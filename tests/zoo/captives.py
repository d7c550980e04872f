"""Subjects that never come back, with a family of processes, some of which leave the session that they are born in."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from react_tck.model.case import Invocation, Options
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Outcome
from react_tck.model.signature import Signature
from react_tck.subjects.api import Endpoints, Subject
from react_tck.subjects.python import BuiltSubject

#: Names the file that tells the test when the family is there; whoever has it in the environment is of the family.
READY = "ZOO_READY"
_MANIFEST = Manifest(
    name="captive",
    version="1",
    dialects=("chat",),
    default_dialect="chat",
    capabilities=("arrow-signature", "extraction"),
    default_max_steps=3,
)
_SLEEPS = "import time; time.sleep(600)"


def asleep() -> Subject:
    """Sleeps."""
    return _captive(lambda: time.sleep(600))


def starting() -> Subject:
    """Doesn't even say who it is."""
    Path(os.environ[READY]).touch()
    time.sleep(600)
    return asleep()


def stubborn() -> Subject:
    """Sleeps on, whatever is raised in it."""
    return _captive(_sleep_on)


def running() -> Subject:
    """Never lets an exception or a signal in: it waits for a lock in a thread of its own, and nobody has the key."""
    return _captive(_run)


def _sleep_on() -> None:
    while True:
        try:
            time.sleep(600)
        except BaseException:
            continue


def _run() -> None:
    # One long instruction: the interpreter can't run a handler before it is over.
    sum(range(10**12))


class _Captive:
    def __init__(self, stay: Callable[[], None]) -> None:
        self._stay = stay

    def call(self, _: Invocation) -> Outcome:
        self._stay()
        return Outcome(status="ok", outputs={})


def _captive(stay: Callable[[], None]) -> Subject:
    def build(_: Signature, __: Options, ___: Endpoints) -> _Captive:
        ready = Path(os.environ[READY])
        if not ready.exists():
            for leaves in (True, False):
                subprocess.Popen([sys.executable, "-S", "-c", _SLEEPS], start_new_session=leaves)
            ready.touch()
        return _Captive(stay)

    return BuiltSubject(_MANIFEST, build)
