"""Subjects that go wrong where they are played: as the reference but for that."""

import os
import signal
import time
from pathlib import Path
from typing import Any

from react_tck.dialects import DIALECTS
from react_tck.model.base import JsonObject
from react_tck.model.lm import Completion
from react_tck.model.manifest import Manifest
from react_tck.subjects.catalogue import resolve

_ASKED: dict[str, JsonObject] = {"reasoning": {"type": "string"}, "answer": {"type": "string"}}
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


def breaking(text: str) -> JsonObject:
    """A parser that can't bear an answer in the third mark."""
    if text.count("]]") > 2:
        raise IndexError("list index out of range")
    return DIALECTS["chat"].parse_reply(Completion(content=text), _ASKED)


def breaking_and_lost_once(text: str) -> JsonObject:
    if "answer" in text and not Path("lost").exists():
        Path("lost").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return breaking(text)


def hanging_parser(text: str) -> JsonObject:
    if text.count("]]") > 2:
        time.sleep(1000)
    return breaking(text)


def lost_once() -> _Reference:
    return _LostOnce()


def hanging() -> _Reference:
    return _Hanging()
