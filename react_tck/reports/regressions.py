"""What has changed from one report to another, scenario by scenario, and what of it is a regression.

A regression is a scenario that passed and now fails or errs; a scenario of a MUST that was judged and is unsupported
now, for a capability has vanished; and a requirement that passed and is now violated in a scenario that both reports
played. What only one of them played is told, and is none; nor is it one that a subject which isn't deterministic in
either shows that in other scenarios.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from react_tck.judges.determinism import DETERMINISM
from react_tck.model.addresses import Said
from react_tck.model.base import Value
from react_tck.model.report import NOT_ASKED, Report, RequirementResult, ScenarioResult, Verdict
from react_tck.model.requirement import Level, Severity
from react_tck.reports.causes import format_headline
from react_tck.reports.verdicts import verdict_lines

_GREEN = (Verdict.PASSED, Verdict.UNEXPECTED_PASS)
_RED = (Verdict.ERROR, Verdict.FAILED, Verdict.BLOCKED, Verdict.EXPECTED_FAILURE)
#: Where what judges saw is held against a requirement.
#: Of a scenario that wasn't played, or a requirement of which none was, there is nothing to compare.
_NOT_PLAYED = (Verdict.NOT_SELECTED, Verdict.NOT_RUN, Verdict.PENDING, Verdict.EXCLUDED)


class RowChange(StrEnum):
    """What has become of a scenario."""

    GONE_RED = "gone red"
    NO_LONGER_JUDGED = "no longer judged"
    RED_AT_FIRST_SIGHT = "judged now, and red"
    GONE_GREEN = "gone green"
    BY_CHANCE = "changed by chance: deterministic in neither"


class ChangedRow(Value):
    """A scenario that ends otherwise than before."""

    title: str
    requirement: str
    before: Verdict
    after: Verdict
    #: The command that shows the failure, before or after.
    reproduce: Said = ""


class ChangedRows(Value):
    """Scenarios that have changed alike, for one cause: what explains the failures, or why they aren't judged."""

    change: RowChange
    cause: Said
    is_regression: bool
    rows: tuple[ChangedRow, ...]


class ChangedRequirement(Value):
    """A requirement with another verdict."""

    id: str
    #: None of a practice, and of what counts in no verdict.
    level: Level | None = None
    severity: Severity | None = None
    before: Verdict
    after: Verdict
    is_regression: bool


class ChangedChoice(Value):
    """A choice point at which something else was observed; empty where nothing was."""

    name: str
    before: Said
    after: Said


class ChangedVerdict(Value):
    """How a subject stood to a specification, or in practices, and stands now; empty where that wasn't asked."""

    name: str
    before: Said
    after: Said


class ComparedReport(Value):
    """Whose report it is, and what it can't be compared without."""

    subject: Said
    version: Said
    kit: str
    revision: int
    profile: str
    is_whole_profile: bool
    seed: int
    interrupted: str
    kit_errors: int


class Comparison(Value):
    """Two reports, and all that is not the same in them."""

    before: ComparedReport
    after: ComparedReport
    is_regression: bool
    changed: tuple[ChangedRows, ...]
    requirements: tuple[ChangedRequirement, ...]
    choices: tuple[ChangedChoice, ...]
    #: Of revision 3 and later, where they aren't the same.
    verdicts: tuple[ChangedVerdict, ...] = ()
    #: Scenarios that both played, and those that only one did.
    in_both: int
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]


def compare_reports(before: Report, after: Report) -> Comparison:
    """The changes, in the order of the later report."""
    old, new = _Played(before), _Played(after)
    changed = tuple(_changed_rows(old, new))
    requirements = tuple(_changed_requirements(old, new))
    return Comparison(
        before=_describe_report(before),
        after=_describe_report(after),
        is_regression=any(group.is_regression for group in changed) or any(r.is_regression for r in requirements),
        changed=changed,
        requirements=requirements,
        choices=tuple(_changed_choices(before.choices, after.choices)),
        verdicts=tuple(_changed_verdicts(before, after)),
        in_both=sum(title in old.rows for title in new.rows),
        only_before=tuple(title for title in old.rows if title not in new.rows),
        only_after=tuple(title for title in new.rows if title not in old.rows),
    )


@dataclass(frozen=True)
class _Row:
    """How a scenario ended: by its own sentences, or by what judges saw in it and held against the subject."""

    requirement: RequirementResult
    result: ScenarioResult

    @property
    def color(self) -> Verdict:
        """Passed, failed or unsupported for every verdict that counts as one of them; any other verdict as it is."""
        verdict = self.result.verdict
        alike = {Verdict.PASSED: _GREEN, Verdict.FAILED: _RED, Verdict.UNSUPPORTED: NOT_ASKED}
        return next((color for color, verdicts in alike.items() if verdict in verdicts), verdict)

    @property
    def weight(self) -> int:
        """How much it says of the scenario."""
        return 0 if self.color is not Verdict.FAILED else 1 if self.requirement.id == DETERMINISM else 2


