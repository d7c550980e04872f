"""A bug of the kit in one row is told of, and costs neither the report nor the other rows."""

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.engine import judging
from react_tck.judges.table import JUDGES
from react_tck.processes.supervised import SupervisedRun
from react_tck.record.evidence import Evidence
from react_tck.results.exit_status import Exit, exit_status
from tests.support.suite_checks import TITLE, Heard

pytest.importorskip("dspy", reason="needs the extra 'reference'")


def test_an_error_of_the_kit_costs_neither_the_report_nor_the_other_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    class Careless:
        name = "careless"
        account = "departures"

        def find_violations(self, evidence: Evidence) -> object:
            if evidence.episode.case.id.endswith(TITLE):
                raise ZeroDivisionError("no judge divides")
            return ()

    monkeypatch.setattr(judging, "JUDGES", (*JUDGES, Careless()))
    report = SupervisedRun("reference", Selection(tags="@LOOP-001 or @SIG-001")).report(Heard())
    assert report.ledger.balances
    assert (report.ledger.errors, report.ledger.not_run) == (0, 0)
    assert [error.partition(": ZeroDivisionError: no judge divides")[0] for error in report.kit_errors] == [TITLE]
    assert exit_status(report) is Exit.KIT_BUG
