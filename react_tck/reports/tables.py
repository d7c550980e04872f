"""How requirements stand, counted by area and level. Counts, never percentages."""

from collections import Counter
from collections.abc import Iterable

from rich.table import Table

from react_tck.model.report import RequirementResult, Verdict

LEVELS = ("MUST", "SHOULD", "MAY")

_STYLES = {
    Verdict.PASSED: "green",
    Verdict.FAILED: "bold red",
    Verdict.ERROR: "bold red",
    Verdict.UNTESTABLE: "red",
    Verdict.UNSUPPORTED: "yellow",
}


def by_area(requirements: Iterable[RequirementResult]) -> Table:
    """A row an area, a column a level."""
    rows = list(requirements)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("area", *LEVELS):
        table.add_column(heading)
    for area in dict.fromkeys(area_of(row) for row in rows):
        mine = [row for row in rows if area_of(row) == area]
        table.add_row(area, *(counts(row for row in mine if row.level == level) for level in LEVELS))
    table.add_row("all", *(counts(row for row in rows if row.level == level) for level in LEVELS), style="bold")
    return table


def counts(requirements: Iterable[RequirementResult]) -> str:
    """Such as `8 passed, 1 failed`, in rich's markup."""
    found = Counter(requirement.verdict for requirement in requirements)
    parts = (f"{found[verdict]} {verdict}" for verdict in Verdict if found[verdict])
    styles = (_STYLES.get(verdict, "dim") for verdict in Verdict if found[verdict])
    return ", ".join(f"[{style}]{part}[/]" for part, style in zip(parts, styles, strict=True)) or "[dim]–[/]"


def area_of(requirement: RequirementResult) -> str:
    """The part of the id before the hyphen."""
    return requirement.id.partition("-")[0]
