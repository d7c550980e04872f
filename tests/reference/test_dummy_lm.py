"""dspy's own LM for tests works with each class of the reference, under every adapter."""

from itertools import product
from typing import Any

import pytest

pytest.importorskip("dspy")

import dspy
from dspy.utils.dummies import DummyLM

from react_tck.reference import ConversationReAct, ReAct, TranscriptReAct, UdspyReAct
from tests.support.dspy_stage import add

THOUGHT = {"next_thought": "add them"}
CALL = {**THOUGHT, "next_tool_name": "add", "next_tool_args": {"a": 2, "b": 3}}
FINISH = {**THOUGHT, "next_tool_name": "finish", "next_tool_args": {}}
ANSWER = {"reasoning": "I know", "answer": "5"}


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
