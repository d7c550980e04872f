"""What a report says of faults, in the terminal and on the page."""

import io

from rich.console import Console

from react_tck.catalogue.features import load_features
from react_tck.model.report import Cause, Report, ScenarioResult, Verdict
from react_tck.reports.causes import show_bug_reports
from react_tck.reports.page import render_page
from tests.support.pages import unpacked
from tests.support.reports import make_report, result

ROWS = {
    id_: next(s.row_titles for s in load_features() if s.requirement_id == id_)
    for id_ in ("LOOP-003", "TRJ-001", "EXT-001")
}
CAUSE = Cause(
    requirement="LOOP-003",
    kind="goes on too long",
    rows=(ROWS["LOOP-003"][0], ROWS["TRJ-001"][0]),
    message="LOOP-003 (MUST): [red]it stops[/red]",
    reproduce="react-tck run -k x mine",
)


def report_with(*causes: Cause) -> Report:
    ends = {id_: tuple(ScenarioResult(title=row, verdict=Verdict.FAILED) for row in rows) for id_, rows in ROWS.items()}
    results = (result(id_, Verdict.FAILED, scenarios=scenarios) for id_, scenarios in ends.items())
    return make_report(*results, causes=causes)


def test_each_fault_has_its_bug_report_and_the_rows_it_explains() -> None:
    out = io.StringIO()
    show_bug_reports(report_with(CAUSE), Console(file=out, width=200))
    heads = [line.split()[0] for line in out.getvalue().splitlines() if "──" in line]
    assert sorted(heads) == ["EXT-001", "LOOP-003", "TRJ-001"]
    assert "\nrows of others: TRJ-001 1\n" in out.getvalue()


def test_what_a_subject_says_is_no_markup() -> None:
    said, out = ScenarioResult(title="x", verdict=Verdict.FAILED, message="[red]it stops[/red]"), io.StringIO()
    show_bug_reports(make_report(result("LOOP-003", Verdict.FAILED, scenarios=(said,))), Console(file=out, width=200))
    assert "[red]it stops[/red]" in out.getvalue()


def test_the_page_names_what_is_blocked_and_by_what() -> None:
    blocked = result("TRJ-001", Verdict.BLOCKED, blocked_by=("LOOP-003",))
    text = render_page([make_report(result("LOOP-003", Verdict.FAILED), blocked, causes=(CAUSE,))], {}, {})
    assert "Blocked by LOOP-003: that made it fail." in unpacked(text)["a-subject.TRJ-001"]
    assert '<td class="blocked" aria-label="blocked">■</td>' in text
    assert "blocked by another&#x27;s failure" in text
