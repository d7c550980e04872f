"""Both verdicts in sentences, one for each specification that the subject claims, one for practices."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rich.table import Table
from rich.text import Text

from react_tck.catalogue.registry import load_registry
from react_tck.model.report import NOT_ASKED, Conformance, Report, RequirementResult, Robustness, Verdict
from react_tck.model.requirement import FIRST_WITH_BASIS, SEVERITIES, Profile, Severity, Specification
from react_tck.reports.printing import escape_line
from react_tck.results.exit_status import (
    broken_practices,
    declared_otherwise,
    is_conformant,
    list_blocked,
    list_musts,
    list_unmet,
    shows_anything,
    unsupported_core,
    verdicts_of,
)

_MET = (Verdict.PASSED, Verdict.UNEXPECTED_PASS)
_NOT_MET = (Verdict.FAILED, Verdict.ERROR, Verdict.EXPECTED_FAILURE, Verdict.FLAKY)
_ASKED = (*_MET, *_NOT_MET, Verdict.BLOCKED)


class Standing(NamedTuple):
    """So many MUST requirements.

    Errors, what is flaky and what is expected to fail count as failed; what can't be tested counts as unsupported.
    """

    passed: int
    failed: int
    unsupported: int
    blocked: int = 0

    def __str__(self) -> str:
        beside = f" ({self.blocked} blocked)" if self.blocked else ""
        return f"{self.passed}/{self.failed}/{self.unsupported}{beside}"

    @property
    def style(self) -> str:
        """How it is shown in a terminal."""
        return "bold red" if self.failed or self.blocked else "yellow" if self.unsupported else "green"


class BrokenPractices(NamedTuple):
    """So many practices that are broken, by severity, of those that were judged."""

    critical: int
    major: int
    minor: int
    judged: int

    @classmethod
    def from_verdict(cls, found: Robustness) -> "BrokenPractices":
        """Return the counts of a verdict."""
        critical, major, minor = (len(found.broken[each]) for each in SEVERITIES)
        return cls(critical, major, minor, found.judged)

    def __str__(self) -> str:
        return f"{self.critical}/{self.major}/{self.minor} of {self.judged}"

    @property
    def style(self) -> str:
        """How it is shown in a terminal."""
        return "bold red" if self.critical else "yellow" if self.major or self.minor else "green"


def is_unmet(requirement: RequirementResult) -> bool:
    """Tell whether it counts as failed, whatever its level."""
    return requirement.verdict in _NOT_MET


def list_profiles(report: Report) -> list[Profile]:
    """Return the profiles of the report, in the order of its requirements."""
    return list(dict.fromkeys(requirement.profile for requirement in report.requirements))


def find_standing(report: Report, profile: Profile) -> Standing | None:
    """Return how the subject stands; None if it supports nothing of the profile."""
    return _count_standing(of_profile(report, profile))


def standing_to(report: Report, specification: Specification) -> Standing | None:
    """Return how the subject stands to a specification; None if it doesn't claim it, or supports nothing of it."""
    return _count_standing([each for each in report.requirements if each.specification == specification])


def _count_standing(mine: Sequence[RequirementResult]) -> Standing | None:
    if not any(requirement.verdict in _ASKED for requirement in mine):
        return None
    must = Counter(requirement.verdict for requirement in mine if requirement.level == "MUST")
    met, not_met = (sum(must[verdict] for verdict in verdicts) for verdicts in (_MET, _NOT_MET))
    return Standing(met, not_met, sum(must[verdict] for verdict in NOT_ASKED), must[Verdict.BLOCKED])


def of_profile(report: Report, profile: Profile) -> list[RequirementResult]:
    """Return the report's requirements of the profile."""
    return [requirement for requirement in report.requirements if requirement.profile == profile]


LEVELS = ("MUST", "SHOULD", "MAY")


def list_weights(requirements: Iterable[RequirementResult]) -> tuple[str, ...]:
    """Return the levels, and the severities if any of the requirements is a practice."""
    return (*LEVELS, *SEVERITIES) if any(row.severity for row in requirements) else LEVELS


_STYLES = {
    Verdict.PASSED: "green",
    Verdict.FAILED: "bold red",
    Verdict.BLOCKED: "red",
    Verdict.ERROR: "bold red",
    Verdict.UNTESTABLE: "yellow",
    Verdict.UNSUPPORTED: "yellow",
}


def by_area(requirements: Iterable[RequirementResult]) -> Table:
    """Return a row an area, a column a level or a severity."""
    rows = list(requirements)
    columns = list_weights(rows)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("area", *columns):
        table.add_column(heading)
    for area in dict.fromkeys(area_of(row) for row in rows):
        mine = [row for row in rows if area_of(row) == area]
        table.add_row(area, *(format_counts(row for row in mine if row.weight == weight) for weight in columns))
    table.add_row(
        "all", *(format_counts(row for row in rows if row.weight == weight) for weight in columns), style="bold"
    )
    return table


