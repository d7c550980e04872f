"""Reports side by side: several subjects by profile, requirement and choice, or one subject over its releases."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from rich.table import Table
from rich.text import Text

from react_tck.model.report import Report, RequirementResult, Verdict
from react_tck.model.requirement import Profile
from react_tck.reports.printing import on_one_line
from react_tck.reports.standing import profiles, standing

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
        table.add_row(Text(on_one_line(subject)), *(Text("error", style="bold red") for _ in columns))
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
        table.add_row(choice, *(Text(on_one_line(report.choices.get(choice, "–"))) for report in reports))
    return table


def name(report: Report) -> Text:
    """The subject and its version; they are the subject's own words."""
    return Text(on_one_line(f"{report.subject.name} {report.subject.version}"))


def _table(*headings: Text | str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading)
    return table


def _cell(report: Report, profile: Profile) -> Text:
    found = standing(report, profile)
    if found is None:
        return Text("–", style="dim")
    style = "bold red" if found.failed else "yellow" if found.unsupported else "green"
    return Text(str(found), style=style)


def _mark(verdict: Verdict) -> Text:
    text, style = _MARKS.get(verdict, (str(verdict), "dim"))
    return Text(text, style=style)


_RELEASE_STYLES = {
    Verdict.PASSED: "green",
    Verdict.FAILED: "red",
    Verdict.ERROR: "red",
    Verdict.UNTESTABLE: "red",
    Verdict.UNSUPPORTED: "yellow",
}
#: Stands before what is not as it was in the release to the left.
CHANGED = "→ "


def releases(reports: Sequence[Report]) -> Table:
    """A row a requirement, a column a release."""
    table = _table("requirement", "level", *(on_one_line(report.subject.version) for report in reports))
    for rows in zip(*(report.requirements for report in reports), strict=True):
        cells = [ending(row) for row in rows]
        changed = [False, *(before != after for before, after in pairwise(cells))]
        table.add_row(rows[0].id, rows[0].level, *map(_changed_cell, rows, changed))
    return table


def changes(reports: Sequence[Report]) -> Iterator[str]:
    """A line for each two neighbours."""
    for before, after in pairwise(reports):
        pairs = zip(before.requirements, after.requirements, strict=True)
        told = [f"{old.id} {ending(old)} → {ending(new)}" for old, new in pairs if ending(old) != ending(new)]
        step = on_one_line(f"{before.subject.version} → {after.subject.version}")
        yield f"{step}: {'; '.join(told) or 'nothing changed'}"


def ending(requirement: RequirementResult) -> str:
    """Such as `passed`, or `failed (3)` if three scenarios are."""
    wrong = sum(1 for scenario in requirement.scenarios if scenario.verdict in (Verdict.FAILED, Verdict.ERROR))
    return f"{requirement.verdict} ({wrong})" if wrong else str(requirement.verdict)


def _changed_cell(requirement: RequirementResult, changed: bool) -> Text:
    style = _RELEASE_STYLES.get(requirement.verdict, "dim")
    mark = CHANGED if changed else " " * len(CHANGED)
    return Text(f"{mark}{ending(requirement)}", style=f"bold {style}" if changed else style)
