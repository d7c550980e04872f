"""The loop on its own: a pure function from state and event to the next state, told by the driver what happened."""

from itertools import product
from typing import Any, Literal

import pytest
from pydantic import ValidationError

from react_tck.model.base import JsonObject
from react_tck.reference.loop import (
    FINISH,
    Answered,
    ArgsMalformed,
    ArgsMismatched,
    AskExtraction,
    AskStep,
    Call,
    End,
    Event,
    FinalAnswer,
    OutOfTurn,
    Policy,
    Request,
    RunTool,
    State,
    Step,
    StepChosen,
    StepMalformed,
    ToolFailed,
    ToolReturned,
    advance,
    start,
)

Variant = Literal["observe", "extract", "error"]

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


def _with(choice: str, variant: Variant) -> State:
    return start(TOOLS, 5, policy=Policy.model_validate({choice: variant}))


def _after(*events: Event, state: State | None = None) -> State:
    state = state or _start()
    for event in events:
        state = advance(state, event)
    return state


# Transitions


def test_episode_begins_by_asking_for_a_step() -> None:
    state = start(TOOLS, 5, {"question": "2+3"})
    asked = (Request(inputs={"question": "2+3"}),)
    assert state == State(tools=TOOLS, max_steps=5, history=asked, taken=asked, action=AskStep())


def test_episode_without_steps_begins_with_the_extraction() -> None:
    assert start(TOOLS, 0).action == AskExtraction()


def test_chosen_tool_is_to_be_run_with_its_args() -> None:
    state = _after(ADD)
    assert state.action == RunTool(call=Call(id="call_0_0", name="add", args={"a": 2}))
    assert state.steps == ()


def test_result_completes_the_step_and_the_next_is_asked_for() -> None:
    state = _after(ADD, ToolReturned(observation=5))
    assert state.action == AskStep()
    assert state.steps == (Step(thought="add them", tool="add", args={"a": 2}, observation=5),)


def test_steps_follow_each_other_in_order() -> None:
    state = _after(ADD, ToolReturned(observation=1), ADD, ToolReturned(observation=2))
    assert [step.observation for step in state.steps] == [1, 2]


def test_finish_leads_to_the_extraction_and_is_on_record() -> None:
    state = _after(DONE)
    assert state.action == AskExtraction()
    assert state.steps == (Step(thought="that's it", tool="finish", args={}, observation="Completed."),)


def test_finish_needs_no_tool_of_that_name_and_wins_over_one() -> None:
    assert _after(DONE, state=start((), 5)).action == AskExtraction()
    assert _after(DONE, state=start((FINISH,), 5)).action == AskExtraction()


def test_last_step_leads_to_the_extraction() -> None:
    state = _after(ADD, ToolReturned(observation=5), state=_start(max_steps=1))
    assert state.action == AskExtraction()
    assert len(state.steps) == 1


def test_extraction_ends_the_episode() -> None:
    state = _after(DONE, ANSWERED)
    assert state.action == End()
    assert state.history[-1] == FinalAnswer(outputs={"answer": "5"})
    assert len(state.steps) == 1


def test_failed_tool_is_observed_by_name_and_the_episode_goes_on() -> None:
    state = _after(ADD, ToolFailed(reason="too large"))
    assert state.action == AskStep()
    assert state.steps[0].observation == "Error executing add: too large"


def test_unknown_tool_is_observed_with_the_tools_there_are() -> None:
    state = _after(UNKNOWN)
    assert state.action == AskStep()
    reason = "Error: There is no tool 'divide'. The tools are: add, search, finish."
    assert state.steps == (Step(thought="divide them", tool="divide", args={"a": 2}, observation=reason),)


def test_malformed_reply_is_observed_as_an_empty_step() -> None:
    state = _after(GARBLED)
    assert state.action == AskStep()
    reason = "Error: no field 'next_tool_name'"
    assert state.steps == (Step(thought="", tool="", args={}, observation=reason),)


