"""A contradicted declaration heads a cause, stands beside a wider one, and explains nothing that came before."""

import pytest

from react_tck.results.symptoms import Symptom
from tests.support.symptoms import DECLARED, LATE, explain, symptom


def test_a_contradicted_declaration_explains_the_sentence_that_says_the_same() -> None:
    said = symptom("SAN-010", "a", "tool-error is not as declared", weight="–")
    same = symptom("OWN-001", "a", "tool-error is not as declared", is_own=True)
    assert explain(said, same).blockers == {"OWN-001": ("SAN-010",)}
    other = symptom("OWN-001", "a", "max-steps-zero is not as declared", is_own=True)
    assert explain(said, other).blockers == {}


def test_a_contradicted_declaration_heads_the_cause_and_not_the_sentence_behind_it() -> None:
    said = symptom("SAN-010", "a", "tool-error is not as declared", moment=4, weight="–")
    departed = symptom("ERR-007", "a", "ends too early", moment=4)
    found = explain(said, departed, symptom("ERR-007", "a", is_own=True), symptom("LOOP-002", "a", moment=6))
    assert [(cause.requirement, cause.kind, cause.explains) for cause in found.causes] == [
        ("SAN-010", "tool-error is not as declared", 1)
    ]
    assert found.blockers == {"ERR-007": ("SAN-010",), "LOOP-002": ("SAN-010",)}


def test_a_contradicted_declaration_explains_nothing_that_came_before() -> None:
    said = symptom("SAN-010", "a", "tool-error is not as declared", moment=4, weight="–")
    found = explain(symptom("SAN-001", "a", "runs another call", moment=2), said)
    assert [cause.requirement for cause in found.causes] == ["SAN-001", "SAN-010"]


def test_a_contradicted_declaration_is_no_second_cause_where_it_is_seen_beside_failures_alone() -> None:
    row = (symptom("SAN-010", "a", "tool-error is not as declared", weight="–"), symptom("ASY-001", "a", is_own=True))
    found = explain(*row)
    assert [(cause.requirement, [each.requirement for each in cause.beside]) for cause in found.causes] == [
        ("ASY-001", ["SAN-010"])
    ]
    assert found.blockers == {}
    found = explain(*row, symptom("SAN-010", "b", "tool-error is not as declared", weight="–"))
    assert [cause.requirement for cause in found.causes] == ["ASY-001", "SAN-010"]


def test_a_contradicted_declaration_that_is_seen_with_a_wider_cause_alone_stands_beside_it() -> None:
    """Who reads answers by the order of their fields reads a repeated field otherwise than declared, too."""
    wide = (symptom("ERR-011", "a", is_own=True),)
    row = (symptom("SAN-010", "d", DECLARED, 2, weight="–"), symptom("ERR-011", "d", "answers instead of failing", 2))
    found = explain(*wide, *row, symptom("LOOP-002", "d", moment=3))
    assert [(cause.requirement, [each.requirement for each in cause.beside]) for cause in found.causes] == [
        ("ERR-011", ["SAN-010"])
    ]
    assert found.blockers == {"LOOP-002": ("ERR-011",)}


@pytest.mark.parametrize(
    "other",
    [symptom("SAN-010", "e", DECLARED, weight="–"), symptom("LOOP-002", "d", moment=4, is_own=True)],
)
def test_a_contradicted_declaration_that_is_seen_without_it_or_made_what_weighs_more_is_a_cause(other: Symptom) -> None:
    wide = [symptom("ERR-021", row, LATE, 3, weight="major") for row in "abcd"]
    said = symptom("SAN-010", "d", DECLARED, 3, weight="–")
    assert {cause.requirement for cause in explain(*wide, said).causes} == {"ERR-021"}
    assert {cause.requirement for cause in explain(*wide, said, other).causes} == {"ERR-021", "SAN-010"}


def test_a_scenario_of_declarations_that_fails_otherwise_is_blocked_as_any() -> None:
    said = (symptom("SAN-010", "a", moment=99, is_own=True, weight="–"), symptom("ERR-008", "a", LATE, 7))
    found = explain(*said, symptom("ERR-008", "b", LATE, 7))
    assert [cause.requirement for cause in found.causes] == ["ERR-008"]
    assert found.blockers == {"SAN-010": ("ERR-008",)}
