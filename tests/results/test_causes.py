"""One fault is told as one cause: three sentences say what a failed row is held against."""

import pytest

from react_tck.model.report import ScenarioResult, Verdict
from react_tck.results.causes import Explanation, Symptom, explain_symptoms

LATE = "goes on too long"
DECLARED = "tool-error is not as declared"


def seen(requirement_id: str, row: str, moment: int | None = None, kind: str = "", weight: str = "MUST") -> Symptom:
    """What a judge saw in a row; the oracle, if it is of a kind."""
    result = ScenarioResult(title=row, verdict=Verdict.FAILED, kind=kind, moment=moment, reproduce=f"run {row}")
    return Symptom(requirement_id, result, is_own=False, weight=weight)


def failed(requirement_id: str, row: str, moment: int | None = None, weight: str = "MUST") -> Symptom:
    """That the row's own sentence failed."""
    found = seen(requirement_id, row, moment, weight=weight)
    return Symptom(requirement_id, found.result, is_own=True, weight=weight)


def explain(*found: Symptom) -> Explanation:
    return explain_symptoms(found, {})


def causes_of(*found: Symptom) -> dict[str, tuple[str, ...]]:
    """The rows of each cause, in the order of the causes."""
    return {cause.requirement: cause.rows for cause in explain(*found).causes}


def test_without_findings_there_is_no_cause() -> None:
    assert explain() == Explanation()


def test_a_departure_explains_the_sentences_that_fail_after_it_and_blocks_their_requirements() -> None:
    found = explain(
        *(seen("LOOP-003", row, 5, LATE) for row in "abcd"),
        failed("TRJ-001", "b"),
        failed("EXT-001", "c", 5),
        failed("EXT-001", "d", 9),
        failed("SIG-001", "e", 0),
    )
    first, second = found.causes
    assert (first.requirement, first.kind, first.rows) == ("LOOP-003", LATE, ("a", "b", "c", "d"))
    assert (second.requirement, second.rows) == ("SIG-001", ("e",))
    assert found.blockers == {"TRJ-001": ("LOOP-003",), "EXT-001": ("LOOP-003",)}


@pytest.mark.parametrize(("moment", "kind"), [(6, LATE), (3, ""), (None, LATE)])
def test_a_later_departure_and_what_is_none_leave_a_row_to_its_own_requirement(moment: int | None, kind: str) -> None:
    rows = [found for row in "ab" for found in (failed("SIG-001", row, 5), seen("LOOP-003", row, moment, kind))]
    found = explain(*rows, seen("LOOP-003", "c", 5, LATE))
    assert {cause.requirement: cause.rows for cause in found.causes} == {"SIG-001": ("a", "b"), "LOOP-003": ("c",)}


def test_one_fault_that_shows_in_two_requirements_is_told_once() -> None:
    both = failed("PRS-001", "a"), failed("ERR-010", "b")
    (cause,) = explain_symptoms(both, {"ERR-010": ("PRS-001",)}).causes
    assert (cause.requirement, cause.rows) == ("PRS-001", ("a", "b"))


def test_of_several_departures_the_earliest_explains_the_sentence() -> None:
    rows = (seen("EXT-001", "a", 7, LATE), seen("LOOP-004", "a", 5, LATE), failed("TRJ-001", "a", 9))
    assert causes_of(*rows, seen("LOOP-004", "b", 5, LATE)) == {"LOOP-004": ("a", "b")}


def test_a_row_whose_sentence_failed_keeps_its_own_requirement_beside_the_departure() -> None:
    """Of one row each explains as much; that whose own sentence says so comes first."""
    found = explain(seen("LOOP-003", "a", 5, LATE), failed("EXT-001", "a", 7))
    assert [cause.requirement for cause in found.causes] == ["EXT-001"]
    assert found.blockers == {"LOOP-003": ("EXT-001",)}


def test_a_row_whose_sentence_held_is_held_against_all_that_was_seen_in_it() -> None:
    rows = (seen("SAN-004", "a", 3), seen("LOOP-002", "a", 5, LATE), seen("SAN-004", "b", 3))
    assert causes_of(*rows) == {"SAN-004": ("a", "b")}


def test_the_causes_are_few_and_each_row_is_counted_once() -> None:
    found = causes_of(
        *(failed("SIG-001", row, 0) for row in "ab"),
        *(seen("LOOP-003", row, 5, LATE) for row in "bcdef"),
        *(failed("EXT-001", row) for row in "cde"),
    )
    assert found == {"LOOP-003": ("c", "d", "e", "f"), "SIG-001": ("a", "b")}


def test_of_as_many_rows_that_comes_first_whose_own_sentence_failed_and_then_the_weightier() -> None:
    own = failed("CTX-001", "a", weight="minor")
    assert [*causes_of(seen("LOOP-002", "b", 3), own)] == ["CTX-001", "LOOP-002"]
    light = seen("CTX-001", "a", 3, weight="critical")
    assert [*causes_of(light, seen("LOOP-002", "b", 3))] == ["LOOP-002", "CTX-001"]


def test_what_is_blocked_is_so_by_the_causes_of_its_rows_that_of_most_first() -> None:
    rows = [
        *(seen("LOOP-003", row, 5, LATE) for row in "abc"),
        *(seen("LOOP-004", row, 5, LATE) for row in "defg"),
        *(failed("EXT-001", row, 7) for row in "cde"),
    ]
    assert explain(*rows).blockers == {"EXT-001": ("LOOP-004", "LOOP-003")}
    assert explain(*rows, failed("EXT-001", "h", 1)).blockers == {}


def test_a_cause_is_told_by_its_own_sentence_where_one_of_its_rows_has_it() -> None:
    (cause,) = explain(seen("LOOP-003", "a"), failed("LOOP-003", "b")).causes
    assert (cause.rows, cause.reproduce) == (("a", "b"), "run b")


def test_what_comes_no_earlier_than_what_is_declared_otherwise_is_held_against_nobody() -> None:
    found = explain(seen("SAN-010", "a", 3, DECLARED), seen("LOOP-003", "a", 3, LATE), failed("ERR-007", "a", 5))
    assert [(cause.requirement, cause.rows) for cause in found.causes] == [("SAN-010", ("a",))]
    assert found.blockers == {"ERR-007": ("SAN-010",), "LOOP-003": ("SAN-010",)}


def test_what_came_before_what_is_declared_otherwise_is_a_cause_and_neither_is_blocked() -> None:
    found = explain(failed("ERR-007", "a", 2), seen("SAN-010", "a", 3, DECLARED))
    assert [cause.requirement for cause in found.causes] == ["ERR-007"]
    assert found.blockers == {}
