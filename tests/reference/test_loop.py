"""The loop on its own: a pure function from state and event to the next state, told by the driver what happened."""

from typing import Any

import pytest
from pydantic import ValidationError

from react_tck.model.base import JsonObject
from react_tck.reference.loop import (
    FINISH,
    Answered,
    ArgsMalformed,
    ArgsMismatched,
    AskStep,
    Call,
    Event,
    OutOfTurn,
    Policy,
    State,
    StepChosen,
    StepMalformed,
    ToolFailed,
    ToolReturned,
    advance,
    start,
)

TOOLS = ("add", "search")


def chosen(thought: str, tool: str, args: JsonObject) -> StepChosen:
    return StepChosen(thought=thought, calls=(Call(name=tool, args=args),))


ADD = chosen("add them", "add", {"a": 2})
DONE = chosen("that's it", FINISH, {})
UNKNOWN = chosen("divide them", "divide", {"a": 2})
ANSWERED = Answered(outputs={"answer": "5"})
GARBLED = StepMalformed(reason="no field 'next_tool_name'")
NO_ARGS = ArgsMalformed(thought="add them", tool="add", reason="not valid JSON")


def _start(max_steps: int = 5, **policy: Any) -> State:
    return start(TOOLS, max_steps, policy=Policy(**policy))


def _after(*events: Event, state: State | None = None) -> State:
    state = state or _start()
    for event in events:
        state = advance(state, event)
    return state


# Transitions


# Policies


def test_extracting_after_a_tool_error_is_no_policy() -> None:
    with pytest.raises(ValidationError, match="tool_error"):
        Policy.model_validate({"tool_error": "extract"})


def test_finish_at_once_may_be_illegal_whatever_the_system() -> None:
    state = _after(DONE, state=_start(finish_from_first_state="illegal"))
    assert state.action == AskStep()
    assert "only after a tool has run" in str(state.steps[0].observation)


# Turns

STATES = {
    "AskStep": _start(),
    "RunTool": _after(ADD),
    "AskExtraction": _after(DONE),
    "End": _after(DONE, ANSWERED),
}
EVENTS: tuple[Event, ...] = (
    ADD,
    DONE,
    UNKNOWN,
    GARBLED,
    NO_ARGS,
    ToolReturned(observation=1),
    ArgsMismatched(reason="no"),
    ToolFailed(reason="no"),
    ANSWERED,
)
ANSWERS = {
    "AskStep": (StepChosen, ArgsMalformed, StepMalformed),
    "RunTool": (ToolReturned, ArgsMismatched, ToolFailed),
    "AskExtraction": (Answered,),
    "End": (),
}


@pytest.mark.parametrize("action", STATES)
@pytest.mark.parametrize("event", EVENTS, ids=lambda event: str(event))
def test_only_the_event_that_answers_the_action_is_taken(action: str, event: Event) -> None:
    if isinstance(event, ANSWERS[action]):
        assert advance(STATES[action], event) != STATES[action]
        return
    with pytest.raises(OutOfTurn, match=f"^{type(event).__name__} does not answer {action}$"):
        advance(STATES[action], event)


def test_advancing_leaves_the_earlier_state_alone() -> None:
    before = _after(ADD)
    kept = before.model_copy(deep=True)
    advance(before, ToolReturned(observation=5))
    assert before == kept