class _Played:
    """A report by its scenarios."""

    def __init__(self, report: Report) -> None:
        self.requirements = {requirement.id: requirement for requirement in report.requirements}
        self.rows: dict[str, _Row] = {}
        for requirement in report.requirements:
            for result in requirement.scenarios:
                self._enter_row(_Row(requirement, result))
        for requirement in report.requirements:
            # Elsewhere something else explains what judges saw.
            for result in requirement.held_results:
                self._enter_row(_Row(requirement, result))
        self._causes = {row: format_headline(cause) for cause in report.causes for row in cause.rows}
        #: What was seen anywhere, held against the subject or not.
        self.seen = {
            (requirement.id, result.title)
            for requirement in report.requirements
            for result in (*requirement.scenarios, *requirement.departures)
            if result.verdict in _RED
        }

    @property
    def is_unsteady(self) -> bool:
        """Whether the same case didn't always give the same record."""
        return DETERMINISM in self.requirements and self.requirements[DETERMINISM].verdict in _RED

    def _enter_row(self, row: _Row) -> None:
        """Of all that is said of the scenario the first failure counts, rather one that is no matter of chance."""
        known = self.rows.get(row.result.title)
        if row.result.verdict not in _NOT_PLAYED and (known is None or row.weight > known.weight):
            self.rows[row.result.title] = row

    def find_cause(self, title: str) -> str:
        """What explains that the scenario failed, or wasn't judged."""
        row = self.rows[title]
        if row.color is Verdict.UNSUPPORTED:
            return row.result.message
        alone = f"{row.requirement.id}, {row.result.kind}" if row.result.kind else row.requirement.id
        return self._causes.get(title, alone)


#: By the colours before and after.
_CHANGES: Mapping[tuple[Verdict, Verdict], RowChange] = {
    (Verdict.PASSED, Verdict.FAILED): RowChange.GONE_RED,
    (Verdict.PASSED, Verdict.UNSUPPORTED): RowChange.NO_LONGER_JUDGED,
    (Verdict.FAILED, Verdict.UNSUPPORTED): RowChange.NO_LONGER_JUDGED,
    (Verdict.UNSUPPORTED, Verdict.FAILED): RowChange.RED_AT_FIRST_SIGHT,
    (Verdict.UNSUPPORTED, Verdict.PASSED): RowChange.GONE_GREEN,
    (Verdict.FAILED, Verdict.PASSED): RowChange.GONE_GREEN,
}


def _changed_rows(old: _Played, new: _Played) -> Iterator[ChangedRows]:
    found: dict[tuple[RowChange, str], list[ChangedRow]] = {}
    for title, now in new.rows.items():
        was = old.rows.get(title)
        change = _CHANGES.get((was.color, now.color)) if was else None
        if was and change:
            side = old if change is RowChange.GONE_GREEN else new
            if side.rows[title].requirement.id == DETERMINISM and old.is_unsteady and new.is_unsteady:
                change = RowChange.BY_CHANCE
            row = ChangedRow(
                title=title,
                requirement=side.rows[title].requirement.id,
                before=was.result.verdict,
                after=now.result.verdict,
                reproduce=now.result.reproduce or was.result.reproduce,
            )
            found.setdefault((change, side.find_cause(title)), []).append(row)
    for change in RowChange:
        for (kind, cause), rows in found.items():
            if kind is change:
                yield ChangedRows(change=change, cause=cause, is_regression=_is_lost(kind, rows, new), rows=tuple(rows))


def _is_lost(change: RowChange, rows: list[ChangedRow], new: _Played) -> bool:
    if change is RowChange.NO_LONGER_JUDGED:
        return any(_is_severe(new.requirements[row.requirement]) for row in rows)
    return change is RowChange.GONE_RED


def _is_severe(requirement: RequirementResult) -> bool:
    """Whether it is a MUST, or a practice that is as bad to break."""
    return requirement.level == "MUST" or requirement.severity == "critical"


def _changed_requirements(old: _Played, new: _Played) -> Iterator[ChangedRequirement]:
    for id_, now in new.requirements.items():
        was = old.requirements.get(id_)
        if was and was.verdict != now.verdict and not {was.verdict, now.verdict}.intersection(_NOT_PLAYED):
            yield ChangedRequirement(
                id=id_,
                level=now.level,
                severity=now.severity,
                before=was.verdict,
                after=now.verdict,
                is_regression=was.verdict in _GREEN and now.verdict in _RED and _is_new(now, old),
            )


def _is_new(violated: RequirementResult, old: _Played) -> bool:
    """Whether it is violated where it wasn't: only other scenarios, or other blame for the same, is no regression."""
    results = (*violated.scenarios, *violated.departures)
    return any(
        result.verdict in _RED and result.title in old.rows and (violated.id, result.title) not in old.seen
        for result in results
    )


def _changed_choices(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[ChangedChoice]:
    for name in sorted({*before, *after}):
        was, now = before.get(name, ""), after.get(name, "")
        if was != now:
            yield ChangedChoice(name=name, before=was, after=now)


def _changed_verdicts(before: Report, after: Report) -> Iterator[ChangedVerdict]:
    old, new = ({line.name: line.sentence for line in verdict_lines(report)} for report in (before, after))
    for name in dict.fromkeys((*old, *new)):
        if old.get(name) != new.get(name):
            yield ChangedVerdict(name=name, before=old.get(name, ""), after=new.get(name, ""))


def _describe_report(report: Report) -> ComparedReport:
    return ComparedReport(
        subject=report.subject.name,
        version=report.subject.version,
        kit=report.kit.version,
        revision=report.revision,
        profile=report.profile,
        is_whole_profile=report.is_whole_profile,
        seed=report.seed,
        interrupted=report.interrupted,
        kit_errors=len(report.kit_errors),
    )
