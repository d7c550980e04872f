"""Factories that give no subject, or one that misbehaves."""

import gc
import importlib
import os
import threading
import time
from contextlib import suppress

import react_tck
from react_tck.fakes.lm import LMRefusal
from react_tck.model.case import Options
from react_tck.model.lm import LMRequest, Message
from react_tck.model.outcome import Outcome
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool
from react_tck.subjects.api import Endpoints, Instance, Subject
from react_tck.subjects.libraries.reference import react as reference
from tests.zoo.in_process import Misbehaving


def raises() -> object:
    raise ValueError("no licence found")


def tells_when_garbage_is_looked_for() -> object:
    raise ValueError(f"after {gc.get_threshold()[0]} objects")


def returns_a_number() -> object:
    return 7


def swallower() -> Subject:
    """The reference, but that it asks the LM for nothing known first, and swallows the refusal."""
    return _Swallower(reference.subject())


class _Swallower:
    def __init__(self, inner: Subject) -> None:
        self._inner = inner
        self.initialize = inner.initialize

    def construct(
        self, signature: Signature, tools: tuple[Tool, ...], options: Options, endpoints: Endpoints
    ) -> Instance:
        with suppress(LMRefusal):
            endpoints.lm(LMRequest(messages=(Message(role="user", content="How are you?"),)))
        return self._inner.construct(signature, tools, options, endpoints)


@react_tck.subject("refuser", version="0", dialects=["chat"], default_max_steps=10)
class Refuser:
    """It has no extraction, and takes no call."""

    def build(self, *_: object) -> None:
        """Nothing to build."""

    def call(self, _: dict[str, object]) -> react_tck.Done:
        raise ValueError("not today")


def leaves_a_thread() -> Subject:
    """The reference, and a thread that Python would wait for, for ever."""
    threading.Thread(target=threading.Event().wait).start()
    return reference.subject()


def leaves_threads_when_imported() -> Subject:
    """The reference, in a module that begins a thread as it is imported."""
    importlib.import_module("tests.support.leaves_a_thread")
    return reference.subject()


def leaves_a_daemon_when_built() -> Subject:
    """The reference, and a thread that Python wouldn't wait for."""
    threading.Thread(target=threading.Event().wait, daemon=True).start()
    return reference.subject()


def leaves_a_thread_that_ends() -> Subject:
    """The reference, and a thread that is over before long."""
    threading.Thread(target=time.sleep, args=(0.2,)).start()
    return reference.subject()


def leaves_a_thread_behind_each_call() -> Subject:
    """The reference, that each time leaves a thread that Python would wait for."""

    def wait_for_more() -> None:
        threading.Event().wait()

    def leave(_: Outcome) -> None:
        threading.Thread(target=wait_for_more).start()

    return Misbehaving(reference.subject(), {"": leave})


def ends_the_process() -> object:
    os._exit(0)
