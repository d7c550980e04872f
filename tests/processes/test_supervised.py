"""A run in supervised processes gives the report of a run in this one, byte for byte."""

import shlex
import sys

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.model.report import ScenarioResult, Verdict
from react_tck.processes.supervised import SupervisedRun
from react_tck.results.books import Books, Unheard
from react_tck.results.ledger import Results, Unbalanced
from react_tck.subjects.api import HarnessBroken
from react_tck.subjects.catalogue import UnknownSubject, close_subject, resolve
from react_tck.subjects.config import ConfigError
from tests.support.suite_checks import TITLE, Heard

SOME = Selection(profile="all", tags="@LOOP-001 or @LOOP-003 or @TRJ-005")


def alone(name: str, selection: Selection) -> tuple[str, list[ScenarioResult]]:
    subject, heard = resolve(name), Heard()
    try:
        return Run(subject, name, selection).report(heard).model_dump_json(), heard.results
    finally:
        close_subject(subject)


def shared(name: str, selection: Selection, processes: int) -> tuple[str, list[ScenarioResult]]:
    heard = Heard()
    report = SupervisedRun(name, selection, processes=processes).report(heard)
    assert heard.announced == len(heard.results)
    return report.model_dump_json(), heard.results


def test_the_same_bytes(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, int]] = [("mutant:tool-run-twice", 2), ("python:tests.support.cheaters:leaver", 2)]
    for name, processes in cases:
        with subtests.test(name=name, processes=processes):
            pytest.importorskip("dspy", reason="needs the extra 'reference'")
            assert shared(name, SOME, processes) == alone(name, SOME)


@pytest.mark.all
def test_the_same_bytes_over_a_wire() -> None:
    pytest.importorskip("dspy", reason="needs the extra 'reference'")
    harness = f"-- {shlex.join([sys.executable, '-m', 'react_tck', 'harness', 'mutant:tool-run-twice'])}"
    assert shared(harness, SOME, 2) == alone(harness, SOME)


def test_a_subject_that_ends_the_process_before_it_says_who_it_is(subtests: pytest.Subtests) -> None:
    for processes in [1, 2]:
        with subtests.test(processes=processes):
            name = "python:tests.support.subjects_gone_wrong:ends_the_process"
            with pytest.raises(
                HarnessBroken, match="the subject ended its process: exited with status 0\nbefore it said"
            ):
                SupervisedRun(name, Selection(title=TITLE), processes=processes).report(Heard())


def test_a_subject_that_cannot_be_had_is_told_as_in_one_process(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, type[Exception]]] = [
        ("python:no.such:module", UnknownSubject),
        ("no-such.toml", ConfigError),
        ("x:y", UnknownSubject),
    ]
    for name, error in cases:
        with subtests.test(name=name, error=error):
            with pytest.raises(error) as one:
                resolve(name)
            with pytest.raises(error) as other:
                SupervisedRun(name, Selection(title=TITLE)).report(Heard())
            assert str(one.value) == str(other.value)


def test_what_is_found_stands_in_the_order_of_the_rows_whenever_it_was() -> None:
    books = Books(Selection(profile="all", tags="@LOOP-001 or @LOOP-003"), Unheard())
    first, second = list(books.owed)[:2]
    for row in (second, first):
        found = Results(kit_errors=[f"in {row}"])
        found.add_violation("sanitizers", "SAN-001", ScenarioResult(title=row, verdict=Verdict.FAILED))
        books.end_row(row, found)

    whole = books.close_books(is_interrupted=True)

    assert [violation.title for violation in whole.violations["SAN-001"]] == [first, second]
    assert whole.kit_errors == [f"in {first}", f"in {second}"]


def test_a_row_that_nobody_reports_is_missing_rather_than_not_selected() -> None:
    books = Books(Selection(title=TITLE), Unheard())
    with pytest.raises(Unbalanced):
        books.close_books().make_ledger()
