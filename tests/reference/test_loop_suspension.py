"""The loop where a call waits for a person, and where a prompt doesn't fit."""

import pytest

from react_tck.reference.loop import (
    SHORTENINGS,
    Approved,
    AskExtraction,
    AskStep,
    AwaitResponse,
    Call,
    Declined,
    DoesNotFit,
    Event,
    OutOfTurn,
    RunTool,
    State,
    StepChosen,
    ToolReturned,
    advance,
    start,
)

DELETE = StepChosen(thought="tidy", calls=(Call(name="delete", args={"path": "a"}),))
SEARCH = StepChosen(thought="look", calls=(Call(name="search", args={"query": "a"}),))
FOUND: tuple[Event, ...] = (SEARCH, ToolReturned(observation="found"))


def after(*events: Event, max_steps: int = 9) -> State:
    state = start(("delete", "search"), max_steps, awaited=("delete",))
    for event in events:
        state = advance(state, event)
    return state


def test_a_tool_that_needs_it_waits_and_the_state_survives_json() -> None:
    state = after(SEARCH, ToolReturned(observation="found"), DELETE)
    assert state.action == AwaitResponse(call=Call(id="call_1_0", name="delete", args={"path": "a"}))
    assert State.model_validate_json(state.model_dump_json()) == state


def test_an_approved_call_runs_as_it_was_approved() -> None:
    state = after(DELETE, Approved(tool="search", args={"query": "b"}))
    assert state.action == RunTool(call=Call(id="call_0_0", name="search", args={"query": "b"}))


def test_a_declined_call_is_a_step_with_what_the_agent_is_told() -> None:
    state = after(DELETE, Declined(observation="no"))
    assert state.action == AskStep()
    assert [(step.tool, step.observation) for step in state.steps] == [("delete", "no")]


def test_a_declined_call_counts_as_a_step() -> None:
    assert after(DELETE, Declined(observation="no"), max_steps=1).action == AskExtraction()


def test_nothing_else_answers_a_call_that_waits() -> None:
    with pytest.raises(OutOfTurn):
        advance(after(DELETE), ToolReturned(observation="done"))


def test_a_prompt_loses_its_oldest_steps_up_to_the_limit() -> None:
    state = after(*FOUND * 5)
    for count in range(1, SHORTENINGS + 1):
        state = advance(state, DoesNotFit())
        assert state.shown_steps == state.steps[count:]
    assert len(state.steps) == 5
    with pytest.raises(OutOfTurn):
        advance(state, DoesNotFit())


def test_the_newest_step_stays() -> None:
    assert not after(SEARCH, ToolReturned(observation="found")).can_be_shortened


def test_what_was_left_out_stays_out_and_the_next_prompt_may_be_shortened_again() -> None:
    state = after(*FOUND * 3)
    state = advance(advance(state, DoesNotFit()), SEARCH)
    assert (state.left_out, state.shortenings) == (1, 0)
