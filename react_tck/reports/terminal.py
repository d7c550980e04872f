"""The report of a run as a person reads it in a terminal."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from react_tck.catalogue.features import ScenarioInfo
from react_tck.gate.gate import Gate, Objection
from react_tck.judges.choices.declared import is_reported_as_declared
from react_tck.model.report import NOT_ASKED, Report, RequirementResult, ScenarioResult, Verdict
from react_tck.model.requirement import FIRST_WITH_BASIS
from react_tck.reports.causes import show_causes
from react_tck.reports.printing import escape_line, escape_text
from react_tck.reports.verdicts import (
    by_area,
    count_blocked_musts,
    describe_subject,
    format_counts,
    is_unmet,
    list_areas,
    list_judged_areas,
    verdict_lines,
)
from react_tck.results.exit_status import (
    broken_practices,
    declared_otherwise,
    is_conformant,
    list_blocked,
    list_unmet,
    shows_anything,
    unsupported_core,
)

_DOTS = {
    Verdict.PASSED: ("·", "green"),
    Verdict.FAILED: ("F", "bold red"),
    Verdict.UNSUPPORTED: ("u", "yellow"),
    Verdict.UNTESTABLE: ("?", "yellow"),
    Verdict.ERROR: ("E", "bold red"),
    # Only a variation that isn't played is told.
    Verdict.NOT_SELECTED: ("-", "dim"),
}
_GOOD = {True: "bold green", False: "bold red"}
Broken = tuple[RequirementResult, ScenarioResult]


class Progress:
    """A line an area, a character a scenario, while the run goes on."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._area = ""
        # Made once: rich takes longer over a character than a row of a compiled subject does.
        self._dots = {verdict: _render_text(console, Text(*dot)) for verdict, dot in _DOTS.items()}

    def announce_run(self, scenarios: int) -> None:
        """Announce the number of scenarios."""
        self._console.print(f"{scenarios} scenarios", style="dim")

    def announce_result(self, scenario: ScenarioInfo, result: ScenarioResult) -> None:
        """Print the character of the scenario's verdict; the first scenario of an area begins a new line."""
        if scenario.area != self._area:
            self._console.print(f"{'' if not self._area else chr(10)}{scenario.area:<12} ", end="")
            self._area = scenario.area
        self._console.file.write(self._dots[result.verdict])
        self._console.file.flush()


def _render_text(console: Console, text: Text) -> str:
    with console.capture() as written:
        console.print(text, end="")
    return written.get()


def show_report(report: Report, console: Console) -> None:
    """Everything there is to say once the run is over."""
    console.print("\n")
    for line in describe_subject(report):
        console.print(Text(line))
    show_causes(report, console)
    for alike in _group_unexplained(report):
        _show_failure(console, alike)
    _show_not_asked(report, console)
    console.print(by_area(report.requirements))
    _show_choices(report, console)
    console.print(f"\nrequirements of revision {report.revision}", style="dim", highlight=False)
    if report.is_whole_profile and not any(row.variation for each in report.requirements for row in each.scenarios):
        console.print("each row was played as it is; --vary sample varies them, too", style="dim", highlight=False)
    console.print(f"ledger: {_format_ledger(report)}", style="dim", highlight=False)
    for error in report.kit_errors:
        console.print(Text(f"a bug of the kit, not of the subject: {escape_text(error)}", style="bold red"))
    console.print(conclude_run(report))


def _group_unexplained(report: Report) -> Iterable[Sequence[Broken]]:
    """Return what no cause explains because the harness broke: what broke in the same way together."""
    alike: dict[str, list[Broken]] = {}
    for requirement in report.requirements:
        for scenario in requirement.scenarios:
            if scenario.verdict is Verdict.ERROR:
                alike.setdefault(scenario.fault, []).append((requirement, scenario))
    return alike.values()


def _show_failure(console: Console, alike: Sequence[Broken]) -> None:
    (requirement, scenario), *others = alike
    console.print(Rule(f"{requirement.id} {scenario.verdict}", style="red", align="left"))
    console.print(Text(escape_text(scenario.message)))
    if others:
        ids = ", ".join(dict.fromkeys(each.id for each, _ in others))
        console.print(Text(f"\n{len(others)} more scenarios end so: {ids}"))
    console.print()


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


