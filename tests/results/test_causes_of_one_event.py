"""Several rules may see one event: it is one cause, that of the wider or of the sentence."""

import pytest

from react_tck.results.symptoms import Symptom
from tests.support.symptoms import explain, explained, symptom


def test_what_is_wrong_elsewhere_in_the_episode_explains_no_sentence() -> None:
    wording = [symptom("CNF-002", row, moment=2) for row in "abcdefg"]
    assert explained(*wording, symptom("CNF-006", "a", moment=4, is_own=True)) == {
        "CNF-006": (1, ("a",)),
        "CNF-002": (0, tuple("bcdefg")),
    }


def test_what_is_wrong_in_the_very_event_explains_the_sentence() -> None:
    sure = symptom("SAN-004", "b", moment=3)
    found = explain(sure, symptom("SAN-004", "a", moment=3), symptom("TOOL-004", "a", moment=3, is_own=True))
    assert [(cause.requirement, cause.explains) for cause in found.causes] == [("SAN-004", 1)]
    assert found.blockers == {"TOOL-004": ("SAN-004",)}


def test_an_end_that_was_not_due_is_told_by_the_invariant_that_it_breaks() -> None:
    for moment in (4, None):
        found = explain(symptom("LOOP-004", "a", "answers instead of failing", 4), symptom("SAN-007", "a", "", moment))
        assert [cause.requirement for cause in found.causes] == ["SAN-007"]
        assert found.blockers == {"LOOP-004": ("SAN-007",)}


def test_an_invariant_is_broken_by_what_the_sentences_own_requirement_did_first() -> None:
    own = symptom("CNF-001", "a", moment=7, is_own=True)
    seen = (symptom("SAN-003", "a", moment=5), symptom("SAN-004", "a", moment=6))
    begun = symptom("CNF-001", "a", "doesn't wait", 2)
    assert explain(own, begun, *seen).blockers == {"SAN-003": ("CNF-001",), "SAN-004": ("CNF-001",)}
    assert explain(own, *seen).blockers == {}
    assert explain(own, symptom("CNF-001", "a", "doesn't wait", 6), *seen).blockers == {"SAN-004": ("CNF-001",)}


def test_an_invariant_is_broken_where_the_oracle_says_so() -> None:
    row = (symptom("CNV-005", "a", moment=2, is_own=True), symptom("SAN-003", "a", moment=1))
    assert explain(*row).blockers == {}
    assert explain(*row, symptom("SAN-003", "a", "leaves out a call", 2)).blockers == {"SAN-003": ("CNV-005",)}


def test_what_is_seen_only_where_a_wider_cause_is_seen_is_that_causes() -> None:
    """The extraction shows no more than the last request did: two rules, one event, one fault."""
    wide = [symptom("SAN-004", row, moment=3) for row in "abc"]
    found = explain(*wide, symptom("EXT-001", "a", moment=3), symptom("EXT-001", "b", moment=3))
    assert [cause.requirement for cause in found.causes] == ["SAN-004"]
    assert found.blockers == {"EXT-001": ("SAN-004",)}


@pytest.mark.parametrize(
    "other",
    [symptom("EXT-001", "a", moment=4), symptom("EXT-001", "d", moment=3), symptom("EXT-001", "a", is_own=True)],
)
def test_what_is_seen_once_without_it_is_a_cause_of_its_own(other: Symptom) -> None:
    wide = [symptom("SAN-004", row, moment=3) for row in "abc"]
    found = explain(*wide, symptom("EXT-001", "b", moment=3), other)
    assert {cause.requirement for cause in found.causes} == {"SAN-004", "EXT-001"}


def test_of_an_end_that_the_requirement_forbids_the_invariant_is_no_second_cause() -> None:
    """ERR-011 and SAN-007 follow from one quote: a success with missing outputs was two causes."""
    own = (symptom("ERR-011", row, moment=5, is_own=True) for row in "abc")
    end = symptom("ERR-011", "d", "answers instead of failing", 4)
    found = explain(*own, end, symptom("SAN-007", "d", moment=3))
    assert [cause.requirement for cause in found.causes] == ["ERR-011"]
    assert found.blockers == {"SAN-007": ("ERR-011",)}


def test_of_one_event_the_sentence_is_its_own_judges() -> None:
    """A machine that asks in its last state again broke CNV-005, whose sentence was blocked by EXT-003."""
    seen = [symptom(id_, "a", "asks again unasked", 7) for id_ in ("EXT-003", "CNV-005")]
    found = explain(*seen, symptom("CNV-005", "a", is_own=True), symptom("EXT-003", "b", "asks again unasked", 7))
    assert {cause.requirement: cause.failed_rows for cause in found.causes} == {"CNV-005": ("a",), "EXT-003": ()}
