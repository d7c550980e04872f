"""Crossings: what only a variation shows, no row as it is does."""

import pytest

from react_tck.catalogue.kill_matrix import load_kill_matrix
from react_tck.catalogue.sampling import strip_variation
from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.model.report import Verdict
from react_tck.results.books import Unheard
from react_tck.subjects.catalogue import resolve

pytest.importorskip("dspy", reason="the mutants need the extra 'reference'")

from react_tck.prove.mutants.variations import MUTANTS


def test_there_are_crossings_enough() -> None:
    assert len(MUTANTS) >= 12


@pytest.mark.parametrize("name", MUTANTS)
def test_a_variation_finds_a_crossing_and_the_row_itself_does_not(name: str) -> None:
    requirement = MUTANTS[name].requirement_id
    failing = load_kill_matrix().failing[name]
    rows = [row for found in failing.values() for row in found]
    assert all(strip_variation(row) != row for row in rows)
    subject, varied = f"mutant:{name}", min(failing[requirement])
    report = Run(resolve(subject), subject, Selection("all", title=varied, vary="all"), replays=False).report(Unheard())
    ended = {row.title: row.verdict for each in report.requirements for row in (*each.scenarios, *each.departures)}
    assert ended[varied] is Verdict.FAILED
    assert ended[strip_variation(varied)] is Verdict.PASSED
