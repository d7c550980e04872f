"""What a report tells first: each fault once, with all the requirements that it breaks, the weightiest first."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from react_tck.catalogue.features import load_features
from react_tck.model.report import Report, RequirementResult, ScenarioResult, Verdict
from react_tck.model.requirement import DECLARED_OTHERWISE

#: The group of what a baseline lists.
EXPECTED = "expected"
#: What a fault is told under, by the weight of the weightiest requirement that it breaks; the worst first.
GROUPS: Mapping[str, str] = {
    "MUST": "MUST not met",
    DECLARED_OTHERWISE: "declared otherwise",
    "critical": "critical",
    "SHOULD": "SHOULD not met",
    "major": "major",
    "MAY": "MAY not met",
    "minor": "minor",
    "–": "counts in no verdict",
    EXPECTED: "as the baseline lists",
}
_BROKEN = (Verdict.FAILED, Verdict.EXPECTED_FAILURE, Verdict.FLAKY)


@dataclass(frozen=True)
class Defect:
    """A fault, and what it breaks."""

    group: str
    ids: tuple[str, ...]
    #: Of the first requirement: what it demands, the rows in which it isn't so, and that of them which tells it best.
    title: str
    rows: int
    shown: ScenarioResult

    @property
    def happened(self) -> str:
        """What was seen, in a line."""
        return self.shown.actual or self.shown.fault or self.shown.title


def list_defects(report: Report) -> list[Defect]:
    """List the faults that a report tells of, by weight and then by rows; those that broke the harness aren't among."""
    broken = [each for each in report.requirements if each.verdict in _BROKEN and each.held_results]
    blocked = [each for each in report.requirements if each.verdict is Verdict.BLOCKED and each.held_results]
    known = {each.id for each in broken}
    of_cause: dict[str, list[RequirementResult]] = {each.id: [each] for each in broken}
    for each in blocked:
        blocker = next((id_ for id_ in each.blocked_by if id_ in known), each.id)
        of_cause.setdefault(blocker, []).append(each)
    defects = [_make_defect(requirements) for requirements in of_cause.values()]
    order = list(GROUPS)
    return sorted(defects, key=lambda each: (order.index(each.group), -each.rows))


#: Rows in which the harness broke in one way, each with its requirement.
Broken = Sequence[tuple[RequirementResult, ScenarioResult]]


def list_broken_harness(report: Report) -> list[Broken]:
    """List the ways in which the harness broke, each with its rows."""
    alike: dict[str, list[tuple[RequirementResult, ScenarioResult]]] = {}
    for requirement in report.requirements:
        for row in requirement.scenarios:
            if row.verdict is Verdict.ERROR:
                alike.setdefault(row.fault, []).append((requirement, row))
    return list(alike.values())


class AdapterQuestion(NamedTuple):
    """What rows have in common of which none passes, how many failed, and what to ask of the adapter."""

    shared: str
    rows: int
    question: str


#: What shows in a step of such rows that they have it in common, and what to ask where none of them passes.
_SHARED = (
    ("several outputs", r'-> [^"]*,', "does it read a JSON text of several outputs?"),
    ("an output that is no text", r'-> [^"]*: (int|float|bool|list)', "does it give outputs as JSON of their types?"),
    ("a limit of steps", r"^max_steps is", "does `max_steps` reach your library?"),
)
#: Failed rows from which on that looks like the adapter's.
_MANY = 3


def list_adapter_questions(report: Report) -> Iterator[AdapterQuestion]:
    """List what looks like the adapter's: something passes, but no row that has this in common."""
    ended = {row.title: row.verdict for each in report.requirements for row in each.scenarios}
    passed = {title for title, verdict in ended.items() if verdict is Verdict.PASSED}
    failed = {title for title, verdict in ended.items() if verdict in _BROKEN}
    for shared, shown, question in _SHARED if passed else ():
        alike = [each for each in load_features() if any(re.search(shown, step.text) for step in each.steps)]
        rows = {title for each in alike for title in each.row_titles}
        if len(rows & failed) >= _MANY and not rows & passed:
            yield AdapterQuestion(shared, len(rows & failed), question)


def _make_defect(requirements: Sequence[RequirementResult]) -> Defect:
    order = list(GROUPS)
    by_weight = sorted(requirements, key=lambda each: order.index(_group_of(each)))
    first = by_weight[0]
    rows = first.failed_results or first.held_results
    return Defect(
        group=_group_of(first),
        ids=tuple(each.id for each in by_weight),
        title=first.title,
        rows=len(rows),
        shown=_choose_shown(first, rows),
    )


def _group_of(requirement: RequirementResult) -> str:
    if requirement.verdict is Verdict.EXPECTED_FAILURE:
        return EXPECTED
    return DECLARED_OTHERWISE if requirement.id == DECLARED_OTHERWISE else requirement.weight


def _choose_shown(requirement: RequirementResult, rows: Sequence[ScenarioResult]) -> ScenarioResult:
    """Choose the first in which the requirement's own sentence failed, or else in which it was seen."""
    own = {each.title for each in requirement.scenarios}
    return min(rows, key=lambda each: each.title not in own)


def count_rows(rows: int) -> str:
    """Say how many rows, such as `5 rows`."""
    return "1 row" if rows == 1 else f"{rows:,} rows"
