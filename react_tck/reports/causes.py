"""The causes of what failed: one full block a cause, and what it explains in a line."""

from collections import Counter
from collections.abc import Iterator

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from react_tck.catalogue.features import load_features
from react_tck.catalogue.registry import load_registry
from react_tck.catalogue.sampling import strip_variation
from react_tck.model.report import Cause, Report
from react_tck.model.requirement import Ground, Requirement, variants_of
from react_tck.reports.printing import escape_line, escape_text

#: Rows whose titles are told; of the others, how many there are.
_TOLD = 3


def show_causes(report: Report, console: Console) -> None:
    """Show what explains the failures, then each cause with its first failure; nothing where nothing failed."""
    if not report.causes:
        return
    titles = {each.id: each.title for each in report.requirements}
    console.print(Text(f"{_summarize_causes(report.causes)}:", style="bold"))
    for cause in report.causes:
        what = f"{titles.get(cause.requirement, cause.requirement)}, {cause.kind or cause.fault}".removesuffix(", ")
        console.print(Text(escape_line(f"  {what}: {format_extent(cause)}")))
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
    """Return the requirement that each row is of: as the features say, or else whose rows it is among.

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


def list_blocked_by(report: Report) -> dict[str, list[str]]:
    """Return what is blocked, by the names of what blocks it."""
    blocked: dict[str, list[str]] = {}
    for each in report.requirements:
        if each.blocked_by:
            blocked.setdefault(" and ".join(each.blocked_by), []).append(each.id)
    return blocked


def _summarize_causes(causes: tuple[Cause, ...]) -> str:
    """`1 cause explains 526 of 530 failed scenarios`, as far as that is most of them."""
    failed = sum(len(cause.rows) for cause in causes)
    if len(causes) == 1:
        return f"1 cause explains all of {failed} failed scenarios" if failed > 1 else "1 failed scenario"
    first = len(causes[0].rows)
    return f"{len(causes)} causes; the first explains {first} of {failed} failed scenarios"


def _describe_cause(cause: Cause, owners: dict[str, str]) -> Iterator[str]:
    own = [row for row in cause.rows if owners[row] == cause.requirement]
    if len(own) > 1:
        more = f" and {len(own) - _TOLD} more" if len(own) > _TOLD else ""
        yield f"\nrows of {cause.requirement}: {'; '.join(own[:_TOLD])}{more}"
    if others := Counter(owners[row] for row in cause.rows if owners[row] != cause.requirement):
        listed = ", ".join(f"{id_} {count}" for id_, count in others.most_common())
        yield f"\nrows of others: {listed}"


def format_extent(cause: Cause) -> str:
    """Such as `5 scenarios`, of those that the ledger counts as failed."""
    return "1 scenario" if len(cause.rows) == 1 else f"{len(cause.rows)} scenarios"


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
