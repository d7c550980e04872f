"""The transcript loop by itself: no dspy, no LM, no tools; every state goes through JSON on its way."""

from typing import Any

import pytest

from react_tck.model.base import JsonObject
from react_tck.reference import loop
from react_tck.reference.loop import (
    Approved,
    AssistantTurn,
    AwaitResponse,
    Call,
    Declined,
    Entry,
    FinalAnswer,
    Observation,
    OutOfTurn,
    Remark,
    Request,
    Summary,
)
from react_tck.reference.loop.loop import TOO_LATE
from react_tck.reference.loop.views.transcript import load_entries

ADD = Call(name="add", args={"a": 2, "b": 3})
FIVE = loop.Committed(outputs={"answer": "5"})


def submit(**outputs: str) -> loop.StepChosen:
    return chosen(Call(name=loop.SUBMIT, args=dict(outputs)))


def chosen(*calls: Call) -> loop.StepChosen:
    return loop.StepChosen(thought="think", calls=calls)


def _start(tools: tuple[str, ...], max_steps: int, **options: Any) -> loop.State:
    return loop.start(tools, max_steps, {"question": "2+3?"}, ending="submit", fitting="summarise", **options)


def begun(*history: Entry, max_steps: int = 5, **options: Any) -> loop.State:
    return _start(("add", "search"), max_steps, history=history, **options)


def after(state: loop.State, *events: loop.Event) -> loop.State:
    """The state after the events, through JSON before each of them."""
    for event in events:
        state = loop.advance(loop.State.model_validate_json(state.model_dump_json()), event)
    return state


def roles(state: loop.State) -> list[str]:
    return [entry.role for entry in state.history]


def test_a_run_is_request_call_observation_submit_and_answer() -> None:
    state = after(begun(), chosen(ADD), loop.ToolReturned(observation=5), submit(answer="5"), FIVE)
    assert roles(state) == ["user", "assistant", "tool", "assistant", "tool", "assistant"]
    assert state.history[-1] == FinalAnswer(outputs={"answer": "5"})
    assert state.action == loop.End(termination="submit")


def test_calls_get_ids_that_their_observations_carry() -> None:
    state = after(begun(), chosen(ADD, ADD), loop.ToolReturned(observation=5), loop.ToolReturned(observation=6))
    turn, *observations = [entry for entry in state.history if not isinstance(entry, Request)]
    assert isinstance(turn, AssistantTurn)
    assert [call.id for call in turn.tool_calls] == ["call_0_0", "call_0_1"]
    ids = [(seen.tool_call_id, seen.value) for seen in observations if isinstance(seen, Observation)]
    assert ids == [("call_0_0", 5), ("call_0_1", 6)]


def test_ids_of_a_provider_are_kept_and_repeated_ones_replaced() -> None:
    given = ADD.model_copy(update={"id": "x"})
    state = after(begun(), chosen(given), loop.ToolReturned(observation=5), chosen(given, ADD))
    last = [entry for entry in state.history if isinstance(entry, AssistantTurn)][-1]
    assert [call.id for call in last.tool_calls] == ["call_1_0", "call_1_1"]


def test_an_unknown_tool_is_an_observation_and_the_other_calls_run() -> None:
    state = after(begun(), chosen(Call(name="fly", args={}), ADD))
    assert isinstance(state.history[-1], Observation)
    assert state.history[-1].is_error
    assert "fly" in str(state.history[-1].value)
    assert state.action == loop.RunTool(call=ADD.model_copy(update={"id": "call_0_1"}))


def test_a_refused_submit_is_an_observation_and_the_loop_goes_on() -> None:
    state = after(begun(), submit(), loop.ToolFailed(reason="answer is missing"))
    assert state.action == loop.AskStep()
    assert "answer is missing" in str(state.history[-1])


