"""A finding may be a part of what another requirement says: it is that one's fault, where that is violated for sure."""

import pytest

from react_tck.results.symptoms import Symptom
from tests.support.symptoms import explain, symptom


def test_what_is_a_part_of_a_sure_violation_wherever_it_is_seen_is_that_ones() -> None:
    """Who hides observations hides the texts of errors, too: ERR-007 was a second cause, in rows without a result."""
    hidden = [symptom("SAN-004", row, moment=3) for row in "ab"]
    errors = [symptom("ERR-007", row, moment=3, part_of=("SAN-004",)) for row in "cd"]
    found = explain(*hidden, *errors, symptom("ERR-007", "d", moment=3, is_own=True))
    assert {cause.requirement: cause.rows for cause in found.causes} == {"SAN-004": ("d", "a", "b", "c")}
    assert found.blockers == {"ERR-007": ("SAN-004",)}


@pytest.mark.parametrize(
    "other",
    [symptom("ERR-007", "e", moment=3), symptom("ERR-007", "e", is_own=True), symptom("ERR-007", "a", moment=2)],
)
def test_what_is_seen_once_as_no_part_of_it_is_a_cause_of_its_own(other: Symptom) -> None:
    hidden = [symptom("SAN-004", row, moment=3) for row in "ab"]
    found = explain(*hidden, symptom("ERR-007", "c", moment=3, part_of=("SAN-004",)), other)
    assert {cause.requirement for cause in found.causes} == {"SAN-004", "ERR-007"}


def test_a_part_of_what_nothing_violates_is_a_cause() -> None:
    found = explain(symptom("ERR-007", "c", moment=3, part_of=("SAN-004",)))
    assert [cause.requirement for cause in found.causes] == ["ERR-007"]


def test_a_part_of_what_a_sentence_says_makes_it_not_fail_but_is_told_by_it() -> None:
    """An observation that is shown a step late is LOOP-002's, whose sentence was blocked by SAN-004."""
    own = symptom("LOOP-002", "a", moment=3, is_own=True)
    found = explain(own, *(symptom("SAN-004", row, moment=3, part_of=("LOOP-002",)) for row in "abc"))
    assert [(cause.requirement, cause.explains) for cause in found.causes] == [("LOOP-002", 1)]
    assert found.blockers == {"SAN-004": ("LOOP-002",)}


def test_a_sentence_that_is_a_part_of_a_wider_invariant_is_blocked_by_it() -> None:
    own = symptom("LOOP-002", "a", moment=3, is_own=True)
    late = symptom("SAN-004", "a", moment=3, part_of=("LOOP-002",))
    found = explain(own, late, *(symptom("SAN-004", row, moment=3) for row in "bc"))
    assert [cause.requirement for cause in found.causes] == ["SAN-004"]


def test_parts_of_parts_are_of_the_whole() -> None:
    found = explain(
        symptom("ASY-001", "a", is_own=True),
        symptom("SAN-004", "b", moment=3, part_of=("ASY-001",)),
        symptom("ERR-007", "c", moment=3, part_of=("SAN-004", "ASY-001")),
    )
    assert [cause.requirement for cause in found.causes] == ["ASY-001"]
    assert found.blockers == {"SAN-004": ("ASY-001",), "ERR-007": ("ASY-001",)}


def test_an_invariant_that_is_a_part_of_a_practice_stands_beside_it() -> None:
    """Who strips results of what isn't ASCII breaks ERR-022; that SAN-004 isn't met either is said beside it."""
    own = symptom("ERR-022", "a", moment=3, is_own=True, weight="major")
    found = explain(own, *(symptom("SAN-004", row, moment=3, part_of=("ERR-022",)) for row in "ab"))
    assert [(cause.requirement, [each.requirement for each in cause.beside]) for cause in found.causes] == [
        ("ERR-022", ["SAN-004"])
    ]
    assert found.blockers == {}


def test_a_departure_is_no_part_of_what_weighs_less() -> None:
    early = symptom("ERR-007", "a", "asks for the answer too early", 3, part_of=("LOOP-004",))
    found = explain(early, symptom("LOOP-004", "b", is_own=True, weight="minor"))
    assert {cause.requirement for cause in found.causes} == {"ERR-007", "LOOP-004"}


def test_a_sentence_behind_a_departure_is_a_part_of_what_that_is_a_part_of() -> None:
    """TRN-006 failed behind TRN-005, a practice that was departed from where the last step wasn't taken."""
    early = symptom("TRN-005", "a", "asks for the answer too early", 3, weight="major", part_of=("LOOP-004",))
    found = explain(symptom("LOOP-004", "b", is_own=True), early, symptom("TRN-006", "a", is_own=True))
    assert found.blockers == {"TRN-005": ("LOOP-004",), "TRN-006": ("LOOP-004",)}


def test_a_part_of_what_is_sure_explains_a_sentence_as_that_would() -> None:
    """Who gives the first output for all breaks EXT-002; SAN-007 was seen beside sentences alone, which were causes."""
    own = symptom("EXT-002", "a", is_own=True)
    changed = (symptom("SAN-007", row, moment=4, part_of=("EXT-002",)) for row in "ab")
    found = explain(own, *changed, symptom("ADP-002", "b", moment=4, is_own=True))
    assert found.blockers == {"SAN-007": ("EXT-002",), "ADP-002": ("EXT-002",)}
