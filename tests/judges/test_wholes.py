"""A judge says of which wider violation its finding is a part, where it may be one (ARCHITECTURE.md, Causes)."""

from collections.abc import Iterable
from typing import Any

import pytest

from react_tck.judges.determinism import list_wholes_of_mode
from react_tck.judges.histories import find_forgotten_values
from react_tck.judges.observations import find_hidden_errors, find_hidden_observations
from react_tck.judges.oracle import find_departure
from react_tck.judges.outputs import find_unscripted_success
from react_tck.judges.sanitizers import find_hidden_task
from react_tck.judges.verdict import Violation
from react_tck.model.case import Invocation
from react_tck.model.intent import Answer, Finish
from react_tck.model.record import Called, Event
from tests.support.hand_made import (
    ADD,
    GOOD,
    MANIFEST,
    OBSERVED,
    TASK,
    evidence,
    extraction,
    ran,
    returned,
    scene,
    step,
)

EXTRACTING = MANIFEST.model_copy(update={"capabilities": ("extraction",)})


def _wholes(found: Iterable[Violation]) -> list[tuple[str, ...]]:
    return [violation.part_of for violation in found]


@pytest.mark.parametrize(
    ("events", "wholes"),
    [
        ((step(ADD), ran(), step(ADD), ran(result="six"), step(Finish(), OBSERVED + "six")), ("LOOP-002",)),
        ((step(ADD), ran(), step(ADD)), ("LOOP-002",)),
        ((step(ADD), ran(), step(Finish()), extraction(text=TASK)), ()),
        ((step(ADD), ran(), extraction(text=TASK)), ()),
        ((step(ADD), ran(result="é ß"), extraction(text=TASK)), ("ERR-022",)),
    ],
)
def test_an_observation_that_is_shown_late_is_the_next_requests(
    events: tuple[Event, ...], wholes: tuple[str, ...]
) -> None:
    first, *_ = _wholes(find_hidden_observations(scene(*events)))
    assert first == wholes


def test_an_error_that_is_lost_is_an_observation_that_is_lost() -> None:
    raised = ran(result=None).model_copy(update={"error": "no connection"})
    assert _wholes(find_hidden_errors(scene(step(ADD), raised, extraction(text=TASK)))) == [("SAN-004",)]


@pytest.mark.parametrize(
    ("said", "outputs", "wholes"),
    [
        ({"answer": "5"}, {}, ("EXT-002",)),
        ({"answer": "5"}, {"answer": "6"}, ("EXT-002",)),
        ({}, {"answer": "6"}, ()),
        ({"answer": "né 5"}, {"answer": "n 5"}, ("EXT-002", "ERR-023")),
        ({"answer": "né 5"}, {"answer": "6"}, ("EXT-002",)),
    ],
)
def test_an_output_that_the_lm_gave_belongs_to_the_prediction(
    said: dict[str, Any], outputs: dict[str, Any], wholes: tuple[str, ...]
) -> None:
    events = (*GOOD[:3], extraction(Answer(outputs=said), OBSERVED), returned(outputs))
    assert _wholes(find_unscripted_success(scene(*events))) == [wholes]


def test_an_input_that_the_first_step_lacks_is_one_of_the_steps() -> None:
    hidden = TASK.replace("2+3", "")
    assert _wholes(find_hidden_task(scene(step(Finish(), hidden), *GOOD[3:]))) == [("STEP-003",)]


@pytest.mark.parametrize(("limit", "wholes"), [(2, ("LOOP-004",)), (3, ())])
def test_an_answer_that_is_asked_for_with_one_step_left_may_be_of_the_limit(
    limit: int, wholes: tuple[str, ...]
) -> None:
    raised = ran(result=None).model_copy(update={"error": "no connection"})
    early = scene(step(ADD), raised, extraction(), returned(), manifest=EXTRACTING, max_steps=limit)
    assert [(v.requirement_id, v.part_of) for v in find_departure(early)] == [("ERR-007", wholes)]


@pytest.mark.parametrize(("mode", "wholes"), [("sync", ()), ("async", ("ASY-001",))])
def test_what_an_async_call_shows_is_of_the_difference_to_a_sync_one(mode: str, wholes: tuple[str, ...]) -> None:
    one = evidence(*GOOD)
    calls = tuple(call.model_copy(update={"mode": mode}) for call in one.episode.case.invocations)
    case = one.episode.case.model_copy(update={"invocations": calls})
    played = type(one)(one.episode.model_copy(update={"case": case}), one.manifest, one.record)
    assert list_wholes_of_mode(played, Violation("this", "that", one.record.events[1])) == wholes
    assert list_wholes_of_mode(played, Violation("this", "that")) == ()


@pytest.mark.parametrize(("shown", "wholes"), [("", ()), (" 3+4", ("ISO-001",))])
def test_an_input_of_another_call_in_the_place_of_ones_own_is_a_mix_of_calls(
    shown: str, wholes: tuple[str, ...]
) -> None:
    one = evidence(*GOOD)
    hidden = extraction(text=OBSERVED.replace("2+3", "") + shown)
    mine = tuple(e.model_copy(update={"invocation": 1}) for e in (*GOOD[:3], hidden, GOOD[-1]))
    calls = (Invocation(inputs={"question": "3+4"}), *one.episode.case.invocations)
    case = one.episode.case.model_copy(update={"invocations": calls})
    record = one.record.model_copy(update={"events": (*one.record.events, Called(invocation=1), *mine)})
    found = find_forgotten_values(type(one)(one.episode.model_copy(update={"case": case}), EXTRACTING, record))
    assert [each.part_of for each in found if each.requirement_id == "EXT-001"][-1] == wholes
