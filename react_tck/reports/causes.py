"""The bug reports of a run, one a fault; and its causes in a few words."""

from collections import Counter
from collections.abc import Iterator

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from react_tck.catalogue.features import load_features
from react_tck.catalogue.sampling import strip_variation
from react_tck.model.report import Cause, Report, Verdict
from react_tck.reports.defects import EXPECTED, list_broken_harness, list_defects
from react_tck.reports.printing import escape_text

#: Rows whose titles are told; of the others, how many there are.
_TOLD = 3


def show_bug_reports(report: Report, console: Console) -> None:
    """Print the bug report of each fault that nobody expected, the weightiest first; then of what broke the harness."""
    owners = owners_of(report)
    causes = {cause.requirement: cause for cause in report.causes}
    for defect in list_defects(report):
        if defect.group is not EXPECTED:
            console.print(Rule(", ".join(defect.ids), style="red", align="left"))
            console.print(Text(escape_text(defect.shown.message)))
            for cause in filter(None, map(causes.get, defect.ids)):
                for line in _describe_cause(cause, owners):
                    console.print(Text(escape_text(line)))
            console.print()
    for (requirement, row), *others in list_broken_harness(report):
        console.print(Rule(f"{requirement.id} {Verdict.ERROR}", style="red", align="left"))
        ids = ", ".join(dict.fromkeys(each.id for each, _ in others))
        console.print(Text(escape_text(row.message)))
        console.print(Text(f"\n{len(others)} more rows end so: {ids}\n" if others else ""))


def owners_of(report: Report) -> dict[str, str]:
    """Name the requirement that each row is of: as the features say, or else whose rows it is among.

    Among a sanitizer's are those in which it was seen.
    """
    shipped = {row: scenario.requirement_id for scenario in load_features() for row in scenario.row_titles}
    owners: dict[str, str] = {}
    for requirement in sorted(report.requirements, key=lambda each: each.profile == "sanitizer"):
        for result in requirement.scenarios:
            owners.setdefault(result.title, shipped.get(strip_variation(result.title)) or requirement.id)
    return owners


def format_headline(cause: Cause) -> str:
    """Such as `LOOP-003, goes on too long`."""
    return f"{cause.requirement}, {cause.kind}" if cause.kind else cause.requirement


def _describe_cause(cause: Cause, owners: dict[str, str]) -> Iterator[str]:
    own = [row for row in cause.rows if owners[row] == cause.requirement]
    if len(own) > 1:
        more = f" and {len(own) - _TOLD} more" if len(own) > _TOLD else ""
        yield f"\nrows of {cause.requirement}: {'; '.join(own[:_TOLD])}{more}"
    if others := Counter(owners[row] for row in cause.rows if owners[row] != cause.requirement):
        listed = ", ".join(f"{id_} {count}" for id_, count in others.most_common())
        yield f"\nrows of others: {listed}"
