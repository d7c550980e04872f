"""Collects how rows end and what is seen in them, and accounts for all of them."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from react_tck.catalogue.registry import Registry
from react_tck.catalogue.selection import Selection
from react_tck.judges.choices.replies import COERCED
from react_tck.judges.table import Account
from react_tck.model.manifest import Manifest
from react_tck.model.record import Record
from react_tck.model.report import Ledger, RequirementResult, ScenarioResult, Verdict
from react_tck.model.requirement import Requirement
from react_tck.results.causes import Symptom

#: The first that occurs among a requirement's scenarios is the requirement's verdict.
_WORST_FIRST = (
    Verdict.ERROR,
    Verdict.FAILED,
    Verdict.FLAKY,
    Verdict.UNEXPECTED_PASS,
    Verdict.EXPECTED_FAILURE,
    Verdict.PASSED,
    Verdict.NOT_RUN,
    Verdict.UNTESTABLE,
    Verdict.UNSUPPORTED,
    Verdict.NOT_SELECTED,
)
#: What a verdict is counted as in a ledger.
COUNTS = {
    Verdict.PASSED: "passed",
    Verdict.FAILED: "failed",
    Verdict.BLOCKED: "failed",
    Verdict.UNSUPPORTED: "unsupported",
    Verdict.UNTESTABLE: "untestable",
    Verdict.EXPECTED_FAILURE: "expected_failures",
    Verdict.UNEXPECTED_PASS: "unexpected_passes",
    Verdict.FLAKY: "flaky",
    Verdict.ERROR: "errors",
    Verdict.NOT_SELECTED: "not_selected",
    Verdict.NOT_RUN: "not_run",
}


class Unbalanced(Exception):
    """Scenarios got lost: the ledger doesn't balance."""


@dataclass(frozen=True)
class FoundViolation:
    """What a judge found violated in a row, whatever the row is about; and the entries that it belongs in."""

    account: Account
    requirement_id: str
    result: ScenarioResult


@dataclass(frozen=True)
class RowEnd:
    """How a row of a requirement ended, and what judges found violated in it."""

    requirement_id: str
    result: ScenarioResult
    violations: tuple[FoundViolation, ...] = ()


