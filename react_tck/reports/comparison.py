"""Several subjects side by side, requirement by requirement."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from react_tck.model.report import Report, Verdict

_MARKS = {
    Verdict.PASSED: ("passed", "green"),
    Verdict.FAILED: ("FAILED", "bold red"),
    Verdict.ERROR: ("ERROR", "bold red"),
    Verdict.UNTESTABLE: ("untestable", "red"),
    Verdict.UNSUPPORTED: ("unsupported", "yellow"),
}


def requirements(reports: Sequence[Report]) -> Table:
    """A row a requirement, a column a subject."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("requirement", "level", *(_name(report) for report in reports)):
        table.add_column(heading)
    for rows in zip(*(report.requirements for report in reports), strict=True):
        table.add_row(rows[0].id, rows[0].level, *(_mark(row.verdict) for row in rows))
    return table


def choices(reports: Sequence[Report]) -> Table:
    """A row a choice point, a column a subject: differences that no source forbids."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("choice", *(_name(report) for report in reports)):
        table.add_column(heading)
    for choice in dict.fromkeys(name for report in reports for name in report.choices):
        table.add_row(choice, *(report.choices.get(choice, "–") for report in reports))
    return table


def _name(report: Report) -> str:
    return f"{report.subject.name} {report.subject.version}"


def _mark(verdict: Verdict) -> Text:
    text, style = _MARKS.get(verdict, (str(verdict), "dim"))
    return Text(text, style=style)
