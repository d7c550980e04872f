"""The mutant that a subject behaves like."""

from tests.support.symptoms import PLAYED, explain, symptom


def nearest(*rows: str, played: frozenset[str] = PLAYED) -> tuple[str, int, int] | None:
    (cause,) = explain(*(symptom("LOOP-003", row) for row in rows), played=played).causes
    mutant = cause.nearest_mutant
    return (mutant.name, mutant.shared, mutant.failing) if mutant else None


def test_the_nearest_mutant_fails_the_same_rows() -> None:
    assert nearest("a", "b", "c") == ("goes-on", 3, 3)
    assert nearest("a", "f") == ("goes-on-once", 2, 3)


def test_a_subject_is_like_a_mutant_only_where_most_of_its_rows_fail() -> None:
    assert nearest("a") is None
    assert nearest("a", played=frozenset("a")) == ("goes-on", 1, 1)
    assert nearest("d") is None


def test_a_subject_is_like_a_mutant_only_where_the_shown_row_fails_by_the_same_requirements() -> None:
    assert nearest("c", "a", "b") is None