@dataclass
class Results:
    """What has ended so far. `registered` is fixed at collection, from the features, not from what ran."""

    registered: int = 0
    scenarios: dict[str, list[ScenarioResult]] = field(default_factory=dict)
    #: Rows that came to another end when they were played again, whatever end they had come to before.
    spoiled: dict[str, list[ScenarioResult]] = field(default_factory=dict)
    violations: dict[str, list[ScenarioResult]] = field(default_factory=dict)
    departures: dict[str, list[ScenarioResult]] = field(default_factory=dict)
    #: The records of a row's episodes as JSON, of rows that a second play may be held against.
    records: dict[str, list[str]] = field(default_factory=dict)
    #: What the subject declares to vary: no difference between two records.
    varies: tuple[str, ...] = ()
    #: Sanitizers that can't be seen to be violated, for the subject runs in a process of its own.
    unseen: tuple[str, ...] = ()
    #: The variants seen at each choice point.
    observed: dict[str, set[str]] = field(default_factory=dict)
    #: What became of args that can't be made to fit.
    unfit: set[str] = field(default_factory=set)
    #: The choices of which a call did none of the variants.
    evaded: set[str] = field(default_factory=set)
    kit_errors: list[str] = field(default_factory=list)
    #: Which transcripts couldn't be written, and why.
    unwritten: list[str] = field(default_factory=list)
    #: How long each row took that another process played: in no report, for no two runs take as long.
    seconds: dict[str, float] = field(default_factory=dict)
    #: The sanitizers that some episode put to the test.
    tested: set[str] = field(default_factory=set)

    def add_result(self, requirement_id: str, result: ScenarioResult) -> None:
        """Count a scenario of a requirement that ended."""
        self.scenarios.setdefault(requirement_id, []).append(result)

    def add_spoiled(self, requirement_id: str, result: ScenarioResult) -> None:
        """Count a scenario that came to another end when it was played again, or after it was over."""
        self.spoiled.setdefault(requirement_id, []).append(result)

    def add_end(self, end: RowEnd) -> None:
        """Enter how a row ended, and what was found in it."""
        self.add_result(end.requirement_id, end.result)
        for found in end.violations:
            self.add_violation(found.account, found.requirement_id, found.result)

    def add_violation(self, account: Account, requirement_id: str, result: ScenarioResult) -> None:
        """Count a scenario in which a judge found the requirement violated, whatever the scenario is about."""
        entries = self.violations if account == "sanitizers" else self.departures
        entries.setdefault(requirement_id, []).append(result)

    def keep_records(self, row: str, records: Iterable[Record], *, is_wanted: bool) -> None:
        """Keep the records of a row in which anything is wrong, or if they are wanted anyway."""
        is_wrong = any(result.fault for ended in self.scenarios.values() for result in ended)
        if is_wanted or is_wrong or self.violations or self.departures:
            self.records[row] = [json.dumps(record.model_dump(mode="json")) for record in records]

    def add_variants(self, seen: Mapping[str, set[str]], unfit: Iterable[str], evaded: Iterable[str]) -> None:
        """Variants were seen at choice points; these became of args that can't be made to fit; these were evaded."""
        for name, variants in seen.items():
            self.observed.setdefault(name, set()).update(variants)
        self.unfit.update(unfit)
        self.evaded.update(evaded)

    def merge_results(self, found: "Results") -> None:
        """Add what has been found since the last time; a row that had passed and was spoiled has not passed."""
        for mine, theirs in (
            (self.scenarios, found.scenarios),
            (self.violations, found.violations),
            (self.departures, found.departures),
        ):
            for requirement_id, results in theirs.items():
                mine.setdefault(requirement_id, []).extend(results)
        for requirement_id, results in found.spoiled.items():
            for result in results:
                passed = ScenarioResult(title=result.title, verdict=Verdict.PASSED)
                known = self.scenarios.get(requirement_id, [])
                self.scenarios[requirement_id] = [result if each == passed else each for each in known]
        self.records.update(found.records)
        self.varies = found.varies or self.varies
        self.unseen = found.unseen or self.unseen
        self.add_variants(found.observed, found.unfit, found.evaded)
        self.kit_errors += found.kit_errors
        self.unwritten += found.unwritten
        self.tested |= found.tested

    @property
    def observed_choices(self) -> dict[str, str]:
        """The variants seen at each choice point, as a report tells them.

        That args are made to fit where they can be leaves open what becomes of others, so it stands beside. Of a
        choice that a call evaded no declaration would be true, so none is told.
        """
        chosen = {name: seen for name, seen in self.observed.items() if name not in self.evaded}
        told = {name: seen | self.unfit if COERCED in seen else seen for name, seen in chosen.items()}
        return {name: "; ".join(sorted(seen)) for name, seen in sorted(told.items())}

    def make_ledger(self) -> Ledger:
        """Return the account of all rows.

        Raises:
            Unbalanced: if it doesn't balance.
        """
        found = chain(self.scenarios.values(), self.violations.values(), self.departures.values())
        ended = Counter(COUNTS[verdict] for verdict in end_rows(chain.from_iterable(found)).values())
        ledger = Ledger(registered=self.registered, **ended)
        if not ledger.balances:
            raise Unbalanced(f"{ledger.registered} registered, but {ledger.accounted_for} accounted for")
        return ledger

    def list_symptoms(self, registry: Registry) -> Iterator[Symptom]:
        """Yield every violation: of a scenario's own sentence, and what judges saw in its episodes."""
        for id_, ended in self.scenarios.items():
            failed = [result for result in ended if result.verdict is Verdict.FAILED]
            yield from (Symptom(id_, each, is_own=True, weight=registry.by_id[id_].weight) for each in failed)
        for id_, entered in chain(self.violations.items(), self.departures.items()):
            yield from (Symptom(id_, each, is_own=False, weight=registry.by_id[id_].weight) for each in entered)

    def judge_requirements(
        self, selection: Selection, manifest: Manifest, blockers: Mapping[str, tuple[str, ...]]
    ) -> Iterator[RequirementResult]:
        """Yield every requirement asked for, every sanitizer, and what the judges found, in the registry's order.

        Each weighs what it does for a subject of that manifest. What was seen isn't held against a requirement that
        has `blockers`: something else made it.
        """
        for requirement in selection.registry_for(manifest).requirements:
            if requirement.is_sanitizer or requirement.id in self.departures or selection.asks_for(requirement):
                # A profile that never puts it to the test is one that the subject doesn't let it be asked in.
                unseen = Verdict.UNSUPPORTED if selection.is_whole_profile and self.tested else Verdict.NOT_SELECTED
                yield self._judge_requirement(requirement, blockers.get(requirement.id, ()), unseen)

    def _judge_requirement(
        self, requirement: Requirement, blockers: tuple[str, ...], unseen: Verdict
    ) -> RequirementResult:
        scenarios = tuple(self.scenarios.get(requirement.id, ()))
        departures = tuple(self.departures.get(requirement.id, ()))
        verdict = find_worst_verdict(scenarios)
        if requirement.is_sanitizer:
            scenarios += tuple(self.violations.get(requirement.id, ()))
            own = ScenarioResult(title="", verdict=self._judge_sanitizer(requirement, unseen))
            verdict = find_worst_verdict((*scenarios, *departures, own))
        elif departures and not blockers:
            verdict = Verdict.FAILED
        elif requirement.pending:
            verdict = Verdict.PENDING
        elif requirement.excluded:
            verdict = Verdict.EXCLUDED
        if verdict is Verdict.FAILED and blockers:
            verdict = Verdict.BLOCKED
        return RequirementResult(
            id=requirement.id,
            title=requirement.title or requirement.sentence,
            level=requirement.level,
            profile=requirement.profile,
            verdict=verdict,
            scenarios=scenarios,
            departures=departures,
            severity=requirement.severity,
            specification=requirement.specification,
            blocked_by=blockers if verdict is Verdict.BLOCKED else (),
        )

    def _judge_sanitizer(self, sanitizer: Requirement, unseen: Verdict) -> Verdict:
        if sanitizer.id in self.unseen and self.tested:
            return Verdict.UNTESTABLE
        if sanitizer.id in self.violations:
            return find_worst_verdict(tuple(self.violations[sanitizer.id]))
        return Verdict.PASSED if sanitizer.id in self.tested else unseen


def end_rows(results: Iterable[ScenarioResult]) -> dict[str, Verdict]:
    """How each row ended, by its title: the worst of what its own sentence came to and of what was seen in it."""
    by_row: dict[str, list[ScenarioResult]] = {}
    for result in results:
        by_row.setdefault(result.title, []).append(result)
    return {row: find_worst_verdict(tuple(found)) for row, found in by_row.items()}


def find_worst_verdict(results: tuple[ScenarioResult, ...]) -> Verdict:
    """Return the verdict of what has these results."""
    found = {result.verdict for result in results}
    return next((verdict for verdict in _WORST_FIRST if verdict in found), Verdict.NOT_SELECTED)
