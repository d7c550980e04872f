"""Every report shows both verdicts, and calls no practice a MUST."""

import io
import json

import pytest

from react_tck.gate.compared import compare_reports
from react_tck.gate.gate import Gate
from react_tck.model.report import Cause, Ledger, Report, ScenarioResult, Verdict
from react_tck.reports.comparison import show_changes
from react_tck.reports.formats.badge import render_endpoint
from react_tck.reports.formats.summary import render_summary
from react_tck.reports.page import render_page
from react_tck.reports.printing import terminal
from react_tck.reports.terminal import show_report
from tests.support.gates import gate_of
from tests.support.reports import make_report, practice, result

FAILED, PASSED = Verdict.FAILED, Verdict.PASSED
CONFORMS = "conformant: 1 of 1 MUST met"
DOES_NOT = "not conformant: 1 of 2 MUST met; not met: TRJ-005"
BROKEN = "broken: 1 critical, 1 major, 1 minor of 4"
OTHERWISE = "'tool-error' is not as declared"


def _rows(verdict: Verdict, title: str) -> tuple[ScenarioResult, ...]:
    return (ScenarioResult(title=title, verdict=verdict, message="seen", fault=OTHERWISE if "tool" in title else "f"),)


@pytest.fixture(name="report")
def _report() -> Report:
    return make_report(
        result("TRJ-001", PASSED, specification="react-module", scenarios=_rows(PASSED, "is there")),
        result("TRJ-005", FAILED, specification="react-module", scenarios=_rows(FAILED, "is whole")),
        result("SAN-010", FAILED, level=None, profile="sanitizer", scenarios=_rows(FAILED, "a tool")),
        result("UDS-001", PASSED, specification="udspy", profile="udspy", scenarios=_rows(PASSED, "keys")),
        practice("ERR-002", FAILED, "critical", scenarios=_rows(FAILED, "guesses")),
        practice("ERR-010", FAILED, "major", scenarios=_rows(FAILED, "changes")),
        practice("ERR-014", FAILED, "minor", scenarios=_rows(FAILED, "escapes")),
        practice("ERR-015", PASSED, "major", scenarios=_rows(PASSED, "stops")),
        revision=3,
        claims=("react-module", "udspy"),
        ledger=Ledger(registered=8, passed=3, failed=5),
        causes=(Cause(requirement="ERR-010", kind="changes", rows=("changes",), message="seen"),),
    )


@pytest.fixture(name="gate")
def _gate(report: Report) -> Gate:
    return gate_of(report)


def test_the_terminal(report: Report) -> None:
    said = io.StringIO()
    show_report(report, terminal(said, width=100), "mine", details=2)
    text = said.getvalue()
    assert "\nNOT CONFORMANT to react-module  1 of 2 MUST met\n" in text
    assert "\nCONFORMANT to udspy             1 of 1 MUST met\n" in text
    assert "\nrobustness                      broken: 1 critical, 1 major, 1 minor of 4\n" in text
    assert "\ndeclared otherwise\n  SAN-010" in text
    assert "held to react-module, udspy\n" in text
    heading = next(line for line in text.splitlines() if line.startswith("area"))
    assert heading.split() == ["area", "MUST", "SHOULD", "MAY", "critical", "major", "minor"]


@pytest.mark.parametrize(("variation", "lines"), [("", 1), ("async", 0)])
def test_a_run_says_in_one_line_that_no_row_was_varied(report: Report, variation: str, lines: int) -> None:
    first, *others = report.requirements
    varied = (*first.scenarios, ScenarioResult(title="is there, async", verdict=PASSED, variation=variation))
    said, played = io.StringIO(), first.model_copy(update={"scenarios": varied})
    show_report(
        report.model_copy(update={"requirements": (played, *others)}), terminal(said, width=100), "mine", details=2
    )
    assert said.getvalue().count("each row was played as it is; --vary sample varies them, too") == lines


def test_the_summary_of_a_job(gate: Gate) -> None:
    text = render_summary(gate)
    assert text.startswith("### a subject 1\n\n- **react-module**: not conformant: 1 of 2 MUST met; not met: TRJ-005\n")
    assert f"- **robustness**: {BROKEN}\n- **declared otherwise**: {OTHERWISE}\n" in text
    assert "| MUST and practices | passed | failed | blocked | expected | flaky | unsupported |" in text
    assert "| react-module | 1 | 1 | 0 | 0 | 0 | 0 |\n| udspy | 1 | 0 | 0 | 0 | 0 | 0 |" in text
    assert "| practices, major | 1 | 1 | 0 | 0 | 0 | 0 |" in text


def test_the_badge(gate: Gate) -> None:
    shown = json.loads(render_endpoint(gate))
    assert shown["message"] == f"core: 2 of 3 MUST, practices {BROKEN}, 1 declared otherwise"
    assert shown["color"] == "red"


def test_the_page(report: Report) -> None:
    text = render_page([report], {}, {})
    assert f"<b>robustness</b> {BROKEN}<" in text
    groups = [text.index(f"<h3>{group}</h3>") for group in ("MUST not met", "declared otherwise", "critical", "minor")]
    assert groups == sorted(groups)
    # Specifications come first in the picture, practices after them, and what counts in no verdict last.
    order = [text.index(f'data-id="{id_}"') for id_ in ("TRJ-001", "TRJ-005", "UDS-001", "ERR-002", "ERR-014")]
    assert order == sorted(order)
    assert "ERR<small> practice</small>" in text
    assert '<option value="critical">' in text


def test_a_comparison(report: Report) -> None:
    mended = report.model_copy(
        update={"requirements": tuple(each.model_copy(update={"verdict": PASSED}) for each in report.requirements)}
    )
    found = compare_reports(report, mended)
    said = io.StringIO()
    show_changes(found, terminal(said, width=200))
    assert f"  robustness: {BROKEN} → broken: none of 4\n" in said.getvalue()
    assert found.worse == []
    assert f"  declared otherwise: {OTHERWISE} → –\n" in said.getvalue()
