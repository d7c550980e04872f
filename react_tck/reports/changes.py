"""A comparison of two reports as a person reads it in a terminal."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.text import Text

from react_tck.model.requirement import weight_in_words
from react_tck.reports.printing import escape_line, escape_text
from react_tck.reports.regressions import ChangedRows, ComparedReport, Comparison, RowChange

_STYLES = {RowChange.GONE_GREEN: "green", RowChange.RED_AT_FIRST_SIGHT: "yellow", RowChange.BY_CHANCE: "yellow"}
#: What two reports can differ in beside their subjects, and still be compared.
_CIRCUMSTANCES = ("kit", "revision", "profile", "seed")


def show_changes(found: Comparison, console: Console) -> None:
    """What isn't alike about the two, each change by its causes, and whether there is a regression."""
    console.print(Text(f"{format_title(found.before)} → {format_title(found.after)}", style="bold"))
    for line in _list_caveats(found):
        console.print(Text(escape_text(line), style="yellow"))
    for change in RowChange:
        if groups := [group for group in found.changed if group.change is change]:
            _show_rows(change, groups, console)
    if found.requirements:
        console.print(Text("\nrequirements", style="bold"))
    for each in found.requirements:
        style = "red" if each.is_regression else ""
        weight = weight_in_words(each.level, each.severity)
        line = escape_line(f"  {each.id} ({weight}): {each.before} → {each.after}")
        console.print(Text(line, style=style))
    if found.choices:
        console.print(Text("\nchoices", style="bold"))
    for choice in found.choices:
        console.print(Text(escape_line(f"  {choice.name}: {choice.before or '–'} → {choice.after or '–'}")))
    if found.verdicts:
        console.print(Text("\nverdicts", style="bold"))
    for verdict in found.verdicts:
        line = f"  {verdict.name}: {verdict.before or '–'} → {verdict.after or '–'}"
        console.print(Text(escape_line(line)))
    console.print()
    console.print(Text(conclusion_of(found), style="bold red" if found.is_regression else "bold green"))


def conclusion_of(found: Comparison) -> str:
    """Such as `regression: 3 scenarios gone red`, or that there is none."""
    lost = Counter({group.change: 0 for group in found.changed})
    for group in found.changed:
        lost[group.change] += len(group.rows) if group.is_regression else 0
    parts = [f"{format_scenarios(count)} {change}" for change, count in lost.items() if count]
    if violated := sum(each.is_regression for each in found.requirements):
        parts.append(f"{violated} requirements violated that weren't" if violated > 1 else "1 requirement violated")
    if found.is_regression:
        return f"regression: {', '.join(parts)}"
    return f"no regression in {format_scenarios(found.in_both)} that both played"


def format_title(report: ComparedReport) -> str:
    """The subject and its version; they are the subject's own words."""
    return escape_line(f"{report.subject} {report.version}")


def format_scenarios(count: int) -> str:
    """The number of scenarios with its noun: `1 scenario`, `2 scenarios`."""
    return "1 scenario" if count == 1 else f"{count} scenarios"


def _show_rows(change: RowChange, groups: Sequence[ChangedRows], console: Console) -> None:
    style = _STYLES.get(change, "red")
    console.print(
        Text(f"\n{change}: {format_scenarios(sum(len(group.rows) for group in groups))}", style=f"bold {style}")
    )
    for group in groups:
        console.print(Text(f"  {escape_line(group.cause)}: {format_scenarios(len(group.rows))}", style=style))
        for row in group.rows:
            console.print(Text(escape_line(f"    {row.requirement} {row.title}: {row.before} → {row.after}")))
            if row.reproduce:
                console.print(Text(escape_line(f"      {row.reproduce}"), style="dim"))


def _list_caveats(found: Comparison) -> Iterator[str]:
    before, after = found.before, found.after
    for name in _CIRCUMSTANCES:
        if (was := getattr(before, name)) != (now := getattr(after, name)):
            yield f"not the same {name}: {was} and {now}"
    for which, report in (("first", before), ("second", after)):
        if not report.is_whole_profile:
            yield f"the {which} is of a part of the profile {report.profile}"
        if report.interrupted:
            yield f"the {which} is of a run that was interrupted ({report.interrupted})"
        if report.kit_errors:
            yield f"the {which} is of a run in which the kit failed; it is not to be relied on"
    yield from _describe_unshared("first", found.only_before)
    yield from _describe_unshared("second", found.only_after)


def _describe_unshared(which: str, titles: Sequence[str]) -> Iterable[str]:
    if titles:
        more = f" and {len(titles) - 1} more" if len(titles) > 1 else ""
        yield f"only the {which} played {format_scenarios(len(titles))}, not counted: {titles[0]!r}{more}"