def test_malformed_args_are_observed_as_a_step_without_args() -> None:
    state = _after(NO_ARGS)
    assert state.action == AskStep()
    assert state.steps == (Step(thought="add them", tool="add", args={}, observation="Error: not valid JSON"),)


def test_args_that_do_not_fit_are_observed_as_they_are() -> None:
    state = _after(ADD, ArgsMismatched(reason="b is missing"))
    assert state.action == AskStep()
    assert (state.steps[0].args, state.steps[0].observation) == ({"a": 2}, "Error executing add: b is missing")


@pytest.mark.parametrize("events", [(UNKNOWN,), (GARBLED,), (NO_ARGS,), (ADD, ToolFailed(reason="no"))])
def test_step_that_went_wrong_counts_as_a_step(events: tuple[Event, ...]) -> None:
    assert _after(*events, state=_start(max_steps=1)).action == AskExtraction()


# Policies

WENT_WRONG: dict[str, tuple[Event, ...]] = {
    "unknown_tool": (UNKNOWN,),
    "malformed_args": (NO_ARGS,),
    "schema_mismatch": (ADD, ArgsMismatched(reason="b is missing")),
    "malformed_reply": (GARBLED,),
    "tool_error": (ADD, ToolFailed(reason="too large")),
}
REASONS = {
    "unknown_tool": "There is no tool 'divide'. The tools are: add, search, finish.",
    "malformed_args": "not valid JSON",
    "schema_mismatch": "b is missing",
    "malformed_reply": "no field 'next_tool_name'",
    "tool_error": "too large",
}
VARIANTS = [*product(WENT_WRONG, ("observe", "error")), *product(list(WENT_WRONG)[:-1], ("extract",))]


@pytest.mark.parametrize(("choice", "variant"), VARIANTS)
def test_policy_says_how_the_episode_goes_on_after_something_went_wrong(choice: str, variant: Variant) -> None:
    state = _after(*WENT_WRONG[choice], state=_with(choice, variant))
    expected = {"observe": AskStep(), "extract": AskExtraction(), "error": End(error=REASONS[choice])}
    assert state.action == expected[variant]
    assert REASONS[choice] in str(state.steps[-1].observation)


@pytest.mark.parametrize(("choice", "variant"), VARIANTS)
def test_policy_for_one_mishap_says_nothing_about_another(choice: str, variant: Variant) -> None:
    for other, events in WENT_WRONG.items():
        if other != choice:
            assert _after(*events, state=_with(choice, variant)).action == AskStep()


def test_extracting_after_a_tool_error_is_no_policy() -> None:
    with pytest.raises(ValidationError, match="tool_error"):
        Policy.model_validate({"tool_error": "extract"})


def test_finish_may_be_left_out_of_the_record() -> None:
    state = _after(ADD, ToolReturned(observation=5), DONE, state=_start(finish_recorded=False))
    assert state.action == AskExtraction()
    assert [step.tool for step in state.steps] == ["add"]


def test_finish_that_is_not_recorded_leaves_what_was_called_beside_it() -> None:
    both = StepChosen(thought="last one", calls=(*ADD.calls, *DONE.calls))
    state = _after(both, ToolReturned(observation=5), state=_start(finish_recorded=False))
    assert state.action == AskExtraction()
    assert state.steps == (Step(thought="last one", tool="add", args={"a": 2}, observation=5),)


def test_finish_ends_the_run_when_all_calls_of_its_turn_have_run() -> None:
    state = _after(StepChosen(thought="", calls=(*DONE.calls, *ADD.calls)))
    assert isinstance(state.action, RunTool)
    assert _after(ToolReturned(observation=5), state=state).action == AskExtraction()


def test_finish_at_once_may_be_illegal_whatever_the_system() -> None:
    state = _after(DONE, state=_start(finish_from_first_state="illegal"))
    assert state.action == AskStep()
    assert "only after a tool has run" in str(state.steps[0].observation)


def test_default_policy_observes_everything_and_records_finish() -> None:
    assert Policy() == Policy(
        unknown_tool="observe",
        malformed_reply="observe",
        tool_error="observe",
        extraction="chain-of-thought",
        finish_recorded=True,
    )


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