def test_no_call_of_a_turn_runs_after_its_submit_and_each_has_a_result() -> None:
    calls = chosen(ADD, Call(name=loop.SUBMIT, args={"answer": "5"}), ADD)
    state = after(begun(), calls, loop.ToolReturned(observation=5), FIVE)
    assert state.action == loop.End(termination="submit")
    observed = [entry.value for entry in state.taken if isinstance(entry, Observation)]
    assert observed == [5, loop.SUBMITTED, TOO_LATE]


def test_a_refused_submit_keeps_no_other_call_from_running() -> None:
    both = chosen(Call(name=loop.SUBMIT, args={}), ADD)
    state = after(begun(), both, loop.ToolFailed(reason="answer is missing"))
    assert isinstance(state.action, loop.RunTool)


@pytest.mark.parametrize(
    ("policy", "termination"), [(loop.STRICT, "extract"), (loop.Policy(), "forced_submit")], ids=["strict", "default"]
)
def test_without_a_submit_the_answer_is_asked_for_and_ends_in_the_same_shape(
    policy: loop.Policy, termination: Any
) -> None:
    state = after(begun(max_steps=1, policy=policy), chosen(ADD), loop.ToolReturned(observation=5))
    assert state.action == loop.AskExtraction()
    state = after(state, loop.Answered(outputs={"answer": "5"}, thought="it must be"))
    turn, observed, answer = state.history[-3:]
    assert isinstance(turn, AssistantTurn)
    assert [(call.name, call.args) for call in turn.tool_calls] == [(loop.SUBMIT, {"answer": "5"})]
    assert (turn.thought, observed.value) == ("it must be", loop.SUBMITTED)  # type: ignore[union-attr]
    assert answer == FinalAnswer(outputs={"answer": "5"})
    assert state.action == loop.End(termination=termination)


def test_no_steps_at_all_ask_for_the_answer_at_once() -> None:
    assert begun(max_steps=0).action == loop.AskExtraction()


def test_an_unreadable_reply_is_remarked_upon_and_counts() -> None:
    state = after(begun(max_steps=1), loop.StepMalformed(reason="no fields"))
    assert isinstance(state.history[-1], Remark)
    assert state.action == loop.AskExtraction()


def test_an_event_out_of_turn_is_refused() -> None:
    with pytest.raises(OutOfTurn):
        loop.advance(begun(), loop.ToolReturned(observation=5))


def test_the_steps_are_derived_from_the_entries_submit_apart() -> None:
    state = after(begun(), chosen(ADD), loop.ToolReturned(observation=5), submit(answer="5"), FIVE)
    assert [(step.tool, step.observation) for step in state.steps] == [("add", 5)]


DELETE = Call(name="delete", args={"path": "a"})


def waiting(*calls: Call) -> loop.State:
    """The state after a turn of these calls, of which `delete` needs confirmation."""
    return after(_start(("add", "delete"), 5, awaited=("delete",)), chosen(*calls))


def test_a_call_that_needs_it_waits_and_the_calls_before_it_run_first() -> None:
    state = after(waiting(ADD, DELETE, ADD), loop.ToolReturned(observation=5))
    assert state.action == AwaitResponse(call=DELETE.model_copy(update={"id": "call_0_1"}))


def test_an_approved_call_keeps_its_id_and_the_later_ones_run_once() -> None:
    state = after(
        waiting(ADD, DELETE, ADD), loop.ToolReturned(observation=5), Approved(tool="delete", args={"path": "a"})
    )
    state = after(state, loop.ToolReturned(observation="gone"), loop.ToolReturned(observation=6))
    seen = [(entry.tool_call_id, entry.value) for entry in state.history if isinstance(entry, Observation)]
    assert seen == [("call_0_0", 5), ("call_0_1", "gone"), ("call_0_2", 6)]
    assert state.action == loop.AskStep()


def test_an_edited_call_takes_the_place_of_the_one_that_was_made() -> None:
    state = after(waiting(DELETE, ADD), Approved(tool="add", args={"a": 1, "b": 1}), loop.ToolReturned(observation=2))
    edited = Call(id="call_0_0", name="add", args={"a": 1, "b": 1})
    turn = next(entry for entry in state.history if isinstance(entry, AssistantTurn))
    assert turn.tool_calls == (edited, ADD.model_copy(update={"id": "call_0_1"}))
    assert state.steps[0].args == edited.args


