"""What a report means beside a baseline: a listed failure is expected, and everything that isn't as listed is told.

A failure that isn't listed, or is listed with another fault, closes the gate; so does what isn't judged any more. An
entry that is no longer true closes it with a status of its own: nothing is broken, but the file has to be written anew.
What is flaky closes it if that is asked for, or if it never passed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from react_tck.gate.baseline import Entry, Section
from react_tck.gate.lapses import FAILING, GateRules, Lapse, lapse_of, list_failures
from react_tck.gate.places import Places
from react_tck.model.report import Flake, Ledger, Report, RequirementResult, ScenarioResult, Verdict
from react_tck.results.exit_status import Exit, exit_status, list_musts, verdicts_of
from react_tck.results.ledger import COUNTS, find_worst_verdict

#: What a run ends with that came to its end; of others nothing is accepted.
JUDGED = (Exit.CONFORMANT, Exit.NOT_CONFORMANT)
_WRITE = "`react-tck baseline --write`"


@dataclass(frozen=True)
class Objection:
    """Why the gate is closed, with what to do about it."""

    requirement: str
    text: str
    #: The line of the baseline to change, if it is one.
    line: int = 0
    #: Whether the baseline is out of date, and nothing else is wrong.
    is_stale: bool = False
    is_flaky: bool = False


@dataclass(frozen=True)
class Gate:
    """A report beside what is accepted of its subject on a day; None where nothing was ever written down."""

    report: Report
    section: Section | None
    rules: GateRules
    today: date
    places: Places = field(default_factory=Places)

    @property
    def is_in_force(self) -> bool:
        """Whether anything was written down or is asked for."""
        return self.section is not None or self.rules != GateRules()

    @cached_property
    def unexpected_results(self) -> tuple[tuple[str, ScenarioResult], ...]:
        """What fails though nobody expects it, each with its requirement; an error is never expected."""
        broken = (
            (requirement, result)
            for requirement in self.report.requirements
            for result in requirement.scenarios
            if result.verdict is Verdict.ERROR
        )
        return tuple((requirement.id, result) for requirement, result in (*broken, *self._find_unexpected()))

    def is_excused(self, flake: Flake) -> bool:
        """Whether the gate stays open: what never passed, nobody excuses."""
        return self.rules.flaky != "fail" and flake.second is Verdict.PASSED

    @cached_property
    def objections(self) -> tuple[Objection, ...]:
        """Everything that closes the gate: what is wrong first, then what is out of date."""
        wrong = (*self._find_unlisted(), *self._find_unexcused(), *self._find_unjudged(), *self._find_demanded())
        found = [*wrong, *self._find_outdated()]
        return tuple(sorted(found, key=lambda objection: objection.is_stale))

    @property
    def exit_status(self) -> Exit:
        """The status of a run: of its report alone where nothing was ever written down and nothing more is asked."""
        alone = exit_status(self.gated_report, self.rules.robustness)
        if alone not in JUDGED:
            return alone
        if any(not objection.is_stale for objection in self.objections):
            return Exit.NOT_CONFORMANT
        if self.section is None:
            return alone
        return Exit.STALE_BASELINE if self.objections else Exit.CONFORMANT

    @cached_property
    def gated_report(self) -> Report:
        """The report with listed failures as expected ones and flakes as such.

        Of the causes, those are left of failures that nobody expects.
        """
        requirements = tuple(self._gate_requirement(requirement) for requirement in self.report.requirements)
        surprising = {result.title for requirement in requirements for result in list_failures(requirement)}
        changed = self.report.model_copy(
            update={
                "requirements": requirements,
                "causes": tuple(cause for cause in self.report.causes if surprising.intersection(cause.rows)),
                "ledger": _recount_ledger(self.report.ledger, self.report.requirements, requirements),
            }
        )
        return changed.model_copy(update={"verdicts": verdicts_of(changed)})

    @property
    def _is_whole(self) -> bool:
        """Whether all was played that the section is about: what wasn't may be as it is listed."""
        is_same = self.section is not None and self.section.profile == self.report.profile
        return is_same and self.report.is_whole_profile

    @cached_property
    def _listed_entries(self) -> dict[tuple[str, str], list[Entry]]:
        """The entries by requirement and row; without a row, what judges see."""
        listed: dict[tuple[str, str], list[Entry]] = {}
        for entry in self.section.entries if self.section else ():
            for row in entry.rows or ("",):
                listed.setdefault((entry.requirement, row), []).append(entry)
        return listed

    @cached_property
    def _flaky_rows(self) -> frozenset[tuple[str, str]]:
        return frozenset((flake.requirement, flake.row) for flake in self.report.flakes)

    def _find_entry(self, lapse: Lapse) -> Entry | None:
        entries = self._listed_entries.get((lapse.requirement, lapse.row), [])
        return next((entry for entry in entries if entry.fault == lapse.fault), None)

    def _gate_requirement(self, requirement: RequirementResult) -> RequirementResult:
        scenarios = tuple(self._gate_result(requirement, result) for result in requirement.scenarios)
        departures = tuple(self._gate_result(requirement, result) for result in requirement.departures)
        if scenarios == requirement.scenarios and departures == requirement.departures:
            return requirement
        verdict = find_worst_verdict((*scenarios, *(departures if requirement.verdict is Verdict.FAILED else ())))
        if requirement.verdict is Verdict.BLOCKED and verdict in (Verdict.FAILED, Verdict.EXPECTED_FAILURE):
            verdict = Verdict.BLOCKED
        return requirement.model_copy(update={"scenarios": scenarios, "departures": departures, "verdict": verdict})

    def _gate_result(self, requirement: RequirementResult, result: ScenarioResult) -> ScenarioResult:
        verdict = result.verdict
        if verdict in FAILING and self._find_entry(lapse_of(requirement, result)):
            verdict = Verdict.EXPECTED_FAILURE
        elif verdict in (*FAILING, Verdict.ERROR) and (requirement.id, result.title) in self._flaky_rows:
            verdict = Verdict.FLAKY
        elif verdict is Verdict.PASSED and (requirement.id, result.title) in self._listed_entries:
            verdict = Verdict.UNEXPECTED_PASS
        return result.model_copy(update={"verdict": verdict})

    def _find_unlisted(self) -> Iterator[Objection]:
        """Failures that aren't listed so; those of one fault are told once."""
        if self.section is None:
            return
        steady = (
            (owner, result)
            for owner, result in self._find_unexpected()
            if (owner.id, result.title) not in self._flaky_rows
        )
        for (id_, fault), found in _group_lapses(lapse_of(*each) for each in steady).items():
            others = {entry for row in found for entry in self._listed_entries.get((id_, row), ()) if row}
            where = f"{found[0]!r}" + (f" and {len(found) - 1} more" if len(found) > 1 else "")
            where = where if found[0] else "seen by the kit's judges"
            if others:
                other = min(others, key=lambda entry: entry.line)
                text = f"{where} fails otherwise than listed: now {fault!r}, there {other.fault!r}"
                yield Objection(id_, f"{text}; look at it, then {_WRITE}", other.line)
            else:
                text = f"{where} fails and isn't listed: {fault!r}"
                yield Objection(id_, f"{text}; mend it, or accept it with {_WRITE}")

    def _find_unexpected(self) -> Iterator[tuple[RequirementResult, ScenarioResult]]:
        """What counts, fails and isn't listed so."""
        for requirement in filter(self.rules.is_counted, self.report.requirements):
            for result in list_failures(requirement):
                if not self._find_entry(lapse_of(requirement, result)):
                    yield requirement, result

    def _find_unexcused(self) -> Iterator[Objection]:
        """What is flaky, where that isn't let pass."""
        for flake in self.report.flakes:
            if not self.is_excused(flake):
                asked = "mend it" if flake.second is not Verdict.PASSED else 'mend it, or set [gate] flaky = "pass"'
                yield Objection(flake.requirement, f"{flake.summary_sentence}; {asked}", is_flaky=True)

    def _find_unjudged(self) -> Iterator[Objection]:
        """What was judged when the baseline was written, and is no longer."""
        if self.section is None:
            return
        for requirement in filter(self.rules.is_counted, self.report.requirements):
            if requirement.verdict is Verdict.UNSUPPORTED and requirement.id not in self.section.unsupported:
                why = next((each.message for each in requirement.scenarios if each.message), "")
                text = f"isn't judged any more: {why}; declare it again, or accept it with {_WRITE}"
                yield Objection(requirement.id, text)

    def _find_demanded(self) -> Iterator[Objection]:
        """What `[gate]` asks for and isn't there."""
        asked = list_musts(self.report)
        for requirement in asked:
            area = requirement.id.rpartition("-")[0]
            if area in self.rules.require and requirement.verdict is Verdict.UNSUPPORTED:
                yield Objection(requirement.id, f"is unsupported, and [gate] require asks for all of {area}")
        passed = sum(each.verdict is Verdict.PASSED for each in asked)
        if passed < self.rules.min_must:
            yield Objection("", f"{passed} MUST passed, and [gate] min_must asks for {self.rules.min_must}")

    def _find_outdated(self) -> Iterator[Objection]:
        """Entries that are no longer true."""
        section = self.section or Section()
        by_id = {requirement.id: requirement for requirement in self.report.requirements}
        for entry in section.entries:
            if entry.expires and entry.expires < self.today:
                text = f"was accepted until {entry.expires}; mend it, or set another day"
                yield Objection(entry.requirement, text, entry.line, is_stale=True)
            if requirement := by_id.get(entry.requirement):
                yield from self._find_outdated_rows(entry, requirement)
        for id_ in sorted(section.unsupported & by_id.keys()):
            if by_id[id_].verdict in (Verdict.PASSED, *FAILING):
                text = f"is listed as unsupported and is judged now; {_WRITE}"
                yield Objection(id_, text, is_stale=True)

    def _find_outdated_rows(self, entry: Entry, requirement: RequirementResult) -> Iterator[Objection]:
        if not entry.rows:
            seen = {lapse_of(requirement, result) for result in list_failures(requirement)}
            if self._is_whole and Lapse(entry.requirement, "", entry.fault) not in seen:
                text = f"is listed with {entry.fault!r}, which no judge sees now; delete the entry, or {_WRITE}"
                yield Objection(entry.requirement, text, entry.line, is_stale=True)
            return
        verdicts = {result.title: result.verdict for result in requirement.scenarios}
        for row in entry.rows:
            verdict = verdicts.get(row)
            if verdict is Verdict.PASSED:
                text = f"{row!r} passes and is listed as a failure; delete the row, or {_WRITE}"
                yield Objection(entry.requirement, text, entry.line, is_stale=True)
            elif verdict is None and self._is_whole:
                yield Objection(entry.requirement, f"there is no row {row!r}; {_WRITE}", entry.line, is_stale=True)


