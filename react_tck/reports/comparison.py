"""Several subjects side by side: by profile, by requirement, by choice point."""

from collections.abc import Iterable, Sequence

from rich.table import Table
from rich.text import Text

from react_tck.model.report import Report, Verdict
from react_tck.model.requirement import Profile
from react_tck.reports.safe import printable
from react_tck.reports.standing import Standing, profiles, standing

_MARKS = {
    Verdict.PASSED: ("passed", "green"),
    Verdict.FAILED: ("FAILED", "bold red"),
    Verdict.ERROR: ("ERROR", "bold red"),
    Verdict.UNTESTABLE: ("untestable", "red"),
    Verdict.UNSUPPORTED: ("unsupported", "yellow"),
}
LEGEND = "MUST requirements: passed/failed/unsupported; – where the subject supports nothing of the profile"


def matrix(reports: Sequence[Report], broken: Iterable[str] = ()) -> Table:
    """A row a subject, a column a profile; of the `broken` there are the names only."""
    columns = profiles(reports[0])
    table = _table("subject", *columns)
    table.caption, table.caption_justify = LEGEND, "left"
    for report in reports:
        table.add_row(name(report), *(_cell(report, profile) for profile in columns))
    for subject in broken:
        table.add_row(Text(printable(subject)), *(Text("error", style="bold red") for _ in columns))
    return table


def requirements(reports: Sequence[Report]) -> Table:
    """A row a requirement, a column a subject."""
    table = _table("requirement", "level", *map(name, reports))
    for rows in zip(*(report.requirements for report in reports), strict=True):
        table.add_row(rows[0].id, rows[0].level, *(_mark(row.verdict) for row in rows))
    return table


def choices(reports: Sequence[Report]) -> Table:
    """A row a choice point, a column a subject: differences that no source forbids."""
    table = _table("choice", *map(name, reports))
    for choice in dict.fromkeys(name for report in reports for name in report.choices):
        table.add_row(choice, *(Text(printable(report.choices.get(choice, "–"))) for report in reports))
    return table


def name(report: Report) -> Text:
    """The subject and its version; they are the subject's own words."""
    return Text(printable(f"{report.subject.name} {report.subject.version}"))


def _table(*headings: Text | str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading)
    return table


def _cell(report: Report, profile: Profile) -> Text:
    found = standing(report, profile)
    return Text(str(found), style=_style(found)) if found else Text("–", style="dim")


def _style(found: Standing) -> str:
    if found.failed:
        return "bold red"
    return "yellow" if found.unsupported else "green"


def _mark(verdict: Verdict) -> Text:
    text, style = _MARKS.get(verdict, (str(verdict), "dim"))
    return Text(text, style=style)
