"""Factories that give no subject, or one that misbehaves."""

import os
from contextlib import suppress

from react_tck.fakes.lm import LMRefusal
from react_tck.model.case import Options
from react_tck.model.lm import LMRequest, Message
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool
from react_tck.subjects.api import Endpoints, Instance, Subject
from react_tck.subjects.libraries.reference import react as reference


def raises() -> object:
    raise ValueError("no licence found")


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


def ends_the_process() -> object:
    os._exit(0)
