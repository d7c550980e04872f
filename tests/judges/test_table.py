"""Every judge of the table can be red, and lets the nearest right record pass."""

import pytest

from react_tck.judges.table import JUDGES, collect_violations
from react_tck.model.intent import Finish
from react_tck.model.outcome import Failure
from react_tck.model.record import Event
from tests.support.hand_made import (
    ADD,
    GOOD,
    TASK,
    evidence,
    ids,
    ran,
    returned,
    step,
)

BY_NAME = {judge.name: judge for judge in JUDGES}
CRASHED = returned({}, status="error", error=Failure(type="KeyError", message="'[1]'"))


def test_a_text_that_nobody_can_encode_is_shown_or_refused(subtests: pytest.Subtests) -> None:
    cases: list[Event] = [
        step(Finish(), f"{TASK} left\\u0000right"),
        step(Finish(), f"{TASK} The result can't be shown."),
        returned({}, status="error", error=Failure(type="ValueError", message="no text")),
        returned({}, status="error", error=Failure(type="UnicodeEncodeError", message="surrogates not allowed")),
    ]
    for then in cases:
        with subtests.test(then=then):
            texts = BY_NAME["texts"]
            assert ids(texts.find_violations(evidence(step(ADD), ran(result="left\x00right"), then))) == []
            assert ids(texts.find_violations(evidence(step(ADD), ran(result="left\x00right"), CRASHED))) == ["ERR-017"]


def test_of_each_requirement_the_first_violation_counts() -> None:
    twice = evidence(step(ADD), ran(), ran(), ran(), *GOOD[2:])
    found = collect_violations(twice)
    assert list(found) == list(dict.fromkeys(ids(v for judge in JUDGES for v in judge.find_violations(twice))))
    assert str(found["SAN-003"]) == str(next(iter(BY_NAME["sanitizers"].find_violations(twice))))


def test_what_no_requirement_is_about_is_no_finding() -> None:
    refusing = evidence(returned({}, status="error", error=Failure(type="ValueError", message="an empty question")))
    assert "" in ids(BY_NAME["oracle"].find_violations(refusing))
    assert collect_violations(refusing) == {}
