"""The report of a run as a person reads it in a terminal."""

from collections.abc import Mapping

from rich.console import Console
from rich.text import Text

from react_tck.gate.gate import Gate, Objection
from react_tck.judges.choices.declared import is_reported_as_declared
from react_tck.model.report import NOT_ASKED, Report, Verdict
from react_tck.reports.causes import show_bug_reports
from react_tck.reports.first_screen import render_first_screen, render_head, render_varying
from react_tck.reports.printing import escape_line, escape_text
from react_tck.reports.verdicts import by_area, conclude_run, describe_subject

#: Failed rows of a part of a profile, of which each fault is told in full at once.
_FEW = 5


def show_report(
    report: Report,
    console: Console,
    subject: str,
    details: int = 0,
    seconds: float | None = None,
    row_seconds: Mapping[str, float] | None = None,
) -> None:
    """Print what there is to say once the run is over.

    Args:
        report: the report of the run.
        console: where it goes.
        subject: what the user called the subject.
        details: 0 for the first screen, 1 for the bug report of each fault too, 2 for everything.
        seconds: how long the run took, if that is told.
        row_seconds: how long rows took, those of which that is known.
    """
    failed = sum(len(each.failed_results) for each in report.requirements)
    is_told_in_full = not report.is_whole_profile and failed <= _FEW
    short = [render_head(report, seconds), *render_varying(report)]
    for line in short if is_told_in_full else render_first_screen(report, subject, seconds, row_seconds or {}):
        console.print(line)
    if details or is_told_in_full:
        show_bug_reports(report, console)
    if details > 1:
        _show_details(report, console)
    for error in report.kit_errors:
        console.print(Text(f"a bug of the kit, not of the subject: {escape_text(error)}", style="bold red"))
    if is_told_in_full:
        console.print(Text(_count_ends(report), style="dim"))
        console.print(conclude_run(report))


def _show_details(report: Report, console: Console) -> None:
    """Print what the subject is held to, what wasn't asked, areas, choices and the ledger."""
    for line in describe_subject(report):
        console.print(Text(line))
    _show_not_asked(report, console)
    console.print(by_area(report.requirements))
    _show_choices(report, console)
    if report.is_whole_profile and not any(row.variation for each in report.requirements for row in each.scenarios):
        console.print("each row was played as it is; --vary sample varies them, too", style="dim", highlight=False)
    console.print(f"ledger: {_format_ledger(report)}", style="dim", highlight=False)


def _show_not_asked(report: Report, console: Console) -> None:
    reasons: dict[tuple[Verdict, str], list[str]] = {}
    for requirement in report.requirements:
        for scenario in requirement.scenarios:
            if scenario.verdict in NOT_ASKED:
                reasons.setdefault((scenario.verdict, scenario.message), []).append(requirement.id)
    for (verdict, reason), ids in reasons.items():
        console.print(Text(f"{verdict}: {escape_line(reason)}: {', '.join(dict.fromkeys(ids))}", style="yellow"))
    if reasons:
        console.print()


def _show_choices(report: Report, console: Console) -> None:
    if report.choices:
        console.print("\nchoices observed", style="bold")
        for name, variant in report.choices.items():
            declared = report.declared.get(name)
            is_other = declared is not None and not is_reported_as_declared(declared, variant.split("; "))
            beside = f" (declared: {declared})" if is_other else ""
            console.print(Text(f"  {name}: {escape_line(variant + beside)}"))


def _count_ends(report: Report) -> str:
    """Such as `2 passed, 13 unsupported`."""
    counts = report.ledger.model_dump(exclude={"registered", "not_selected"})
    return ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in counts.items() if count)


def _format_ledger(report: Report) -> str:
    counts = report.ledger.model_dump()
    registered = counts.pop("registered")
    parts = (f"{count} {name.replace('_', ' ')}" for name, count in counts.items())
    return f"{registered} registered = {' + '.join(parts)}"


def show_gate(gate: Gate, console: Console) -> None:
    """Show the flakes with both sides of where their plays part, the objections, and whether it is open."""
    for flake in gate.report.flakes:
        console.print(Text(escape_line(f"{flake.requirement} {flake.summary_sentence}"), style="yellow"))
        if flake.parting.first:
            console.print(Text(f"  in the run: {escape_line(flake.parting.first)}"))
            console.print(Text(f"  alone:      {escape_line(flake.parting.second)}"))
    for objection in gate.objections:
        console.print(
            Text(escape_text(format_objection(gate, objection)), style="yellow" if objection.is_stale else "red")
        )
    if said := standing_of(gate):
        console.print(Text(said, style="bold red" if gate.objections else "bold green"))


def standing_of(gate: Gate) -> str:
    """Tell whether it is open, and why; empty where there is no gate."""
    if gate.section is None and not gate.objections:
        return ""
    file = gate.places.baseline
    flaky = f", {len(gate.report.flakes)} flaky" if gate.report.flakes else ""
    expected = f"{gate.gated_report.ledger.expected_failures} expected failures"
    if not gate.objections:
        return f"gate: open; {expected}, as {file} lists them{flaky}"
    if all(objection.is_stale for objection in gate.objections):
        return f"gate: closed; nothing is broken, but {file} is out of date{flaky}"
    wrong = sum(not objection.is_stale for objection in gate.objections)
    return f"gate: closed, objections: {wrong}; {expected}{flaky}"


def format_objection(gate: Gate, objection: Objection) -> str:
    """Such as `react-tck.baseline.toml:12: LOOP-003 'stops' passes and is listed as a failure`."""
    place = f"{gate.places.baseline}:{objection.line}: " if objection.line else ""
    return f"{place}{objection.requirement} {objection.text}".strip()