@pytest.mark.parametrize(("variant", "due"), [("extract", loop.AskExtraction()), ("error", loop.End(error="no"))])
def test_the_policy_holds_for_a_transcript_and_drops_the_rest_of_the_turn(variant: str, due: loop.Action) -> None:
    policy = loop.Policy.model_validate({"schema_mismatch": variant})
    state = after(_start(("add",), 5, policy=policy), chosen(ADD, ADD), loop.ArgsMismatched(reason="no"))
    assert state.action == due
    assert state.pending == ()


def test_each_call_of_a_turn_waits_for_a_response_of_its_own() -> None:
    state = after(waiting(DELETE, DELETE), Declined(observation="no"))
    assert state.action == AwaitResponse(call=DELETE.model_copy(update={"id": "call_0_1"}))
    state = after(state, Declined(observation="neither"))
    assert [step.observation for step in state.steps] == ["no", "neither"]
    assert state.action == loop.AskStep()


def test_nobody_is_asked_about_a_call_after_a_submit() -> None:
    both = waiting(Call(name=loop.SUBMIT, args={"answer": "5"}), DELETE)
    state = after(both, FIVE)
    assert state.action == loop.End(termination="submit")
    assert state.outputs == {"answer": "5"}


def test_nothing_else_answers_a_call_that_waits() -> None:
    with pytest.raises(OutOfTurn):
        loop.advance(waiting(DELETE), loop.ToolReturned(observation="gone"))


def a_turn(question: str, answer: str, number: int) -> tuple[Entry, ...]:
    call = ADD.model_copy(update={"id": f"old_{number}"})
    return (
        Request(inputs={"question": question}),
        AssistantTurn(thought="", tool_calls=(call,)),
        Observation(tool_call_id=call.id, name="add", value=number),
        FinalAnswer(outputs={"answer": answer}),
    )


def test_older_turns_are_summarised_and_the_prior_one_stays() -> None:
    state = after(begun(*a_turn("old", "o", 1), *a_turn("prior", "p", 2)), loop.DoesNotFit())
    assert isinstance(state.action, loop.AskSummary)
    assert state.action.entries == a_turn("old", "o", 1)
    state = after(state, loop.Summarised(text="they said o"))
    kept = (Summary(summary="they said o"), *a_turn("prior", "p", 2), Request(inputs={"question": "2+3?"}))
    assert state.history == kept
    assert state.action == loop.AskStep()


def test_a_long_run_keeps_its_request_and_its_last_step() -> None:
    ran = (chosen(ADD), loop.ToolReturned(observation=5))
    state = after(begun(), *ran, *ran, loop.DoesNotFit(), loop.Summarised(text="5 at first"))
    assert roles(state) == ["user", "user", "assistant", "tool"]
    assert len(state.steps) == 2


def test_an_id_of_a_call_that_was_summarised_is_not_given_again() -> None:
    ran = (chosen(ADD), loop.ToolReturned(observation=5))
    state = after(begun(), *ran, *ran, loop.DoesNotFit(), loop.Summarised(text="5 at first"))
    state = after(state, chosen(ADD), loop.ToolReturned(observation=6))
    assert [step.observation for step in state.steps] == [5, 5, 6]
    assert len({call.id for turn in state.taken if isinstance(turn, AssistantTurn) for call in turn.tool_calls}) == 3


def test_what_does_not_fit_though_nothing_may_go_is_out_of_turn() -> None:
    with pytest.raises(OutOfTurn):
        after(begun(*a_turn("prior", "p", 1)), loop.DoesNotFit())


@pytest.mark.parametrize("message", [{"role": "user"}, {"role": "nobody", "inputs": {}}, {"inputs": {}, "x": 1}, 7])
def test_what_is_no_entry_is_refused(message: JsonObject) -> None:
    with pytest.raises(ValueError, match="validation error"):
        load_entries([message])
