"""What has changed from one report to another, as a person reads it in a terminal."""

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from react_tck.gate.compared import Changes
from react_tck.gate.gate import Objection
from react_tck.model.report import Report
from react_tck.reports.printing import escape_line
from react_tck.reports.verdicts import verdict_lines

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
