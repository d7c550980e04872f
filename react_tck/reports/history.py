"""One subject over its releases: where it stands in each, and what changed from one to the next."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rich.table import Table
from rich.text import Text

from react_tck.model.report import Report, RequirementResult, Verdict

_STYLES = {
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
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("requirement", "level", *(report.subject.version for report in reports)):
        table.add_column(heading)
    for rows in zip(*(report.requirements for report in reports), strict=True):
        cells = [standing(row) for row in rows]
        changed = [False, *(before != after for before, after in pairwise(cells))]
        table.add_row(rows[0].id, rows[0].level, *map(_cell, rows, changed))
    return table


def changes(reports: Sequence[Report]) -> Iterator[str]:
    """A line for each two neighbours."""
    for before, after in pairwise(reports):
        pairs = zip(before.requirements, after.requirements, strict=True)
        told = [f"{old.id} {standing(old)} → {standing(new)}" for old, new in pairs if standing(old) != standing(new)]
        yield f"{before.subject.version} → {after.subject.version}: {'; '.join(told) or 'nothing changed'}"


def standing(requirement: RequirementResult) -> str:
    """Such as `passed`, or `failed (3)` if three scenarios are."""
    wrong = sum(1 for scenario in requirement.scenarios if scenario.verdict in (Verdict.FAILED, Verdict.ERROR))
    return f"{requirement.verdict} ({wrong})" if wrong else str(requirement.verdict)


def _cell(requirement: RequirementResult, changed: bool) -> Text:
    style = _STYLES.get(requirement.verdict, "dim")
    mark = CHANGED if changed else " " * len(CHANGED)
    return Text(f"{mark}{standing(requirement)}", style=f"bold {style}" if changed else style)