def _group_lapses(found: Iterable[Lapse]) -> dict[tuple[str, str], Sequence[str]]:
    groups: dict[tuple[str, str], list[str]] = {}
    for lapse in found:
        groups.setdefault((lapse.requirement, lapse.fault), []).append(lapse.row)
    return {key: list(dict.fromkeys(rows)) for key, rows in groups.items()}


def _recount_ledger(ledger: Ledger, before: Sequence[RequirementResult], after: Sequence[RequirementResult]) -> Ledger:
    """The ledger after verdicts have changed: of scenarios each row's, of a sanitizer its own, and the oracle's."""
    changes: list[tuple[Verdict, Verdict]] = []
    for old, new in zip(before, after, strict=True):
        if old.profile == "sanitizer":
            changes.append((old.verdict, new.verdict))
        else:
            rows = zip(old.scenarios, new.scenarios, strict=True)
            changes += [(was.verdict, is_.verdict) for was, is_ in rows]
    if _has_departures(before) and not _has_departures(after):
        seen = {departure.verdict for requirement in after for departure in requirement.departures}
        changes.append((Verdict.FAILED, Verdict.FLAKY if Verdict.FLAKY in seen else Verdict.EXPECTED_FAILURE))
    counts = Counter(ledger.model_dump())
    for was, is_ in changes:
        counts[COUNTS[was]] -= 1
        counts[COUNTS[is_]] += 1
    return Ledger(**counts)


def _has_departures(requirements: Iterable[RequirementResult]) -> bool:
    """Whether the oracle saw anything of a requirement that isn't met, or is blocked."""
    return any(each.departures and each.verdict in (Verdict.FAILED, Verdict.BLOCKED) for each in requirements)