def format_counts(requirements: Iterable[RequirementResult]) -> Text:
    """Such as `8 passed, 1 failed`."""
    found = Counter(requirement.verdict for requirement in requirements)
    parts = [Text(f"{found[each]} {each}", style=_STYLES.get(each, "dim")) for each in Verdict if found[each]]
    return Text(", ").join(parts) if parts else Text("–", style="dim")


def list_areas(report: Report) -> list[str]:
    """Return the areas of the report's requirements, sanitizers apart."""
    return list(dict.fromkeys(area_of(row) for row in report.requirements if row.profile != "sanitizer"))


def list_judged_areas(report: Report) -> list[str]:
    """Those in which some requirement was judged."""
    judged = {area_of(row) for row in report.requirements if row.verdict in _ASKED}
    return [area for area in list_areas(report) if area in judged]


def area_of(requirement: RequirementResult) -> str:
    """Return the part of the id before the hyphen."""
    return requirement.id.partition("-")[0]


#: Ids that are named; of more than these, the first.
_NAMED = 6
DECLARED_OTHERWISE = "declared otherwise"
_GOOD = {True: "bold green", False: "bold red"}
ROBUSTNESS = "robustness"


class VerdictLine(NamedTuple):
    """How a subject stands to a specification or to practices, in numbers; of the former, how many MUSTs are met."""

    name: str
    #: Such as `NOT CONFORMANT to react-module`.
    heading: str
    #: Such as `3 of 4 MUST met`.
    counts: str
    #: Such as `not conformant: 3 of 4 MUST met; not met: LOOP-003`.
    sentence: str
    is_good: bool
    met: int = 0
    asked: int = 0


def verdict_lines(report: Report) -> list[VerdictLine]:
    """Return a line each for specifications, practices, what is declared otherwise; none before revision 3."""
    found = verdicts_of(report)
    if found is None:
        return []
    # Of a run of somebody's own features, what holds in every episode is told where it doesn't hold.
    lines = [
        _describe_conformance(each, report)
        for each in found.conformance
        if each.specification is None or not report.features or each.unmet or each.blocked
    ]
    if found.robustness.judged or found.robustness.blocked:
        is_good = not broken_practices(report, "critical")
        told = robustness_in_words(found.robustness)
        lines.append(VerdictLine(ROBUSTNESS, ROBUSTNESS, told, told, is_good))
    if found.declared_otherwise:
        told = escape_line("; ".join(found.declared_otherwise))
        lines.append(VerdictLine(DECLARED_OTHERWISE, DECLARED_OTHERWISE, told, told, is_good=False))
    return lines


def describe_subject(report: Report) -> list[str]:
    """Return a report's head: what the subject is held to, and how its harness deviates from the library."""
    return [*_describe_claims(report), *(_describe_deviation(*each) for each in report.deviations.items())]


def _describe_deviation(what: str, unjudged: Sequence[str]) -> str:
    so = f"not judged by that: {', '.join(unjudged)}" if unjudged else "nothing is left unjudged by that"
    return escape_line(f"the harness deviates from what users have: {what}; {so}")


def _describe_claims(report: Report) -> list[str]:
    """Return what the subject is held to, and leaves out of that for want of predictors, from revision 3 on."""
    if not report.claims:
        return []
    lines = [f"held to {', '.join(report.claims)}"]
    if report.without:
        # Ids of somebody's own features stand in no registry of the kit's.
        rows = {row.id for row in load_registry().requirements if row.specification == "react-module"}
        own = [each for each in report.requirements if each.id in rows]
        left_out = [each.id for each in own if each.verdict is Verdict.UNSUPPORTED and each.level]
        lighter = [each.id for each in own if each.severity]
        told = f"it has no {' and '.join(report.without)}"
        asked = f"; practices only: {', '.join(lighter)}" if lighter else ""
        lines.append(f"{told}; not asked for want of a capability: {', '.join(left_out) or 'nothing'}{asked}")
    return lines


def robustness_in_words(found: Robustness) -> str:
    """Such as `broken: 2 critical, 6 major, 3 minor of 38`."""
    beside = f", {len(found.blocked)} blocked" if found.blocked else ""
    broken = ", ".join(_count_broken(found, each) for each in SEVERITIES) if any(found.broken.values()) else "none"
    return f"broken: {broken} of {found.judged}{beside}"


def _count_broken(found: Robustness, severity: Severity) -> str:
    return f"{len(found.broken.get(severity, ()))} {severity}"