def _format_ledger(report: Report) -> str:
    counts = report.ledger.model_dump()
    registered = counts.pop("registered")
    parts = (f"{count} {name.replace('_', ' ')}" for name, count in counts.items())
    return f"{registered} registered = {' + '.join(parts)}"


def conclude_run(report: Report) -> Text:
    """One sentence; since revision 3, both verdicts, a line each."""
    who = escape_line(f"{report.subject.name} {report.subject.version}")
    if stopped := _without_verdict(report):
        return Text(f"{who}: {stopped}", style="bold red")
    if not report.is_whole_profile and not _is_held_against(report):
        red = [each.title for each in report.requirements if is_unmet(each) or each.verdict is Verdict.BLOCKED]
        shown = "nothing failed" if shows_anything(report) else "nothing was shown, for no scenario was judged"
        what = f"no MUST failed, but {', '.join(red)}" if red else shown
        return Text(f"{who}: {what} in the part that was selected; conformance is shown by a whole profile")
    if report.revision < FIRST_WITH_BASIS:
        return _in_musts_alone(report, who)
    lines = verdict_lines(report)
    if not lines:
        return Text(f"{who}: not conformant, it supports nothing that was asked of it", style="bold red")
    width = max((len(line.name) for line in lines), default=0)
    told = [Text(f"  {name:<{width}}  {sentence}", style=_GOOD[is_good]) for name, sentence, is_good in lines]
    return Text("\n").join([Text(who, style="bold"), *told])


def conclude_run_in_a_line(report: Report) -> str:
    """Return the same where there is room for a line only."""
    said = conclude_run(report).plain
    if "\n" not in said:
        return said
    lines = "; ".join(f"{name} {sentence}" for name, sentence, _ in verdict_lines(report))
    return f"{said.partition(chr(10))[0]}: {lines}"


def _without_verdict(report: Report) -> str:
    """Return why there is no verdict; empty if there is one."""
    if report.interrupted:
        return (
            f"interrupted ({report.interrupted}), {report.ledger.not_run} scenarios were not run; there is no verdict"
        )
    if report.kit_errors:
        return "the kit failed; there is no verdict"
    return f"the harness broke in {report.ledger.errors} scenarios" if report.ledger.errors else ""


def _is_held_against(report: Report) -> bool:
    """Tell whether a verdict tells of it: SHOULDs and MAYs count in none."""
    wrong = (*list_unmet(report), *broken_practices(report), *list_blocked(report))
    return bool(wrong or declared_otherwise(report) or report.flakes)


def _in_musts_alone(report: Report, who: str) -> Text:
    """As revisions judged that knew levels and no practices."""
    if missed := list_unmet(report):
        expected = sum(requirement.verdict is Verdict.EXPECTED_FAILURE for requirement in missed)
        of_these = f", {expected} of them expected" if expected else ""
        what = f"{len(missed)} MUST of {report.features}" if report.features else f"not conformant, {len(missed)} MUST"
        return Text(f"{who}: {what} not met{of_these}{count_blocked_musts(report)}", style="bold red")
    if flaky := [each for each in report.requirements if each.level == "MUST" and each.verdict is Verdict.FLAKY]:
        return Text(f"{who}: not shown to be conformant, {len(flaky)} MUST flaky", style="bold red")
    if missing := unsupported_core(report):
        judged = f"{len(list_judged_areas(report))} of {len(list_areas(report))} areas were judged"
        why = f"not conformant, the core of the loop is unsupported ({', '.join(missing)}); {judged}"
        return Text(f"{who}: {why}", style="bold red")
    if blocked := count_blocked_musts(report):
        return Text(f"{who}: not shown to be conformant{blocked}", style="bold red")
    if not is_conformant(report):
        return Text(f"{who}: not conformant, it supports nothing that was asked of it", style="bold red")
    must = format_counts(r for r in report.requirements if r.level == "MUST")
    shown = f"meets the requirements of {report.features}" if report.features else "conformant"
    return Text.assemble((f"{who}: {shown}", "bold green"), " (MUST: ", must, ")")


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
