"""What holds of any episode of the loop, whatever its events: it travels as JSON, ends, and keeps its steps."""

from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from react_tck.reference.loop import (
    FINISH,
    Answered,
    AskExtraction,
    AskStep,
    Call,
    End,
    Event,
    Policy,
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

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
CALLS = st.builds(
    Call,
    name=st.sampled_from(["add", "search", "divide", FINISH]),
    args=st.dictionaries(st.text(), JSON, max_size=2),
)
REPLIES = st.builds(StepChosen, thought=st.text(), calls=st.tuples(CALLS)) | st.builds(StepMalformed, reason=st.text())
RUNS = st.builds(ToolReturned, observation=JSON) | st.builds(ToolFailed, reason=st.text())
ANSWERS = st.just(Answered(outputs={"answer": "5"}))
POLICIES = st.builds(
    Policy,
    unknown_tool=st.sampled_from(["observe", "extract", "error"]),
    malformed_reply=st.sampled_from(["observe", "extract", "error"]),
    tool_error=st.sampled_from(["observe", "error"]),
    finish_recorded=st.booleans(),
)


def _episode(data: st.DataObject) -> Iterator[tuple[State, Event | None]]:
    """The states of an episode, each with the event that answers it; the last with none."""
    state = start(("add", "search"), data.draw(st.integers(0, 4)), policy=data.draw(POLICIES))
    while not isinstance(state.action, End):
        strategies: Any = {AskStep: REPLIES, RunTool: RUNS, AskExtraction: ANSWERS}
        event = data.draw(strategies[type(state.action)])
        yield state, event
        state = advance(state, event)
    yield state, None


@given(data=st.data())
def test_state_that_went_through_json_continues_identically_at_every_point(data: st.DataObject) -> None:
    for state, event in _episode(data):
        travelled = State.model_validate_json(state.model_dump_json())
        assert travelled == state
        if event:
            assert advance(travelled, event) == advance(state, event)


@given(data=st.data())
def test_every_episode_ends_within_its_steps_with_complete_ones(data: st.DataObject) -> None:
    episode = list(_episode(data))
    last, _ = episode[-1]
    finished = sum(step.tool == FINISH for step in last.steps)
    assert len(last.steps) <= last.max_steps
    assert finished <= 1
    extractions = [state for state, _ in episode if isinstance(state.action, AskExtraction)]
    assert isinstance(last.action, End)
    assert len(extractions) == (1 if last.action.error is None else 0)


@given(data=st.data())
def test_steps_are_only_ever_added(data: st.DataObject) -> None:
    earlier: tuple[Step, ...] = ()
    for state, _ in _episode(data):
        assert state.steps[: len(earlier)] == earlier
        assert len(state.steps) - len(earlier) in (0, 1)
        earlier = state.steps