def _describe_conformance(found: Conformance, report: Report) -> VerdictLine:
    name = found.specification or report.features or "what you require"
    mine = [r for r in report.requirements if r.level == "MUST" and r.specification == found.specification]
    unjudged = [each.id for each in mine if each.verdict is Verdict.ERROR]
    asked = found.judged + len(found.blocked) - len(unjudged)
    met = asked - len(found.blocked) - len(found.unmet) - len(found.flaky)
    counts = f"{met} of {asked} MUST met"
    counts += f", not judged: {_list_ids(unjudged)}" if unjudged else ""
    counts += f", {len(found.unsupported)} unsupported" if found.unsupported else ""
    is_part = found.specification is not None and not report.is_whole_profile
    counts += " in the part that was selected" if is_part else ""
    standing = _name_standing(found, asked)
    in_part = unjudged and found.is_conformant
    # A part of a profile, or somebody's own features, show no conformance to a specification.
    is_bare = found.is_conformant and (is_part or found.specification is None)
    return VerdictLine(
        name,
        f"{standing} {'in what was judged' if in_part else f'to {name}'}",
        f"{counts}; of the core of the loop: {', '.join(found.without_core)}" if found.without_core else counts,
        f"{'' if is_bare else f'{standing.lower()}: '}{'; '.join((counts, *_list_reasons(found, report)))}",
        found.is_conformant and not unjudged,
        met,
        asked,
    )


def _name_standing(found: Conformance, asked: int) -> str:
    if found.is_conformant:
        return "CONFORMANT"
    return "NOT CONFORMANT" if found.unmet or found.without_core or not asked else "NOT SHOWN TO CONFORM"


def _list_reasons(found: Conformance, report: Report) -> Iterator[str]:
    """Yield what is in the way of conformance, by ids."""
    expected = sum(each.id in found.unmet and each.verdict is Verdict.EXPECTED_FAILURE for each in report.requirements)
    if found.unmet:
        of_these = f", {expected} of them expected" if expected else ""
        yield f"not met: {_list_ids(found.unmet)}{of_these}"
    if found.blocked:
        yield _count_blocked(found.blocked, report).removeprefix(", ")
    if found.flaky:
        yield f"flaky: {_list_ids(found.flaky)}"
    if found.without_core:
        judged = f"{len(list_judged_areas(report))} of {len(list_areas(report))} areas were judged"
        yield f"the core of the loop is unsupported ({', '.join(found.without_core)}); {judged}"
    if not (found.judged or found.blocked):
        yield "it supports nothing that was asked of it"


def count_blocked_musts(report: Report) -> str:
    """Of all MUSTs that bind the subject, such as `, 61 blocked by LOOP-003`."""
    return _count_blocked([each.id for each in list_musts(report) if each.verdict is Verdict.BLOCKED], report)


def _count_blocked(ids: Sequence[str], report: Report) -> str:
    """Such as `, 61 blocked by LOOP-003`; nothing where nothing is."""
    blockers = dict.fromkeys(id_ for each in report.requirements if each.id in ids for id_ in each.blocked_by)
    return f", {len(ids)} blocked by {_list_ids(list(blockers))}" if ids else ""


def _list_ids(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return f"{', '.join(ids[:_NAMED])}{more}"


def conclude_run(report: Report) -> Text:
    """One sentence; since revision 3, both verdicts, a line each."""
    who = escape_line(f"{report.subject.name} {report.subject.version}")
    if stopped := explain_lack(report):
        return Text(f"{who}: {stopped}", style="bold red")
    if report.ledger.errors:
        who = f"{who}, whose harness broke in {report.ledger.errors} scenarios"
    if not report.is_whole_profile and not _is_held_against(report):
        red = [each.label for each in report.requirements if is_unmet(each) or each.verdict is Verdict.BLOCKED]
        shown = "nothing failed" if shows_anything(report) else "nothing was shown, for no scenario was judged"
        what = f"no MUST failed, but {', '.join(red)}" if red else shown
        return Text(f"{who}: {what} in the part that was selected; conformance is shown by a whole profile")
    if report.revision < FIRST_WITH_BASIS:
        return _in_musts_alone(report, who)
    lines = verdict_lines(report)
    if not lines:
        return Text(f"{who}: not conformant, it supports nothing that was asked of it", style="bold red")
    width = max((len(line.name) for line in lines), default=0)
    told = [Text(f"  {line.name:<{width}}  {line.sentence}", style=_GOOD[line.is_good]) for line in lines]
    return Text("\n").join([Text(who, style="bold"), *told])


def conclude_run_in_a_line(report: Report) -> str:
    """Say the same where there is room for a line only."""
    said = conclude_run(report).plain
    if "\n" not in said:
        return said
    lines = "; ".join(f"{line.name} {line.sentence}" for line in verdict_lines(report))
    return f"{said.partition(chr(10))[0]}: {lines}"


def explain_lack(report: Report) -> str:
    """Say why there is no verdict; empty if there is one."""
    if report.interrupted:
        return (
            f"interrupted ({report.interrupted}), {report.ledger.not_run} scenarios were not run; there is no verdict"
        )
    return "the kit failed; there is no verdict" if report.kit_errors else ""


def _is_held_against(report: Report) -> bool:
    """Whether a verdict tells of it: SHOULDs and MAYs count in none."""
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
