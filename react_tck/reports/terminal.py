"""The report of a run as a person reads it in a terminal."""

from collections.abc import Iterator

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from react_tck.judges.choices import agrees
from react_tck.model.report import Report, RequirementResult, ScenarioResult, Verdict
from react_tck.reports.standing import by_area, counts
from react_tck.suite.exit_status import is_conformant, unmet
from react_tck.suite.features import ScenarioInfo

_DOTS = {
    Verdict.PASSED: ("·", "green"),
    Verdict.FAILED: ("F", "bold red"),
    Verdict.UNSUPPORTED: ("u", "yellow"),
    Verdict.UNTESTABLE: ("?", "red"),
    Verdict.ERROR: ("E", "bold red"),
}
_SHOWN = (Verdict.FAILED, Verdict.UNTESTABLE, Verdict.ERROR)


class Progress:
    """A line an area, a character a scenario, while the run goes on."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._area = ""

    def started(self, scenarios: int) -> None:
        """Announce the number of scenarios."""
        self._console.print(f"{scenarios} scenarios", style="dim")

    def ended(self, scenario: ScenarioInfo, result: ScenarioResult) -> None:
        """Show how one ended."""
        if scenario.area != self._area:
            self._console.print(f"{'' if not self._area else chr(10)}{scenario.area:<12} ", end="")
            self._area = scenario.area
        character, style = _DOTS[result.verdict]
        self._console.print(Text(character, style=style), end="")


def show(report: Report, console: Console) -> None:
    """Everything there is to say once the run is over."""
    console.print("\n")
    for requirement, scenario in _failures(report):
        _show_failure(console, requirement, scenario)
    _show_unsupported(report, console)
    console.print(by_area(report.requirements))
    _show_choices(report, console)
    console.print(f"\nrequirements of revision {report.revision}", style="dim", highlight=False)
    console.print(f"ledger: {_ledger(report)}", style="dim", highlight=False)
    console.print(conclusion(report))


def _failures(report: Report) -> Iterator[tuple[RequirementResult, ScenarioResult]]:
    for requirement in report.requirements:
        failed = [scenario for scenario in requirement.scenarios if scenario.verdict in _SHOWN]
        # One violated sanitizer tends to be violated everywhere: the first case tells the story.
        for scenario in failed[:1] if requirement.profile == "sanitizer" else failed:
            yield requirement, scenario
        # What the scenario itself says of an episode needn't be said again.
        told = {scenario.title for scenario in failed}
        yield from ((requirement, each) for each in requirement.departures[:1] if each.title not in told)


def _show_failure(console: Console, requirement: RequirementResult, scenario: ScenarioResult) -> None:
    console.print(Rule(f"{requirement.id} {scenario.verdict}", style="red", align="left"))
    console.print(Text(printable(scenario.message)))
    others = sum(1 for other in requirement.scenarios if other.verdict is scenario.verdict) - 1
    if requirement.profile == "sanitizer" and others > 0:
        console.print(f"and in {others} other episodes")
    console.print()


def _show_unsupported(report: Report, console: Console) -> None:
    reasons: dict[str, list[str]] = {}
    for requirement in report.requirements:
        for scenario in requirement.scenarios:
            if scenario.verdict is Verdict.UNSUPPORTED:
                reasons.setdefault(scenario.message, []).append(requirement.id)
    for reason, ids in reasons.items():
        console.print(Text(f"unsupported: {printable(reason)}: {', '.join(dict.fromkeys(ids))}", style="yellow"))
    if reasons:
        console.print()


def _show_choices(report: Report, console: Console) -> None:
    if report.choices:
        console.print("\nchoices observed", style="bold")
        for name, variant in report.choices.items():
            declared = report.declared.get(name, variant)
            beside = "" if agrees(declared, variant.split("; ")) else f" (declared: {declared})"
            console.print(Text(f"  {name}: {printable(variant + beside)}"))


def _ledger(report: Report) -> str:
    counts = report.ledger.model_dump()
    registered = counts.pop("registered")
    parts = (f"{count} {name.replace('_', ' ')}" for name, count in counts.items())
    return f"{registered} registered = {' + '.join(parts)}"


def conclusion(report: Report) -> Text:
    """One sentence."""
    who = printable(f"{report.subject.name} {report.subject.version}")
    if report.ledger.errors:
        return Text(f"{who}: the harness broke in {report.ledger.errors} scenarios", style="bold red")
    if missed := unmet(report):
        return Text(f"{who}: not conformant, {len(missed)} MUST not met", style="bold red")
    if not is_conformant(report):
        return Text(f"{who}: not conformant, it supports nothing that was asked of it", style="bold red")
    must = Text.from_markup(counts(r for r in report.requirements if r.level == "MUST"))
    return Text.assemble((f"{who}: conformant", "bold green"), " (MUST: ", must, ")")


def printable(text: str) -> str:
    """The text with control characters written as escapes, so that it can't move the cursor or hide anything."""
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text)
