"""What each field of a policy that is about reading lets pass, or doesn't; and what a step or an answer costs by it."""

import json
from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest

pytest.importorskip("dspy")

import dspy
from dspy import lm15
from dspy.utils.dummies import DummyLM
from dspy.utils.exceptions import AdapterParseError

from react_tck.reference import ConversationReAct, ReAct, TranscriptReAct, UdspyReAct
from react_tck.reference.adapters.strict_reading import make_strict
from react_tck.reference.loop import STRICT
from tests.support.dspy_stage import add

THOUGHT = {"next_thought": "add them"}
CALL = {**THOUGHT, "next_tool_name": "add", "next_tool_args": {"a": 2, "b": 3}}
FINISH = {**THOUGHT, "next_tool_name": "finish", "next_tool_args": {}}
ANSWER = {"reasoning": "I know", "answer": "5"}
ANSWERS = dspy.Signature("question -> reasoning, answer")
Say = str | tuple[str, str] | Exception


class Talker:
    """An engine that says one thing after the other, each with the reason why it ends."""

    supports_function_calling = False

    def __init__(self, said: Iterable[Say]) -> None:
        self._said = iter(said)
        self.requests: list[Any] = []

    def complete(self, request: Any, **_: Any) -> Any:
        self.requests.append(request)
        said = next(self._said)
        if isinstance(said, Exception):
            raise said
        text, reason = said if isinstance(said, tuple) else (said, "stop")
        message = lm15.Message(role="assistant", parts=(lm15.TextPart(text=text),))
        return lm15.Response(id="1", model=request.model, message=message, finish_reason=reason, usage=lm15.Usage())


def fields(said: dict[str, Any], *, marker: bool = False) -> str:
    parts = [f"[[ ## {n} ## ]]\n{v if isinstance(v, str) else json.dumps(v)}" for n, v in said.items()]
    return "\n\n".join([*parts, *(["[[ ## completed ## ]]"] if marker else [])])


def asked(agent: Any, *said: Say) -> tuple[Any, int]:
    """What came of a call, and how often the LM was asked."""
    engine = Talker(said)
    with dspy.context(lm=dspy.LM("test", engine=engine, cache=False, num_retries=0)):
        made = agent(question="2+3?")
    return made, len(engine.requests)


# A reply is whole when it is demonstrably whole.


def test_an_lm_that_never_writes_the_marker_costs_as_much_as_with_the_original() -> None:
    said = (fields(CALL), fields(FINISH), fields(ANSWER))
    costs = [asked(react("question -> answer", [add]), *said)[1] for react in (dspy.ReAct, ReAct)]
    assert costs == [3, 3]


# How args and names are written.


# What stands twice.


# What follows then.


# Whatever adapter carries it.


def test_an_adapter_that_does_not_say_how_it_reads_is_read_as_its_base() -> None:
    class Mine(dspy.ChatAdapter):  # type: ignore[misc]  # dspy has no types
        """Writes otherwise."""

        def format_system_message(self, signature: Any) -> str:
            return "Hello.\n" + str(super().format_system_message(signature))

    with pytest.raises(AdapterParseError, match="doesn't end with"):
        make_strict(Mine(), STRICT).parse(ANSWERS, fields(ANSWER))


def test_dummy_lm_works_with_every_adapter(subtests: pytest.Subtests) -> None:
    cases_0: list[Any] = [dspy.ChatAdapter, dspy.JSONAdapter, dspy.XMLAdapter]
    cases_1: list[Any] = [ReAct, UdspyReAct]
    for adapter, react in product(cases_0, cases_1):
        with subtests.test(adapter=adapter, react=react):
            lm = DummyLM([CALL, FINISH, ANSWER], adapter=adapter())
            with dspy.context(lm=lm, adapter=adapter()):
                made = react("question -> answer", [add])(question="2+3?")
            assert (made.answer, made.trajectory["observation_0"] in (5, "5"), len(lm.history)) == ("5", True, 3)


def test_dummy_lm_works_with_a_transcript(subtests: pytest.Subtests) -> None:
    cases: list[Any] = [dspy.ChatAdapter, dspy.JSONAdapter, dspy.XMLAdapter]
    for adapter in cases:
        with subtests.test(adapter=adapter):
            turns = [[{"name": "add", "args": {"a": 2, "b": 3}}], [{"name": "submit", "args": {"answer": "5"}}]]
            lm = DummyLM([{**THOUGHT, "tool_calls": calls} for calls in turns], adapter=adapter())
            with dspy.context(lm=lm, adapter=adapter()):
                made = TranscriptReAct("question -> answer", [add])(question="2+3?")
            (result,) = made.history.messages[0]["tool_calls"].tool_call_results.tool_call_results
            assert (made.answer, result.value, len(lm.history)) == ("5", 5, 2)


def test_dummy_lm_works_with_a_conversation() -> None:
    def step(tool: str, args: Any) -> dict[str, Any]:
        return {"reasoning": "I see", "tool_name": tool, "tool_args": args, "response": "One moment."}

    lm = DummyLM([step("add", {"a": 2, "b": 3}), step("finish", {}), ANSWER])
    with dspy.context(lm=lm):
        made = ConversationReAct("question -> answer", [add])(question="2+3?")
    assert (made.answer, made.trajectory["observation_0"], len(lm.history)) == ("5", 5, 3)
