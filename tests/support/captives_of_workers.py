"""Subjects that go wrong where they are played: as the reference but for that."""

import os
import signal
import time
from pathlib import Path
from typing import Any

from react_tck.model.manifest import Manifest
from react_tck.subjects.catalogue import resolve

#: Instances before it goes wrong.
_WELL = 3


class _Reference:
    """The reference, counting its instances."""

    def __init__(self) -> None:
        self._inner = resolve("reference")
        self._instances = 0

    def initialize(self) -> Manifest:
        return self._inner.initialize()

    def construct(self, *said: Any, **more: Any) -> Any:
        self._instances += 1
        if self._instances > _WELL:
            self.go_wrong()
        return self._inner.construct(*said, **more)

    def go_wrong(self) -> None:
        raise NotImplementedError


class _LostOnce(_Reference):
    def go_wrong(self) -> None:
        """Kill the process, the first time that it is one in this folder."""
        if not Path("lost").exists():
            Path("lost").touch()
            os.kill(os.getpid(), signal.SIGKILL)


class _Hanging(_Reference):
    def go_wrong(self) -> None:
        time.sleep(1000)


def lost_once() -> _Reference:
    return _LostOnce()


def hanging() -> _Reference:
    return _Hanging()
