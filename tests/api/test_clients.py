"""Clients of OpenAI's SDK that the kit hands out: a busy machine is no LM that says nothing (ERR-012, SAN-006)."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

import react_tck
from react_tck.adapter.lm import LMFault
from react_tck.model.case import Invocation, Options
from react_tck.model.lm import Completion, LMRequest
from react_tck.model.outcome import Outcome
from react_tck.model.signature import parse_arrow
from react_tck.subjects.adapted import ClassSubject, subject_of
from react_tck.subjects.api import Endpoints

#: Seconds: more than an LM's silence takes.
_STALL = 2.2


@react_tck.subject("asks-once", version="1", dialects=["native"])
class AsksOnce:
    """It asks by one of the clients, and says what it was told."""

    def build(self, task: react_tck.Task, tools: react_tck.Tools, lm: react_tck.LM) -> None:
        """Keep the LM."""
        self.lm = lm

    def call(self, inputs: dict[str, Any]) -> react_tck.Done:
        """Ask."""
        asked: dict[str, Any] = {"model": self.lm.model, "messages": [{"role": "user", "content": "2+3?"}]}
        if inputs["question"] == "async":
            return react_tck.Done({"answer": asyncio.run(self.asked(asked))})
        return react_tck.Done({"answer": self.lm.client().chat.completions.create(**asked).choices[0].message.content})

    async def asked(self, asked: dict[str, Any]) -> Any:
        """Ask in a loop."""
        async with self.lm.async_client() as client:
            return (await client.chat.completions.create(**asked)).choices[0].message.content


def stalled(_: LMRequest) -> Completion:
    """The reply of a server that didn't get a processor for a while."""
    time.sleep(_STALL)
    return Completion(content="5")


def silent(_: LMRequest) -> Completion:
    """None, as scripts have it."""
    raise LMFault("timeout")


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_an_answer_that_is_slow_in_coming_is_waited_for(mode: str) -> None:
    assert outcome(stalled, mode).outputs == {"answer": "5"}


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_an_lm_that_says_nothing_is_a_timeout(mode: str) -> None:
    error = outcome(silent, mode).error
    assert error is not None
    assert error.type == "APITimeoutError"


def outcome(lm: Callable[[LMRequest], Completion], mode: str) -> Outcome:
    """What the class makes of a call."""
    subject = ClassSubject(AsksOnce, subject_of(AsksOnce).initialize())
    try:
        built = subject.construct(parse_arrow("question -> answer"), (), Options(), Endpoints(lm=lm, tools=()))
        return built.call(Invocation(inputs={"question": mode}))
    finally:
        subject.close()
