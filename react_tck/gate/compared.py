"""What has changed from one report to another: the second is held against the baseline that the first would write.

What only one of the two played counts for nothing, and what fails as it did is no change.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from react_tck.gate.baseline import Section, section_of
from react_tck.gate.gate import Gate, Objection
from react_tck.gate.lapses import GateRules
from react_tck.model.report import Report, RequirementResult, ScenarioResult, Verdict

#: Of two reports everything counts that is in a verdict of theirs.
_RULES = GateRules(strict=True, robustness="minor")
#: What a baseline made of a verdict.
_WITHOUT_BASELINE = {Verdict.EXPECTED_FAILURE: Verdict.FAILED, Verdict.UNEXPECTED_PASS: Verdict.PASSED}
_JUDGED = (Verdict.PASSED, Verdict.FAILED)


@dataclass(frozen=True)
class Changes:
    """Two reports, in the order in which they were made, without what baselines made of them."""

    before: Report
    after: Report

    @cached_property
    def shared_rows(self) -> frozenset[str]:
        """The rows that both played: the first to a verdict, the second to any end."""
        judged = _list_rows(self.before, _JUDGED)
        return judged & _list_rows(self.after, (*_JUDGED, Verdict.ERROR, Verdict.UNSUPPORTED))

    @property
    def unshared_rows(self) -> list[str]:
        """The rows that only one of them played."""
        return sorted((_list_rows(self.before, _JUDGED) ^ _list_rows(self.after, _JUDGED)) - self.shared_rows)

    @cached_property
    def worse(self) -> Sequence[Objection]:
        """What fails that didn't, fails otherwise, breaks the harness or isn't judged any more."""
        broken = (
            Objection(requirement.id, f"{result.title!r} broke the harness: {result.fault}", "mend it")
            for requirement in self._shared_report.requirements
            for result in requirement.scenarios
            if result.verdict is Verdict.ERROR
        )
        return [*broken, *(each for each in self._gate.objections if not each.is_stale)]

    @property
    def better(self) -> Sequence[Objection]:
        """What the baseline of the first lists and the second doesn't show."""
        return [each for each in self._gate.objections if each.is_stale]

    @cached_property
    def _shared_report(self) -> Report:
        """The second report, of the rows that both played."""
        requirements = tuple(_select_rows(each, self.shared_rows) for each in self.after.requirements)
        return self.after.model_copy(update={"requirements": requirements})

    @cached_property
    def _gate(self) -> Gate:
        return Gate(self._shared_report, section_of(self.before, Section(), _RULES), _RULES, date.min)


def compare_reports(before: Report, after: Report) -> Changes:
    """Return what has changed from one report to the other, whatever baselines accepted of either."""
    return Changes(_drop_baseline(before), _drop_baseline(after))


def _list_rows(report: Report, verdicts: Sequence[Verdict]) -> frozenset[str]:
    rows = (row for requirement in report.requirements for row in requirement.scenarios)
    return frozenset(row.title for row in rows if row.verdict in verdicts)


def _select_rows(requirement: RequirementResult, titles: frozenset[str]) -> RequirementResult:
    def select(results: Sequence[ScenarioResult]) -> tuple[ScenarioResult, ...]:
        return tuple(each for each in results if each.title in titles)

    scenarios, departures = select(requirement.scenarios), select(requirement.departures)
    return requirement.model_copy(update={"scenarios": scenarios, "departures": departures})


def _drop_baseline(report: Report) -> Report:
    def restore(result: ScenarioResult) -> ScenarioResult:
        return result.model_copy(update={"verdict": _WITHOUT_BASELINE.get(result.verdict, result.verdict)})

    requirements = tuple(
        each.model_copy(
            update={
                "scenarios": tuple(map(restore, each.scenarios)),
                "departures": tuple(map(restore, each.departures)),
                "verdict": _WITHOUT_BASELINE.get(each.verdict, each.verdict),
            }
        )
        for each in report.requirements
    )
    return report.model_copy(update={"requirements": requirements})
