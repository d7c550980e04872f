"""The conversation's state machine: which state asks, with what, and that every step becomes a pair of messages."""

from hypothesis import given
from hypothesis import strategies as st

from react_tck.reference import loop
from react_tck.reference.loop import Policy
from react_tck.reference.loop.views import conversation as machine

INPUTS = {"question": "2+3"}
ADD = loop.StepChosen(thought="add them", calls=(loop.Call(name="add", args={"a": 2, "b": 3}),), response="adding")
FINISH = loop.StepChosen(thought="done", calls=(loop.Call(name="finish", args={}),), response="that's it")
FIVE = loop.ToolReturned(observation=5)
#: S0; from `user_query` to `finish` it is a choice.
LEGAL = {
    "user_query": {"tool_result", "finish"},
    "tool_result": {"tool_result", "interrupted", "finish"},
}


def _after(*events: loop.Event, max_steps: int = 5, policy: Policy | None = None) -> loop.State:
    state = loop.start(("add",), max_steps, policy=policy or Policy())
    for event in events:
        state = loop.advance(state, event)
    return state


def test_state_survives_json() -> None:
    state = _after(ADD, FIVE)
    again = loop.State.model_validate_json(state.model_dump_json())
    assert machine.list_exchanges(again, INPUTS) == machine.list_exchanges(state, INPUTS)


CHOSEN = st.sampled_from(
    [ADD, FINISH, loop.StepChosen(thought="?", calls=(loop.Call(name="fly", args={}),)), loop.StepMalformed(reason="x")]
)
CAME = st.sampled_from([FIVE, loop.ToolFailed(reason="no")])


@given(chosen=st.lists(CHOSEN, min_size=1), came=st.lists(CAME, min_size=1), max_steps=st.integers(1, 4))
def test_only_legal_transitions_occur_and_nothing_said_changes(
    chosen: list[loop.Event], came: list[loop.Event], max_steps: int
) -> None:
    state = loop.start(("add",), max_steps)
    said: list[machine.Exchange] = []
    before = "user_query"
    for number in range(2 * max_steps):
        events = came if isinstance(state.action, loop.RunTool) else chosen
        state = loop.advance(state, events[number % len(events)])
        if isinstance(state.action, loop.RunTool):
            continue
        now, exchanges = machine.machine_state(state), machine.list_exchanges(state, INPUTS)
        assert now in LEGAL[before] or (before == "user_query" and now == "interrupted" and state.steps)
        assert exchanges[: len(said)] == said
        assert len(exchanges) == len(said) + 1
        before, said = now, exchanges
        if isinstance(state.action, loop.AskExtraction):
            return
    raise AssertionError("the machine doesn't end")
