"""What a report says of causes, in the terminal and on the page."""

import io

from rich.console import Console

from react_tck.catalogue.features import load_features
from react_tck.model.report import Cause, Report, ScenarioResult, Verdict
from react_tck.reports.causes import show_causes
from react_tck.reports.page import render_page
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


def told(*causes: Cause) -> str:
    return told_of(report_with(*causes))


def report_with(*causes: Cause) -> Report:
    ends = {id_: tuple(ScenarioResult(title=row, verdict=Verdict.FAILED) for row in rows) for id_, rows in ROWS.items()}
    results = (result(id_, Verdict.FAILED, scenarios=scenarios) for id_, scenarios in ends.items())
    return make_report(*results, causes=causes)


def told_of(report: Report) -> str:
    out = io.StringIO()
    show_causes(report, Console(file=out, width=200))
    return out.getvalue()


def test_one_cause_explains_all() -> None:
    text = told(CAUSE)
    summary = "1 cause explains all of 2 failed scenarios:\n  LOOP-003 (MUST), goes on too long: 2 scenarios\n"
    assert text.startswith(summary)
    assert "rows of others: TRJ-001 1\n" in text


def test_what_is_blocked_is_named_and_by_what() -> None:
    first, *others = report_with(CAUSE).requirements
    blocked = (each.model_copy(update={"verdict": Verdict.BLOCKED, "blocked_by": ("LOOP-003",)}) for each in others)
    text = told_of(make_report(first, *blocked, causes=(CAUSE,)))
    assert "2 scenarios\n  blocked by LOOP-003: TRJ-001, EXT-001\n" in text


def test_the_page_names_what_is_blocked_and_by_what() -> None:
    blocked = result("TRJ-001", Verdict.BLOCKED, blocked_by=("LOOP-003",))
    text = render_page([make_report(result("LOOP-003", Verdict.FAILED), blocked, causes=(CAUSE,))], {}, {})
    assert "blocked by LOOP-003:" in text
    assert '<td class="blocked" aria-label="blocked">■</td>' in text
    assert "blocked by another&#x27;s failure" in text
