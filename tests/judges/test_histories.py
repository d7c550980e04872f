"""What is shown of earlier turns, in records made by hand: of all calls that a call follows, and each with its id."""

import json
from time import process_time
from typing import Any

import pytest

from react_tck.fakes.lm import BUDGET
from react_tck.judges.histories import find_forgotten_values
from react_tck.model.case import Invocation, Options
from react_tck.model.intent import Finish, Submit
from react_tck.model.lm import LMRequest, Message, ToolCall
from react_tck.model.record import Called, Event, Record
from react_tck.record.evidence import Evidence
from tests.support.hand_made import (
    ADD,
    MANIFEST,
    TASK,
    evidence,
    extraction,
    ids,
    played,
    ran,
    returned,
    step,
)

TOLD = Submit(outputs={"answer": "5"})


def _violated(calls: tuple[Invocation, ...], *events: Event) -> list[str]:
    episode, _ = played()
    case = episode.case.model_copy(update={"options": Options(system="transcript"), "invocations": calls})
    begun = (Called(invocation=number) for number in range(len(calls)))
    record = Record(case_id="c", events=(*begun, *events))
    return ids(find_forgotten_values(Evidence(episode.model_copy(update={"case": case}), MANIFEST, record)))


def _of(number: int, *events: Any) -> tuple[Event, ...]:
    return tuple(event.model_copy(update={"invocation": number}) for event in events)


def test_an_observation_that_the_step_after_it_lacked_is_not_missed_again(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, list[str]]] = [(f"{TASK} five", ["EXT-001"]), (TASK, [])]
    for shown, violated in cases:
        with subtests.test(shown=shown, violated=violated):
            asked = evidence(step(ADD), ran(), step(Finish(), shown), extraction(text=f"{TASK} think"), returned())
            assert ids(find_forgotten_values(asked)) == violated


def test_a_step_shows_earlier_turns_whole_or_not_at_all(subtests: pytest.Subtests) -> None:
    """That a step shows the history nobody demands; a question alone may be asked again."""
    cases: list[tuple[str, list[str]]] = [
        ("Which city? Rome. How old? Old.", []),
        ("Which city? Rome.", ["HIS-003", "HIS-003"]),
        ("Which city? How old?", []),
        ("nothing of it", []),
    ]
    for shown, violated in cases:
        with subtests.test(shown=shown, violated=violated):
            given = ({"question": "Which city?", "answer": "Rome."}, {"question": "How old?", "answer": "Old."})
            asked = evidence(step(ADD, shown), arrow="question, history: dspy.History -> answer", history=given)
            signature = asked.episode.case.signature
            assert signature.history_field == "history"
            assert ids(find_forgotten_values(asked)) == violated


def test_a_small_result_inside_a_wrapping_of_the_librarys_is_shown_to_a_follow_up(subtests: pytest.Subtests) -> None:
    cases: list[Any] = [0, False, "", [], {}]
    for result in cases:
        with subtests.test(result=result):
            calls = (Invocation(inputs={}), Invocation(inputs={}, follows=0))
            kept = returned(history=[{"said": "add 5"}])

            for told, violated in ({"result": result}, []), ({"result": "N/A"}, ["TRN-008"]):
                text = f"add 5\n\n[[ ## observation_0 ## ]]\n{json.dumps(told)}\n"
                first, second = _of(0, step(ADD), ran(result=result), kept), _of(1, step(TOLD, text), kept)
                assert _violated(calls, *first, *second) == violated


def test_a_call_shows_nothing_of_one_that_it_does_not_follow(subtests: pytest.Subtests) -> None:
    cases: list[tuple[int | None, list[str]]] = [(0, []), (None, ["ISO-001"])]
    for follows, violated in cases:
        with subtests.test(follows=follows, violated=violated):
            calls = (Invocation(inputs={}), Invocation(inputs={}, follows=follows))
            kept = returned(history=[{"said": "add five n 5"}])
            first = _of(0, step(ADD), ran(result="five n"), kept)
            assert _violated(calls, *first, *_of(1, step(TOLD, "add five n 5"), kept)) == violated


def test_a_result_that_a_call_has_got_itself_is_its_own() -> None:
    calls = (Invocation(inputs={}), Invocation(inputs={}))
    kept = returned(history=[{"said": "add five n 5"}])
    same = (step(ADD), ran(result="five n"), step(TOLD, "five n"), kept)
    assert _violated(calls, *_of(0, *same), *_of(1, *same)) == []


def test_a_run_of_as_many_steps_as_the_kit_plays_is_judged_in_no_time() -> None:
    messages: tuple[Message, ...] = ()
    events: list[Event] = []
    for number in range(BUDGET):
        asked = step(ADD)
        events += [asked.model_copy(update={"request": LMRequest(messages=messages)}), ran(result=f"{number} n")]
        call = ToolCall(id=f"call_{number}", name="add", arguments='{"a": 2, "b": 3}')
        told = Message(role="tool", tool_call_id=call.id, content=f"{number} n")
        messages = (*messages, Message(role="assistant", tool_calls=(call,)), told)
    begun = process_time()
    assert _violated((Invocation(inputs={"question": "2+3"}),), *events) == []
    assert process_time() - begun < 5
