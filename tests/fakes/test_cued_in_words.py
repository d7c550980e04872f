"""Calls are written in words to who asks for a step in words and offers no tools: as its own agent can read them."""

import pytest

from react_tck.adapter.lm import LMRefusal
from react_tck.fakes.cued_lm import CuedLM
from react_tck.fakes.journal import Journal
from react_tck.model.cue import Cue
from react_tck.model.lm import LMRequest, Message, ToolOffer

FORM = """Answer the question. You have a tool, add.

Thought: what to do
Action: the tool
Action Input: its input
Observation: its result
Thought: I know
Final Answer: the answer"""
ADD = {"tool": "add", "args": {"a": 2}}


def asking(system: str = FORM, *tools: ToolOffer) -> LMRequest:
    messages = (Message(role="system", content=system), Message(role="user", content="2+3?"))
    return LMRequest(messages=messages, tools=tools)


def lm(*cues: dict[str, object]) -> CuedLM:
    return CuedLM(Journal(), [Cue.model_validate(cue) for cue in cues])


def test_a_call_is_an_action() -> None:
    said = lm({"calls": [ADD]}).complete(asking())
    assert said.tool_calls == ()
    assert said.content is not None
    assert said.content.splitlines()[-2:] == ["Action: add", 'Action Input: {"a": 2}']


def test_garbled_args_are_its_input() -> None:
    said = lm({"garbles": {"tool": "add", "args": '{"a": 2'}}).complete(asking())
    assert (said.content or "").splitlines()[-2:] == ["Action: add", 'Action Input: {"a": 2']


def test_an_answer_is_the_final_one() -> None:
    said = lm({"answers": {"answer": "5"}}).complete(asking())
    assert (said.content or "").splitlines()[-1] == "Final Answer: 5"


def test_several_calls_are_more_than_an_action_can_say() -> None:
    with pytest.raises(LMRefusal, match="the request asks for one call, in react-text, and the reply makes 2"):
        lm({"calls": [ADD, ADD]}).complete(asking())
