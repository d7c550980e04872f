"""What is to be mended or accepted: rows that fail, and what judges see; and how that is written down."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from react_tck.gate.baseline import Entry, Section
from react_tck.model.report import Report, RequirementResult, ScenarioResult, Verdict
from react_tck.model.requirement import Threshold, is_held_against
from react_tck.results.exit_status import DECLARED_OTHERWISE
from react_tck.subjects.config import Flaky

#: What may be listed.
FAILING = (Verdict.FAILED, Verdict.UNTESTABLE)


@dataclass(frozen=True)
class GateRules:
    """What else the gate asks for: `[gate]` in `react-tck.toml`."""

    #: SHOULDs count as MUSTs do.
    strict: bool = False
    #: Areas, such as LOOP, of which every MUST is to be judged.
    require: tuple[str, ...] = ()
    #: So many MUSTs are to pass.
    min_must: int = 0
    #: Whether a row closes the gate that fails, and passes when it is played again; empty for "pass".
    flaky: Flaky = ""
    #: From which severity on a broken practice closes the gate.
    robustness: Threshold = "critical"

    def is_counted(self, requirement: RequirementResult) -> bool:
        """Whether a failure of the requirement closes the gate."""
        return (
            requirement.level == "MUST"
            or (self.strict and requirement.level == "SHOULD")
            or is_held_against(requirement.severity, self.robustness)
            or requirement.id == DECLARED_OTHERWISE
        )


@dataclass(frozen=True)
class Lapse:
    """Something to accept or to mend: a row that fails, or what judges see, which has no row of its own."""

    requirement: str
    row: str
    fault: str


def find_lapses(report: Report, rules: GateRules) -> Iterator[Lapse]:
    """All that counts and fails."""
    for requirement in report.requirements:
        if rules.is_counted(requirement):
            yield from (lapse_of(requirement, result) for result in list_failures(requirement))


def section_of(report: Report, known: Section, rules: GateRules) -> Section:
    """What a report is accepted with, and what people have written beside what was known.

    Raises:
        ValueError: if the report is of a part of a profile: what wasn't played would seem mended.
    """
    if not report.is_whole_profile:
        raise ValueError("a part of a profile was played")
    counted = filter(rules.is_counted, report.requirements)
    unsupported = frozenset(each.id for each in counted if each.verdict is Verdict.UNSUPPORTED)
    return Section(report.profile, _make_entries(find_lapses(report, rules), known), unsupported)


def _make_entries(found: Iterable[Lapse], known: Section) -> tuple[Entry, ...]:
    rows: dict[tuple[str, str], list[str]] = {}
    for lapse in found:
        listed = rows.setdefault((lapse.requirement, lapse.fault), [])
        if lapse.row and lapse.row not in listed:
            listed.append(lapse.row)
    said = {(entry.requirement, entry.fault): entry for entry in known.entries}
    return tuple(
        Entry(id_, fault, tuple(listed), own.reason, own.issue, own.expires)
        for (id_, fault), listed in rows.items()
        for own in (said.get((id_, fault), Entry(id_, fault)),)
    )


def list_failures(requirement: RequirementResult) -> list[ScenarioResult]:
    """What is held against the requirement: what judges saw counts only where the requirement is blamed for it."""
    departures = requirement.departures if requirement.verdict is Verdict.FAILED else ()
    return [result for result in (*requirement.scenarios, *departures) if result.verdict in FAILING]


def lapse_of(requirement: RequirementResult, result: ScenarioResult) -> Lapse:
    """What is to be accepted or mended of one result of the requirement."""
    is_row = requirement.profile != "sanitizer" and any(result is each for each in requirement.scenarios)
    return Lapse(requirement.id, result.title if is_row else "", result.fault)
