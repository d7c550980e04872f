"""A row that failed is one, wherever it is counted: in the ledger, in JUnit, on the page and on the screen."""

from xml.etree import ElementTree

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.model.report import Verdict
from react_tck.reports.defects import count_rows, list_defects
from react_tck.reports.first_screen import render_first_screen
from react_tck.reports.formats.junit import render_junit
from react_tck.reports.page import render_page
from react_tck.results.books import Unheard
from react_tck.subjects.catalogue import resolve
from tests.support.gates import gate_of

pytest.importorskip("dspy", reason="the reference and its mutants need the extra 'reference'")

MUTANT = "mutant:tool-run-twice"
#: The sentences of three fail; in all of them tools run twice.
ROWS = (
    "The second turn goes on with the first",
    "The trajectory holds a step without args",
    "The trajectory holds every step that ran when the steps have run out [1]",
    "Functions, methods and callable objects serve as tools in a sync call [a function]",
    "The LM observes the text of a tool's error [no connection]",
)


def test_a_failed_row_is_counted_once_and_alike_everywhere() -> None:
    selection = Selection(profile="all", titles=frozenset(ROWS))
    report = Run(resolve(MUTANT), MUTANT, selection, replays=False).report(Unheard())
    own = {
        row.title: row.verdict for each in report.requirements for row in each.scenarios if each.profile != "sanitizer"
    }
    assert {Verdict.PASSED, Verdict.FAILED} <= {own[row] for row in ROWS}, "some fail, some are only seen in"
    shown = {row for cause in report.causes for row in cause.rows}
    assert sum(len(cause.rows) for cause in report.causes) == len(shown) == report.ledger.failed
    root = ElementTree.fromstring(render_junit(gate_of(report)))
    assert root.get("failures") == str(report.ledger.failed)
    page, screen = render_page([report], {}, {}), "\n".join(line.plain for line in render_first_screen(report, MUTANT))
    found = {each.id: {row.title for row in each.failed_results} for each in report.requirements}
    for defect in list_defects(report):
        assert defect.rows == len(found[defect.ids[0]])
        assert f"{defect.title}: {count_rows(defect.rows)}" in page
        assert f" {count_rows(defect.rows)}\n" in screen
