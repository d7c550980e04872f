"""Reports side by side: several subjects by profile, requirement and choice."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from react_tck.catalogue.registry import load_registry
from react_tck.gate.compared import Changes
from react_tck.gate.gate import Objection
from react_tck.model.report import Report, RequirementResult, Verdict
from react_tck.model.requirement import FIRST_WITH_BASIS, SEVERITIES, SPECIFICATIONS, weight_of
from react_tck.reports.printing import escape_line
from react_tck.reports.verdicts import (
    LEVELS,
    ROBUSTNESS,
    BrokenPractices,
    Standing,
    find_standing,
    list_profiles,
    standing_to,
    verdict_lines,
)
from react_tck.results.exit_status import verdicts_of

_MARKS = {
    Verdict.PASSED: ("passed", "green"),
    Verdict.FAILED: ("FAILED", "bold red"),
    Verdict.ERROR: ("ERROR", "bold red"),
    Verdict.UNTESTABLE: ("untestable", "yellow"),
    Verdict.BLOCKED: ("blocked", "red"),
    Verdict.UNSUPPORTED: ("unsupported", "yellow"),
}
LEGEND = (
    "MUST requirements: passed/failed/unsupported, beside them those that are blocked; "
    "– where the subject supports nothing of the profile"
)
LEGEND_OF_VERDICTS = (
    "MUST of each specification: passed/failed/unsupported, beside them those that are blocked, "
    "– where the subject doesn't claim it; practices broken: critical/major/minor of those that were judged"
)


def make_matrix(reports: Sequence[Report], broken: Iterable[str] = ()) -> Table:
    """Return a row a subject, a column a specification and one for practices; of the `broken` there are the names only.

    Before revision 3 a column is a profile.
    """
    cells = [collect_standings(report) for report in reports]
    columns = list(dict.fromkeys(column for found in cells for column in found))
    table = _make_table("subject", *columns)
    has_both = reports[0].revision >= FIRST_WITH_BASIS
    table.caption, table.caption_justify = LEGEND_OF_VERDICTS if has_both else LEGEND, "left"
    for report, found in zip(reports, cells, strict=True):
        table.add_row(name_subject(report), *(_make_cell(found.get(column)) for column in columns))
    for subject in broken:
        table.add_row(Text(escape_line(subject)), *(Text("error", style="bold red") for _ in columns))
    return table


def compare_requirements(reports: Sequence[Report]) -> Table:
    """Return a row a requirement, a column a subject."""
    table = _make_table("requirement", "weight", *map(name_subject, reports))
    for id_, weight, rows in by_requirement(reports):
        table.add_row(id_, weight, *(_mark_verdict(row.verdict) if row else Text("–", style="dim") for row in rows))
    return table


def compare_choices(reports: Sequence[Report]) -> Table:
    """Return a row a choice point, a column a subject: differences that no source forbids."""
    table = _make_table("choice", *map(name_subject, reports))
    for choice in dict.fromkeys(name for report in reports for name in report.choices):
        table.add_row(choice, *(Text(escape_line(report.choices.get(choice, "–"))) for report in reports))
    return table


def name_subject(report: Report) -> Text:
    """Return the subject and its version; they are the subject's own words."""
    return Text(escape_line(f"{report.subject.name} {report.subject.version}"))


def _make_table(*headings: Text | str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading)
    return table


def collect_standings(report: Report) -> dict[str, Standing | BrokenPractices | None]:
    """Return how a subject stands to each specification and in practices; before revision 3, in each profile."""
    found = verdicts_of(report)
    if found is None:
        return {profile: find_standing(report, profile) for profile in list_profiles(report)}
    practices = BrokenPractices.from_verdict(found.robustness) if found.robustness.judged else None
    return {**{each: standing_to(report, each) for each in SPECIFICATIONS}, ROBUSTNESS: practices}


def _make_cell(found: Standing | BrokenPractices | None) -> Text:
    return Text("–", style="dim") if found is None else Text(str(found), style=found.style)


def _mark_verdict(verdict: Verdict) -> Text:
    text, style = _MARKS.get(verdict, (str(verdict), "dim"))
    return Text(text, style=style)


_WEIGHTIEST_FIRST = (*LEVELS, *SEVERITIES, weight_of(None, None))


def by_requirement(reports: Sequence[Report]) -> Iterator[tuple[str, str, list[RequirementResult | None]]]:
    """Yield each requirement of any of the reports, in the registry's order; who judges see break one has it in theirs.

    It comes with its level or severity; where the reports differ in it, with each, the weightiest first.
    """
    found = [{requirement.id: requirement for requirement in report.requirements} for report in reports]
    weights: dict[str, set[str]] = {}
    for report in reports:
        for each in report.requirements:
            weights.setdefault(each.id, set()).add(each.weight)
    order = {id_: number for number, id_ in enumerate(load_registry().by_id)}
    for id_ in sorted(weights, key=lambda id_: order.get(id_, len(order))):
        yield id_, "/".join(sorted(weights[id_], key=_WEIGHTIEST_FIRST.index)), [each.get(id_) for each in found]


#: What two reports can differ in beside their subjects, and still be compared.
_CIRCUMSTANCES = ("revision", "profile", "seed")


def show_changes(found: Changes, console: Console) -> None:
    """Show what isn't alike about the two, what is worse and better by the first's baseline, what else differs."""
    console.print(Text(f"{_name_subject(found.before)} → {_name_subject(found.after)}", style="bold"))
    for line in _list_caveats(found):
        console.print(Text(escape_line(line), style="yellow"))
    _show_section("worse than the first", map(_format_objection, found.worse), console, "red")
    _show_section("better", map(_format_objection, found.better), console, "green")
    _show_section("choices", _list_differences(found.before.choices, found.after.choices), console)
    _show_section(
        "verdicts", _list_differences(_collect_verdicts(found.before), _collect_verdicts(found.after)), console
    )
    console.print()
    console.print(Text(conclude_changes(found), style="bold red" if found.worse else "bold green"))


def conclude_changes(found: Changes) -> str:
    """Such as `worse: LOOP-003, TRJ-001`, or that nothing is."""
    if ids := dict.fromkeys(each.requirement for each in found.worse):
        return f"worse: {', '.join(ids)}"
    count = len(found.shared_rows)
    return f"nothing is worse in {'1 scenario' if count == 1 else f'{count} scenarios'} that both played"


def _show_section(title: str, lines: Iterator[str], console: Console, style: str = "") -> None:
    for number, line in enumerate(lines):
        if not number:
            console.print(Text(f"\n{title}", style=f"bold {style}"))
        console.print(Text(escape_line(f"  {line}"), style=style))


def _format_objection(objection: Objection) -> str:
    return f"{objection.requirement} {objection.fact}"


def _name_subject(report: Report) -> str:
    return escape_line(f"{report.subject.name} {report.subject.version}")


def _collect_verdicts(report: Report) -> Mapping[str, str]:
    return {line.name: line.sentence for line in verdict_lines(report)}


def _list_differences(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    for name in dict.fromkeys((*before, *after)):
        was, now = before.get(name, "–"), after.get(name, "–")
        if was != now:
            yield f"{name}: {was} → {now}"


def _list_caveats(found: Changes) -> Iterator[str]:
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
    if unshared := found.unshared_rows:
        yield f"only one of them played {_fold_titles(unshared)}, which counts for nothing"


def _fold_titles(titles: Sequence[str]) -> str:
    return f"{titles[0]!r}{f' and {len(titles) - 1} more' if titles[1:] else ''}"
