"""The bug reports of a run, one a fault; and its causes in a few words."""

from collections import Counter
from collections.abc import Iterator

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from react_tck.catalogue.features import load_features
from react_tck.catalogue.registry import load_registry
from react_tck.catalogue.sampling import strip_variation
from react_tck.model.report import Cause, Report, Verdict
from react_tck.model.requirement import Ground, Requirement, variants_of
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


def describe_grounds(requirement: Requirement) -> Iterator[str]:
    """Yield a sentence or two for its ground, and one for whom it binds otherwise."""
    yield from _describe_ground(requirement)
    if requirement.elsewhere:
        whom = f"without the capability `{requirement.needs}`" if requirement.needs else _name_others(requirement)
        ground = requirement.elsewhere
        yield f"{whom}: {ground.basis}, {ground.weight}: {_quote_ground(ground)}"
    if requirement.asked_of:
        needed = " and ".join(" or ".join(f"`{one}`" for one in variants_of(each)) for each in requirement.asked_of)
        yield f"it is asked of who declares {needed}"
    for choice, variant in requirement.unless.items():
        yield f"it isn't asked of who declares the choice `{choice}` as `{variant}`"


def describe_history(requirement: Requirement) -> Iterator[str]:
    """Yield what it was in earlier revisions, the latest first."""
    for until in sorted(requirement.was, reverse=True):
        then = requirement.was[until]
        told = (then.level, then.where and f"citing {then.where}", then.sentence and f"“{then.sentence}”")
        yield f"until revision {until}: {', '.join(filter(None, told))}"


def describe_weights(requirement: Requirement) -> tuple[str, ...]:
    """Its basis, its level or severity, and whom it binds, such as `stated`, `MUST` and `react-module`."""
    told = (requirement.basis, requirement.weight, requirement.specification)
    return tuple(filter(None, told)) if requirement.basis else ("counts in no verdict",)


def _name_others(requirement: Requirement) -> str:
    return f"for who doesn't claim {requirement.specification}"


def _describe_ground(ground: Ground) -> Iterator[str]:
    match ground.basis:
        case "practice":
            yield f"no source says it, but without it: {ground.harm}"
        case "stated" | "follows":
            yield f"{ground.where} ({load_registry().sources[ground.source]}) says: {_quote_ground(ground)}"
            if ground.because:
                yield f"from that it follows: {ground.because}"
        case None:
            yield "it counts in no verdict"


def _quote_ground(ground: Ground) -> str:
    return ground.harm or f"“{ground.quote}”"
