"""SAN-009: what may differ from play to play, and what may not."""

from dataclasses import replace
from typing import Any

import pytest

from react_tck.judges.determinism import find_replay_difference
from react_tck.model.intent import Finish
from react_tck.model.outcome import Failure
from react_tck.model.record import Event, Record, ToolRan
from react_tck.record.difference import find_difference
from tests.support.hand_made import GOOD, MANIFEST, TASK, evidence, ran, returned, step


def _failed(message: str) -> Event:
    return returned({}, status="error", error=Failure(type="E", message=message))


def _record(*events: Event) -> Record:
    return Record(case_id="c", events=events)


def test_what_differs_by_design(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, str]] = [
        ("at http://127.0.0.1:40001/x7JqABCDEFGHIJKLMNOPQR/v1", "at http://127.0.0.1:9/_7JqABCDEFGHIJKLMNOPQ-/v1"),
        ("connect ECONNREFUSED 127.0.0.1:40001", "connect ECONNREFUSED 127.0.0.1:50001"),
        ("Pool(host='127.0.0.1', port=40001)", "Pool(host='127.0.0.1', port=50001)"),
        ("Incorrect key tck-x7JqABCDEFGHIJKLMNOPQR.", "Incorrect key tck-_7JqABCDEFGHIJKLMNOPQ-."),
        ("no /x7JqABCDEFGHIJKLMNOPQR/tools/add", "no /_7JqABCDEFGHIJKLMNOPQ-/tools/add"),
        ("<T object at 0x7f00aa00>", "<T object at 0x7f00bb00>"),
    ]
    for one, other in cases:
        with subtests.test(one=one, other=other):
            assert _differ(returned({}, status="error", error=Failure(type="E", message=one)), other) is False
            assert _differ(ran(result=one), other) is False
            assert _differ(ran(result=one), f"{other}!") is True


def test_how_long_a_time_out_took_is_no_difference(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, str, bool]] = [
        ("Request timed out after 5.003 seconds", "Request timed out after 5.1 seconds", False),
        ("timeout (2001ms)", "timeout (1999ms)", False),
        ("timed out after 3 requests", "timed out after 4 requests", True),
        ("timed out after 5.003 seconds", "connection dropped after 5.003 seconds", True),
    ]
    for one, other, differs in cases:
        with subtests.test(one=one, other=other, differs=differs):
            assert _differ(_failed(one), other) is differs
            first, second = (_record(step(Finish(), f"{TASK}{text}")) for text in (one, other))
            assert find_difference(first, second, ()) is not None


def _differ(event: Event, other: Any) -> bool:
    if isinstance(event, ToolRan):
        changed: Event = event.model_copy(update={"result": other})
    else:
        changed = returned({}, status="error", error=Failure(type="E", message=other))
    first, second = (Record(case_id="c", events=(each,)) for each in (event, changed))
    return find_difference(first, second, ()) is not None


def test_what_comes_after_the_outcome_comes_when_it_comes() -> None:
    assert find_difference(Record(case_id="c", events=GOOD), Record(case_id="c", events=(*GOOD, ran())), ()) is None


def test_what_a_subject_declares_to_vary_is_left_out_of_the_comparison(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Event, Event]] = [
        (step(Finish(), f"{TASK}created at 9:41\nGo on."), step(Finish(), f"{TASK}created at 17:03\nGo on.")),
        (_failed("lost (created at 9:41)"), _failed("lost (created at 17:03)")),
    ]
    for one, other in cases:
        with subtests.test(one=one, other=other):
            manifest = MANIFEST.model_copy(update={"varies": ("created at .*",)})
            assert find_difference(_record(one), _record(other), ()) is not None
            assert find_difference(_record(one), _record(other), manifest.varies) is None
            seen = evidence(one, manifest=manifest)
            again = evidence(other, manifest=manifest).record
            assert list(find_replay_difference(replace(seen, replayed=again))) == []
            assert len(list(find_replay_difference(replace(seen, manifest=MANIFEST, replayed=again)))) == 1
