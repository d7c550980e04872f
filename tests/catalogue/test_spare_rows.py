"""Rows of outlines that no mutant needs."""

from pathlib import Path

from react_tck.catalogue.features import RowInfo, ScenarioInfo
from react_tck.catalogue.kill_matrix import KillMatrix, build_kill_matrix
from react_tck.catalogue.spare_rows import describe_spare_rows, find_spare_rows

ROWS = ("It runs [1]", "It runs [2]", "It runs [3]", "It runs [4]")


def _make_outline(*, is_outline: bool = True) -> ScenarioInfo:
    rows = tuple(RowInfo(title, (), ()) for title in ROWS)
    return ScenarioInfo(
        Path("a.feature"), 1, "A", None, "It runs", "", ("LOOP-001",), (), is_outline=is_outline, rows=rows
    )


MATRIX = build_kill_matrix(
    [
        ("one", "LOOP-001", ROWS[0]),
        ("both", "LOOP-001", ROWS[0]),
        ("both", "LOOP-001", ROWS[1]),
        ("last", "LOOP-001", ROWS[3]),
        ("both", "LOOP-002", ROWS[2]),
    ]
)


def test_rows_without_a_mutant_of_their_own_are_named() -> None:
    spare = [*find_spare_rows([_make_outline()], MATRIX)]
    assert [(each.title, each.instead) for each in spare] == [(ROWS[1], ROWS[0]), (ROWS[2], None)]
    assert [str(each) for each in spare] == [
        "each mutant that fails in 'It runs [2]' does so in 'It runs [1]'",
        "no mutant fails in 'It runs [3]'",
    ]


def test_of_rows_with_the_same_mutants_the_first_is_needed() -> None:
    matrix = build_kill_matrix([("all", "LOOP-001", row) for row in ROWS])
    assert [each.instead for each in find_spare_rows([_make_outline()], matrix)] == [ROWS[0]] * 3


def test_a_scenario_that_is_no_outline_has_none() -> None:
    assert not [*find_spare_rows([_make_outline(is_outline=False)], MATRIX)]


def test_the_linter_counts_rows_that_no_mutant_needs() -> None:
    assert [*describe_spare_rows([_make_outline()], MATRIX)] == [
        "2 rows of outlines are needed by no mutant; in 1 of them none fails "
        "(python -m react_tck.catalogue.spare_rows names them all)",
    ]
    assert not [*describe_spare_rows([_make_outline()], KillMatrix())]
