"""The transcript loop by itself: no dspy, no LM, no tools; every state goes through JSON on its way."""

from typing import Any

import pytest

from react_tck.reference import loop
from react_tck.reference.loop import (
    AssistantTurn,
    Call,
    Entry,
    FinalAnswer,
    Observation,
    OutOfTurn,
    Request,
)
from react_tck.reference.loop.views.trajectory import load_entries

ADD = Call(name="add", args={"a": 2, "b": 3})


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


def test_ids_of_a_provider_are_kept_and_repeated_ones_replaced() -> None:
    given = ADD.model_copy(update={"id": "x"})
    state = after(begun(), chosen(given), loop.ToolReturned(observation=5), chosen(given, ADD))
    last = [entry for entry in state.history if isinstance(entry, AssistantTurn)][-1]
    assert [call.id for call in last.tool_calls] == ["call_1_0", "call_1_1"]


def test_an_event_out_of_turn_is_refused() -> None:
    with pytest.raises(OutOfTurn):
        loop.advance(begun(), loop.ToolReturned(observation=5))


def a_turn(question: str, answer: str, number: int) -> tuple[Entry, ...]:
    call = ADD.model_copy(update={"id": f"old_{number}"})
    return (
        Request(inputs={"question": question}),
        AssistantTurn(thought="", tool_calls=(call,)),
        Observation(tool_call_id=call.id, name="add", value=number),
        FinalAnswer(outputs={"answer": answer}),
    )


def test_an_id_of_a_call_that_was_summarised_is_not_given_again() -> None:
    ran = (chosen(ADD), loop.ToolReturned(observation=5))
    state = after(begun(), *ran, *ran, loop.DoesNotFit(), loop.Summarised(text="5 at first"))
    state = after(state, chosen(ADD), loop.ToolReturned(observation=6))
    assert [step.observation for step in state.steps] == [5, 5, 6]
    assert len({call.id for turn in state.taken if isinstance(turn, AssistantTurn) for call in turn.tool_calls}) == 3


def test_what_does_not_fit_though_nothing_may_go_is_out_of_turn() -> None:
    with pytest.raises(OutOfTurn):
        after(begun(*a_turn("prior", "p", 1)), loop.DoesNotFit())


def test_what_is_no_entry_is_refused(subtests: pytest.Subtests) -> None:
    cases: list[Any] = [{"role": "user"}, {"role": "nobody", "inputs": {}}, {"inputs": {}, "x": 1}, 7]
    for message in cases:
        with subtests.test(message=message), pytest.raises(ValueError, match="validation error"):
            load_entries([message])
