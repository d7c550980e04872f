"""The scripted LM with those who complete a run by calling `submit`: how it says so, and when."""

import json

import pytest

from react_tck.dialects import render_reply
from react_tck.fakes.lm import LMFault
from react_tck.model.intent import Answer, Attempts, Calls, CallTool, Empty, Fault, Reply
from react_tck.model.lm import Ask, Completion, LMRequest, Message, ToolOffer
from tests.support.texts import Stage, request_for

ADD = CallTool(tool="add", args={"a": 2, "b": 3}, thought="add them")
SEARCH = CallTool(tool="search", args={"query": "sums"})
BOTH = Calls(calls=(ADD, SEARCH), thought="both")
ANSWER = Answer(outputs={"answer": "5"}, reasoning="2 and 3 is 5")

TEXT_FIELDS = ("next_thought", "tool_calls")
OFFERS = tuple(ToolOffer(name=name, parameters={"type": "object"}) for name in ("add", "submit"))


def in_text(user: str = "2+3?") -> LMRequest:
    return request_for(*TEXT_FIELDS, user=user)


def native(user: str = "2+3?", tool_choice: str | None = None) -> LMRequest:
    return LMRequest(messages=(Message(role="user", content=user),), tools=OFFERS, tool_choice=tool_choice)


@pytest.fixture(name="stage")
def _stage() -> Stage:
    return Stage()


def called(completion: Completion) -> list[tuple[str, object]]:
    """The calls of a reply, native or as text."""
    if completion.tool_calls:
        return [(call.name, json.loads(call.arguments)) for call in completion.tool_calls]
    said = json.loads(completion.content or "")
    return [(call["name"], call["args"]) for call in said["tool_calls"]["tool_calls"]]


# How it is said


def test_several_calls_do_not_fit_into_the_fields_of_one() -> None:
    fields = ("next_thought", "next_tool_name", "next_tool_args")
    said = json.loads(render_reply(BOTH, Ask(phase="step", dialect="json", fields=fields)).content or "")
    assert said == {"next_thought": "both"}


# When the answer is due


def test_a_retry_of_the_last_step_is_given_the_step_again(stage: Stage) -> None:
    lm = stage.lm(ADD, answers=(ANSWER,), dialects=("json",))
    lm.allow_steps(1)
    assert [called(lm.complete(in_text()))[0][0] for _ in range(2)] == ["add", "add"]


@pytest.mark.parametrize("earlier", [(), (Empty(),)], ids=["at once", "in the end"])
def test_a_turn_in_which_the_provider_failed_is_no_step(stage: Stage, earlier: tuple[Reply, ...]) -> None:
    unheard = Attempts(replies=(*earlier, Fault(fault="context-window")))
    lm = stage.lm(unheard, ADD.model_copy(update={"sticky": True}), answers=(ANSWER,), dialects=("json",))
    lm.allow_steps(1)
    for _ in earlier:
        lm.complete(in_text())
    with pytest.raises(LMFault):
        lm.complete(in_text())
    assert [called(lm.complete(in_text(user)))[0][0] for user in ("in short: 2+3?", "so far: 5")] == ["add", "submit"]
