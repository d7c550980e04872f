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


def test_a_turn_begins_with_the_users_query() -> None:
    state = _after()
    assert machine.machine_state(state) == "user_query"
    assert machine.make_user_fields("user_query", state, INPUTS) == {"machine_state": "user_query", "question": "2+3"}
    assert machine.list_exchanges(state, INPUTS) == []


def test_after_a_tool_its_result_is_asked_about() -> None:
    state = _after(ADD, FIVE)
    assert machine.machine_state(state) == "tool_result"
    assert machine.make_user_fields("tool_result", state, INPUTS) == {
        "machine_state": "tool_result",
        "tool_result": "5",
    }


def test_step_is_an_exchange_of_its_own() -> None:
    (exchange,) = machine.list_exchanges(_after(ADD, FIVE), INPUTS)
    assert exchange == {
        "machine_state": "user_query",
        "question": "2+3",
        "reasoning": "add them",
        "tool_name": "add",
        "tool_args": {"a": 2, "b": 3},
        "response": "adding",
    }


def test_exchange_has_no_reasoning_where_none_is_asked_for() -> None:
    state = _after(ADD, FIVE, loop.StepMalformed(reason=machine.MALFORMED))
    assert not any("reasoning" in pair for pair in machine.list_exchanges(state, INPUTS, reasoning=False))


def test_finish_leads_to_finish() -> None:
    state = _after(ADD, FIVE, FINISH)
    assert machine.machine_state(state) == "finish"
    assert machine.make_user_fields("finish", state, INPUTS)["tool_result"] == Policy().finished


def test_the_last_step_leads_to_interrupted_with_instructions() -> None:
    state = _after(ADD, FIVE, max_steps=1)
    assert machine.machine_state(state) == "interrupted"
    assert machine.make_user_fields("interrupted", state, INPUTS) == {
        "machine_state": "interrupted",
        "tool_result": "5",
        "interruption_instructions": machine.INTERRUPTION,
    }


def test_failed_tool_is_a_result() -> None:
    state = _after(ADD, loop.ToolFailed(reason="no connection"))
    assert machine.make_user_fields("tool_result", state, INPUTS)["tool_result"] == "Error executing add: no connection"


def test_unreadable_reply_leaves_a_whole_exchange() -> None:
    state = _after(loop.StepMalformed(reason=machine.MALFORMED))
    (exchange,) = machine.list_exchanges(state, INPUTS)
    assert [exchange[name] for name in ("reasoning", "tool_name", "response")] == [machine.UNREADABLE] * 3
    assert machine.MALFORMED in machine.make_user_fields("tool_result", state, INPUTS)["tool_result"]


def test_finishing_at_once_may_be_legal() -> None:
    assert machine.machine_state(_after(FINISH)) == "finish"


def test_finishing_at_once_may_be_illegal() -> None:
    policy = Policy(finish_from_first_state="illegal")
    state = _after(FINISH, policy=policy)
    assert machine.machine_state(state) == "tool_result"
    assert "only after a tool has run" in machine.make_user_fields("tool_result", state, INPUTS)["tool_result"]
    assert machine.machine_state(_after(FINISH, FINISH, policy=policy)) == "finish"


def test_illegal_finish_as_the_only_step_is_interrupted() -> None:
    policy = Policy(finish_from_first_state="illegal")
    assert machine.machine_state(_after(FINISH, max_steps=1, policy=policy)) == "interrupted"


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
