"""Reports side by side: they needn't be about the same requirements, for judges see others broken."""

import io

from rich.console import Console
from rich.table import Table

from react_tck.model.report import ScenarioResult, Verdict
from react_tck.reports.comparison import compare_requirements
from tests.support.reports import make_report, result

FAILED = ScenarioResult(title="it stops", verdict=Verdict.FAILED)
#: A core profile, in the second report of which a requirement of another profile is broken.
ONE = make_report(result("LOOP-001", Verdict.PASSED), result("SAN-001", Verdict.PASSED, profile="sanitizer"))
OTHER = make_report(
    result("LOOP-001", Verdict.FAILED, scenarios=(FAILED,)),
    result("SAN-001", Verdict.PASSED, profile="sanitizer"),
    result("ERR-001", Verdict.FAILED, profile="robustness", departures=(FAILED,)),
)


def lines(table: Table) -> list[list[str]]:
    out = io.StringIO()
    Console(file=out, width=200).print(table)
    return [line.split() for line in out.getvalue().splitlines()[1:]]


def test_subjects_side_by_side() -> None:
    assert lines(compare_requirements([ONE, OTHER])) == [
        ["LOOP-001", "MUST", "passed", "FAILED"],
        ["SAN-001", "MUST", "passed", "passed"],
        ["ERR-001", "MUST", "–", "FAILED"],
    ]
