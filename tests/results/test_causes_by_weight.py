"""The lighter never hides the heavier: what weighs more than its cause isn't met, and stands beside it."""

import pytest

from tests.support.symptoms import LATE, explain, symptom


@pytest.mark.parametrize(
    ("cause", "other", "is_hidden"),
    [
        ("MUST", "MUST", True),
        ("MUST", "critical", True),
        ("critical", "MUST", False),
        ("SHOULD", "MUST", False),
        ("minor", "major", False),
        ("major", "SHOULD", True),
        ("–", "minor", False),
    ],
)
def test_the_lighter_never_hides_the_heavier(cause: str, other: str, is_hidden: bool) -> None:
    found = explain(
        *(symptom("ERR-002", row, "runs another call", 3, weight=cause) for row in "ab"),
        symptom("LOOP-001", "a", moment=4, is_own=True, weight=other),
    )
    assert ("LOOP-001" in found.blockers) is is_hidden
    assert ("LOOP-001" in {each.requirement for each in found.causes}) is not is_hidden


def test_an_invariant_that_outweighs_the_sentence_of_its_row_is_not_met_but_no_second_cause() -> None:
    rows = [
        (symptom("SAN-002", row, moment=2), symptom("TOOL-008", row, moment=2, is_own=True, weight="major"))
        for row in "ab"
    ]
    found = explain(*(each for row in rows for each in row))
    (cause,) = found.causes
    assert (cause.requirement, cause.explains, cause.rows) == ("TOOL-008", 2, ("a", "b"))
    assert [(each.requirement, each.rows, each.reproduce) for each in cause.beside] == [
        ("SAN-002", ("a", "b"), "run a")
    ]
    assert found.blockers == {}


def test_what_is_seen_without_the_lighter_is_a_cause_of_its_own() -> None:
    row = (symptom("SAN-002", "a", moment=2), symptom("TOOL-008", "a", moment=2, is_own=True, weight="major"))
    before = explain(*row, symptom("SAN-002", "a", moment=1))
    assert {cause.requirement: cause.beside for cause in before.causes} == {"TOOL-008": (), "SAN-002": ()}
    elsewhere = explain(*row, symptom("SAN-002", "b", moment=2))
    assert [cause.requirement for cause in elsewhere.causes] == ["SAN-002"]
    assert elsewhere.blockers == {"TOOL-008": ("SAN-002",)}


def test_what_two_lighter_causes_made_is_a_cause_of_its_own() -> None:
    rows = (
        (symptom("SAN-002", row, moment=2), symptom(id_, row, moment=1, is_own=True, weight="major"))
        for row, id_ in (("a", "TOOL-008"), ("b", "TOOL-009"))
    )
    found = explain(*(each for row in rows for each in row))
    assert {cause.requirement: len(cause.beside) for cause in found.causes} == {
        "SAN-002": 0,
        "TOOL-008": 0,
        "TOOL-009": 0,
    }
    assert next(cause.rows for cause in found.causes if cause.requirement == "SAN-002") == ("a", "b")


def test_what_a_heavier_cause_made_elsewhere_is_no_second_lighter_one() -> None:
    row = (symptom("SAN-004", "a", moment=6), symptom("CNF-013", "a", moment=4, is_own=True, weight="SHOULD"))
    heavier = (symptom("SAN-004", "b", moment=6), symptom("CNF-006", "b", moment=4, is_own=True))
    found = explain(*row, *heavier)
    assert {cause.requirement: [each.requirement for each in cause.beside] for cause in found.causes} == {
        "CNF-006": [],
        "CNF-013": ["SAN-004"],
    }


def test_what_weighs_more_is_no_part_of_a_wider_cause() -> None:
    wide = [symptom("ERR-021", row, moment=3, weight="major") for row in "abc"]
    found = explain(*wide, symptom("LOOP-001", "a", moment=3))
    assert {cause.requirement for cause in found.causes} == {"ERR-021", "LOOP-001"}


@pytest.mark.parametrize(("moment", "is_held"), [(7, True), (9, True), (11, False)])
def test_a_practice_blocks_no_must_that_was_departed_from_no_later(moment: int, is_held: bool) -> None:
    """ERR-008 was lost behind ERR-025, a practice, whose sentence failed after a hundred requests."""
    practice = symptom("ERR-025", "a", moment=9, is_own=True, weight="critical")
    found = explain(practice, symptom("ERR-008", "a", LATE, moment))
    (cause,) = found.causes
    assert [cause.requirement, *(each.requirement for each in cause.beside)] == ["ERR-025", *["ERR-008"] * is_held]
    assert ("ERR-008" in found.blockers) is not is_held


def test_how_a_call_ended_is_no_second_accusation_beside_a_practice_about_it() -> None:
    """A port that refuses an empty answer breaks ERR-023, which asks for it, and no MUST."""
    practice = symptom("ERR-023", "a", moment=3, is_own=True, weight="major")
    (cause,) = explain(practice, symptom("EXT-002", "a", "fails instead of answering", 3)).causes
    assert (cause.requirement, cause.beside) == ("ERR-023", ())
