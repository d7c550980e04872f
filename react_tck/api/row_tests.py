"""How a row ends that is a test of somebody's pytest: as in a run, and with the same words."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date

from react_tck.catalogue.features import ScenarioRow
from react_tck.catalogue.selection import Selection
from react_tck.engine.examiner import Examiner
from react_tck.engine.run import Run, report_of
from react_tck.gate.baseline import Section
from react_tck.gate.gate import Gate
from react_tck.gate.lapses import GateRules
from react_tck.model.report import NOT_ASKED, RequirementResult, ScenarioResult, Verdict
from react_tck.results.books import Unheard
from react_tck.results.ledger import Results
from react_tck.subjects.api import Subject

_WRONG = (Verdict.ERROR, Verdict.FAILED)


@dataclass(frozen=True)
class Ending:
    """How the test ends; it passes if nothing of this is said."""

    failure: str = ""
    #: Why it is skipped: what the subject doesn't support, or why it can't be tested.
    skipped: str = ""
    #: Why its failure is expected.
    expected: str = ""


@dataclass
class RowWatch:
    """Collects what is found in one row. The process is the user's own: nobody looks after it."""

    results: Results = field(default_factory=lambda: Results(registered=1))
    spared: tuple[type[BaseException], ...] = (KeyboardInterrupt,)
    is_overheard = True
    is_damaged = False

    def begin_row(self, row: str, *, again: bool = False) -> None:
        """Tell pytest of a row that is played."""

    def end_row(self, row: str, found: Results, *, again: bool = False) -> None:  # noqa: ARG002 - there is one row
        """Add what was found in the row to `results`."""
        self.results.merge_results(found)

    def find_damage(self, error: BaseException | None = None) -> str:  # noqa: ARG002 - others look at it
        """Leave the user's own process alone."""
        return ""


@dataclass(frozen=True)
class RowTest:
    """A row, the subject that it is played against, and what is accepted of that."""

    row: ScenarioRow
    subject: Subject
    subject_name: str
    selection: Selection = field(default_factory=Selection)
    accepted: Section | None = None
    watch: RowWatch = field(default_factory=RowWatch)

    def make_examiner(self) -> Examiner:
        """Return an examiner that plays this row against the subject and reports to `watch`."""
        return Examiner(self.subject, self.subject_name, self.selection, 0, self.watch)

    def decide_ending(self) -> Ending:
        """Return how the row has ended."""
        results, id_ = self.watch.results, self.row.requirement_id
        if results.kit_errors:
            return Ending(failure="this is a bug of the kit, not of the subject: " + "\n".join(results.kit_errors))
        selection = self.selection.narrow_to_row(self.row)
        report = report_of(results, self.subject.initialize(), selection, 0)
        gate = Gate(report, self.accepted, GateRules(), date.today())
        by_id = {each.id: each for each in gate.gated_report.requirements}
        own = by_id.pop(id_)
        told = [*_describe_failures(own), *(text for other in by_id.values() for text in _describe_failures(other))]
        objections = [each for each in gate.objections if each.requirement == id_]
        if objections and own.verdict in NOT_ASKED and self._is_judged_by_another_row():
            objections = []
        if told or objections:
            told += [f"{each.requirement} {each.text}" for each in objections]
            return Ending(failure=f"\n\n{'─' * 79}\n".join(told))
        if own.verdict in NOT_ASKED:
            return Ending(skipped=next(result.message for result in own.scenarios if result.message))
        return Ending(expected=next(_list_excuses((own, *by_id.values())), ""))

    def _is_judged_by_another_row(self) -> bool:
        """Tell whether the requirement is judged all the same; what this row lacks is no lapse then."""
        rows = Selection(profile="all", tags=f"@{self.row.requirement_id}", requirements=self.selection.requirements)
        report = Run(self.subject, self.subject_name, rows, replays=False).report(Unheard())
        verdicts = {each.id: each.verdict for each in report.requirements}
        return verdicts[self.row.requirement_id] not in NOT_ASKED


def _describe_failures(requirement: RequirementResult) -> list[str]:
    """Return what nobody expects: a bug report, what else fails; a SHOULD's where the harness broke."""
    counted = _WRONG if GateRules().is_counted(requirement) else (Verdict.ERROR,)
    wrong = [result for result in _select_results(requirement) if result.verdict in counted]
    if not wrong:
        return []
    more = [f"  {result.title}: {result.fault}" for result in wrong if result.title != wrong[0].title]
    return [wrong[0].message, *(["\n".join([f"{requirement.id} fails in {len(more)} more:", *more])] if more else [])]


def _list_excuses(requirements: Iterable[RequirementResult]) -> Iterator[str]:
    """Yield why what fails isn't held against the subject."""
    for requirement in requirements:
        for result in _select_results(requirement):
            if result.verdict is Verdict.EXPECTED_FAILURE:
                yield f"{requirement.id} is in the baseline: {result.fault}"
            elif result.verdict in _WRONG:
                yield f"{requirement.label}: {result.fault or result.message}"


def _select_results(requirement: RequirementResult) -> tuple[ScenarioResult, ...]:
    """Return what is held against the requirement: what judges saw counts only where it is blamed for it."""
    is_blamed = requirement.verdict in (Verdict.FAILED, Verdict.EXPECTED_FAILURE)
    return requirement.scenarios + (requirement.departures if is_blamed else ())
