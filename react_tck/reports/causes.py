"""The causes of what failed: one full block a cause, and what it explains in a line."""

from collections import Counter
from collections.abc import Iterator, Mapping

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from react_tck.catalogue.features import load_features
from react_tck.catalogue.own_features import is_own_id
from react_tck.catalogue.sampling import strip_variation
from react_tck.model.report import Cause, Report
from react_tck.reports.printing import escape_line, escape_text

#: Rows whose titles are told; of the others, how many there are.
_TOLD = 3


def show_causes(report: Report, console: Console) -> None:
    """What explains the failures, then each cause with its first failure; nothing where nothing failed."""
    if not report.causes:
        return
    titles = {each.id: each.title for each in report.requirements}
    console.print(Text(f"{_summarize_causes(report.causes)}:", style="bold"))
    for cause in report.causes:
        what = f"{titles.get(cause.requirement, cause.requirement)}, {cause.kind or cause.fault}".removesuffix(", ")
        console.print(Text(escape_line(f"  {what}: {format_extent(cause)}")))
        for line in list_beside(cause, titles):
            console.print(Text(escape_line(f"    not met either: {line}")))
    for blockers, ids in list_blocked_by(report).items():
        console.print(Text(f"  blocked by {blockers}: {', '.join(ids)}"))
    console.print()
    owners = owners_of(report)
    for cause in report.causes:
        console.print(Rule(format_headline(cause), style="red", align="left"))
        console.print(Text(escape_text(cause.message)))
        for line in _describe_cause(cause, owners):
            console.print(Text(escape_text(line)))
        console.print()


def owners_of(report: Report) -> dict[str, str]:
    """The requirement that each row is of: the kit's rows, their variations, and those of somebody's own features."""
    owners = {row: scenario.requirement_id or "" for scenario in load_features() for row in scenario.row_titles}
    own = (each for each in report.requirements if is_own_id(each.id))
    owners |= {result.title: each.id for each in own for result in each.scenarios}
    played = [result.title for each in report.requirements for result in each.scenarios if result.variation]
    return owners | {title: owners[strip_variation(title)] for title in played}


def format_headline(cause: Cause) -> str:
    """Such as `LOOP-003, goes on too long`."""
    return f"{cause.requirement}, {cause.kind}" if cause.kind else cause.requirement


def list_blocked_by(report: Report) -> dict[str, list[str]]:
    """What is blocked, by the names of what blocks it."""
    blocked: dict[str, list[str]] = {}
    for each in report.requirements:
        if each.blocked_by:
            blocked.setdefault(" and ".join(each.blocked_by), []).append(each.id)
    return blocked


def list_beside(cause: Cause, titles: Mapping[str, str]) -> list[str]:
    """What was seen only where the cause made rows fail and weighs more, a line each; by title where there is one."""
    return [
        f"{titles.get(each.requirement, each.requirement)}, {each.fault}: seen in {_count_scenarios(len(each.rows))}"
        for each in cause.beside
    ]


def describe_likeness(cause: Cause) -> str | None:
    """What the subject behaves like."""
    if cause.nearest_mutant is None:
        return None
    nearest = cause.nearest_mutant
    fits = f"{nearest.shared} of the {nearest.failing} scenarios that it fails"
    return f"behaves like the mutant `{nearest.name}` ({fits}): {nearest.sentence}"


def count_blocked(cause: Cause, owners: dict[str, str]) -> Counter[str]:
    """So many failed rows of other requirements that the cause explains."""
    return Counter(owners[row] for row in cause.failed_rows if owners[row] != cause.requirement)


def _summarize_causes(causes: tuple[Cause, ...]) -> str:
    """`1 cause explains 526 of 530 failed scenarios`, as far as that is most of them."""
    failed = sum(cause.explains for cause in causes)
    if len(causes) == 1:
        return f"1 cause explains all of {failed} failed scenarios" if failed > 1 else "1 failed scenario"
    first = causes[0].explains
    return f"{len(causes)} causes; the first explains {first} of {failed} failed scenarios"


def _describe_cause(cause: Cause, owners: dict[str, str]) -> Iterator[str]:
    if like := describe_likeness(cause):
        yield f"\n{like}"
    own = [row for row in cause.failed_rows if owners[row] == cause.requirement]
    if len(own) > 1:
        more = f" and {len(own) - _TOLD} more" if len(own) > _TOLD else ""
        yield f"\nrows of {cause.requirement}: {'; '.join(own[:_TOLD])}{more}"
    for each in cause.beside:
        yield f"\n{each.requirement} isn't met either: {each.fault}\nreproduce: {each.reproduce}"
    if others := count_blocked(cause, owners):
        listed = ", ".join(f"{id_} {count}" for id_, count in others.most_common())
        yield f"\nblocked by it: {listed}"


def format_extent(cause: Cause) -> str:
    """Such as `5 scenarios, and seen in 2 more`: the first are failed rows, as the ledger counts them."""
    seen = len(cause.rows) - cause.explains
    parts = [_count_scenarios(cause.explains)] if cause.explains else []
    if seen:
        parts.append(f"seen in {seen} more" if parts else f"seen in {_count_scenarios(seen)}")
    return ", and ".join(parts)


def _count_scenarios(rows: int) -> str:
    return "1 scenario" if rows == 1 else f"{rows} scenarios"
