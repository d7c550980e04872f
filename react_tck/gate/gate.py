"""What a report means beside a baseline: a listed failure is expected, and everything that isn't as listed is told.

A failure that isn't listed, or is listed with another fault, closes the gate; so does what is unsupported and isn't
listed so. An entry that is no longer true closes it with a status of its own: nothing is broken, but the file has to be
written anew.
What is flaky closes it if that is asked for, or if it never passed. Whatever has one cause is one objection.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import chain

from react_tck.gate.baseline import Entry, Places, Section
from react_tck.gate.lapses import (
    Fault,
    GateRules,
    Lapse,
    LapseGroup,
    find_lapses,
    find_shown_faults,
    group_lapses,
    lapse_of,
    list_failures,
)
from react_tck.model.report import Flake, Ledger, Report, RequirementResult, ScenarioResult, Verdict
from react_tck.results.exit_status import Exit, exit_status, list_musts, verdicts_of
from react_tck.results.ledger import COUNTS, end_rows, find_worst_verdict


@dataclass(frozen=True)
class Acceptance:
    """A report beside the entries that are written down; none where nothing was."""

    report: Report
    section: Section
    rules: GateRules

    @cached_property
    def listed_rows(self) -> dict[Fault, Entry]:
        """The entries by requirement and row, the first that lists it."""
        return {(entry.requirement, row): entry for entry in reversed(self.section.entries) for row in entry.rows}

    @cached_property
    def shown_faults(self) -> Mapping[str, frozenset[Fault]]:
        """Which faults each row shows."""
        return find_shown_faults(self.report)

    @cached_property
    def true_entries(self) -> frozenset[Entry]:
        """The entries by which something that fails is expected."""
        found = (self.find_entry(lapse) for lapse in find_lapses(self.report, self.rules))
        return frozenset(filter(None, found))

    def find_entry(self, lapse: Lapse) -> Entry | None:
        """Return the entry that lists the lapse, those of its own requirement first."""
        listing = [entry for entry in self.section.entries if self._is_listed_by(entry, lapse)]
        return min(listing, key=lambda entry: entry.requirement != lapse.requirement, default=None)

    def find_overrun_requirements(self) -> Iterator[tuple[Entry, str, int]]:
        """Yield requirements of which more rows are blocked than are listed, each after an entry, and how many are."""
        blocked = {
            (lapse.requirement, lapse.row)
            for lapse in find_lapses(self.report, self.rules)
            if lapse.is_own and (entry := self.find_entry(lapse)) and entry.requirement != lapse.requirement
        }
        counts = Counter(id_ for id_, _ in blocked)
        listed: Counter[str] = Counter()
        for entry in self.section.entries:
            listed.update(dict(entry.blocked))
        for id_, count in counts.items():
            if count > listed[id_]:
                yield next(entry for entry in self.section.entries if id_ in dict(entry.blocked)), id_, count

    def find_mended_requirements(self, entry: Entry) -> Iterator[tuple[str, int]]:
        """Yield what an entry blocks in fewer rows than it lists, and in how many."""
        lapses = {lapse for lapse in find_lapses(self.report, self.rules) if lapse.is_own}
        rows = {(each.requirement, each.row) for each in lapses if self._is_listed_by(entry, each)}
        counts = Counter(id_ for id_, _ in rows)
        yield from ((id_, counts[id_]) for id_, listed in entry.blocked if counts[id_] < listed)

    def is_shown(self, entry: Entry) -> bool:
        """Tell whether any row shows the fault of an entry."""
        return any((entry.requirement, entry.fault) in faults for faults in self.shown_faults.values())

    def _is_listed_by(self, entry: Entry, lapse: Lapse) -> bool:
        """Tell whether the lapse is what the entry lists, or explained by what it lists, which its row shows then."""
        fault = (entry.requirement, entry.fault)
        if not lapse.is_own:
            return lapse.fault == fault
        is_same = lapse.requirement == entry.requirement
        is_named = lapse.row in entry.rows if is_same else lapse.requirement in dict(entry.blocked)
        return is_named and fault in self.shown_faults.get(lapse.row, ())


#: What a run ends with that came to its end; of others nothing is accepted.
JUDGED = (Exit.CONFORMANT, Exit.NOT_CONFORMANT)
_WRITE = "`react-tck baseline --write`"
#: Requirements that are named of those that fail by a fault; of the others, how many there are.
_NAMED = 3


@dataclass(frozen=True)
class Objection:
    """Why the gate is closed, with what to do about it."""

    requirement: str
    #: What is so.
    fact: str
    #: What to do.
    advice: str
    #: The line of the baseline to change, if it is one.
    line: int = 0
    #: Whether the baseline is out of date, and nothing else is wrong.
    is_stale: bool = False
    is_flaky: bool = False

    @property
    def text(self) -> str:
        """The fact and the advice, in a line."""
        return f"{self.fact}; {self.advice}"


@dataclass(frozen=True)
class Gate:
    """A report beside what is accepted of its subject on a day; None where nothing was ever written down."""

    report: Report
    section: Section | None
    rules: GateRules
    today: date
    places: Places = field(default_factory=Places)

    @cached_property
    def acceptance(self) -> Acceptance:
        """What is accepted of the report."""
        return Acceptance(self.report, self.section or Section(), self.rules)

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

    @cached_property
    def listed_passes(self) -> tuple[tuple[str, ScenarioResult], ...]:
        """What passes though it is listed as a failure, each with its requirement; a flake does so by chance."""
        return tuple(
            (requirement.id, result)
            for requirement in self.report.requirements
            for result in requirement.scenarios
            if result.verdict is Verdict.PASSED and (requirement.id, result.title) in self.acceptance.listed_rows
        )

    def is_excused(self, flake: Flake) -> bool:
        """Tell whether the gate stays open: what never passed, nobody excuses, unless it is listed."""
        return self.rules.flaky != "fail" and Verdict.PASSED in (flake.first, flake.second)

    @cached_property
    def objections(self) -> tuple[Objection, ...]:
        """Everything that closes the gate: what is wrong first, then what is out of date."""
        written = (*self._find_unlisted(), *self._find_overrun(), *self._find_unjudged()) if self.section else ()
        found = (*written, *self._find_unexcused(), *self._find_demanded(), *self._find_outdated())
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

        Of the causes, those are left of failures that nobody expects, with the rows of these.
        """
        requirements = tuple(self._gate_requirement(requirement) for requirement in self.report.requirements)
        surprising = {result.title for requirement in requirements for result in list_failures(requirement)}
        rows = {cause: tuple(row for row in cause.rows if row in surprising) for cause in self.report.causes}
        changed = self.report.model_copy(
            update={
                "requirements": requirements,
                "causes": tuple(cause.model_copy(update={"rows": mine}) for cause, mine in rows.items() if mine),
                "ledger": _recount_ledger(self.report.ledger, self.report.requirements, requirements),
            }
        )
        return changed.model_copy(update={"verdicts": verdicts_of(changed)})

    @property
    def _is_whole(self) -> bool:
        """Whether all was played that the section is about: what wasn't may be as it is listed."""
        is_in_it = self.section is not None and self.report.profile in (self.section.profile, "all")
        return is_in_it and self.report.is_whole_profile

    @cached_property
    def _flaky_rows(self) -> frozenset[tuple[str, str]]:
        return frozenset((flake.requirement, flake.row) for flake in self.report.flakes)

    def _gate_requirement(self, requirement: RequirementResult) -> RequirementResult:
        scenarios = tuple(self._gate_result(requirement, result) for result in requirement.scenarios)
        departures = tuple(self._gate_result(requirement, result) for result in requirement.departures)
        if scenarios == requirement.scenarios and departures == requirement.departures:
            return requirement
        changed = requirement.model_copy(update={"scenarios": scenarios, "departures": departures})
        verdict = find_worst_verdict(changed.held_results)
        if requirement.verdict is Verdict.BLOCKED and verdict in (Verdict.FAILED, Verdict.EXPECTED_FAILURE):
            verdict = Verdict.BLOCKED
        return changed.model_copy(update={"verdict": verdict})

    def _gate_result(self, requirement: RequirementResult, result: ScenarioResult) -> ScenarioResult:
        verdict = result.verdict
        if verdict is Verdict.FAILED and self.acceptance.find_entry(lapse_of(requirement, result)):
            verdict = Verdict.EXPECTED_FAILURE
        elif verdict is not Verdict.UNSUPPORTED and (requirement.id, result.title) in self._flaky_rows:
            verdict = Verdict.FLAKY
        elif verdict is Verdict.PASSED and (requirement.id, result.title) in self.acceptance.listed_rows:
            verdict = Verdict.UNEXPECTED_PASS
        return result.model_copy(update={"verdict": verdict})

    def _find_unlisted(self) -> Iterator[Objection]:
        """Failures that aren't listed so."""
        steady = (
            lapse_of(owner, result)
            for owner, result in self._find_unexpected()
            if (owner.id, result.title) not in self._flaky_rows
        )
        listed = self.acceptance.listed_rows
        for group in group_lapses(steady, self.report):
            id_, fault = group.fault
            others = [listed[id_, row] for row in group.rows if (id_, row) in listed]
            if others:
                other = min(others, key=lambda entry: entry.line)
                text = f"{_fold_rows(group.rows)} fails otherwise than listed: now {fault!r}, there {other.fault!r}"
                yield Objection(id_, f"{text}{_describe_blocked(group)}", f"look at it, then {_WRITE}", other.line)
            else:
                where = _fold_rows(group.rows) if group.rows else "seen by the kit's judges"
                text = f"{where} fails and isn't listed: {fault!r}{_describe_blocked(group)}"
                yield Objection(id_, text, f"mend it, or accept it with {_WRITE}")

    def _find_overrun(self) -> Iterator[Objection]:
        """Entries that block more rows of another requirement than they list."""
        found: dict[Entry, list[str]] = {}
        for entry, id_, count in self.acceptance.find_overrun_requirements():
            found.setdefault(entry, []).append(f"{id_} {count}")
        for entry, counts in found.items():
            text = f"{entry.fault!r} blocks more rows than are listed: now {', '.join(counts)}"
            yield Objection(entry.requirement, text, f"look at it, then {_WRITE}", entry.line)

    def _find_unexpected(self) -> Iterator[tuple[RequirementResult, ScenarioResult]]:
        """Yield what counts, fails and isn't listed so."""
        for requirement in filter(self.rules.is_counted, self.report.requirements):
            for result in list_failures(requirement):
                if not self.acceptance.find_entry(lapse_of(requirement, result)):
                    yield requirement, result

    def _find_unexcused(self) -> Iterator[Objection]:
        """Yield what is flaky, where that isn't let pass."""
        for flake in self.report.flakes:
            if not self.is_excused(flake):
                asked = "mend it" if flake.second is not Verdict.PASSED else 'mend it, or set [gate] flaky = "pass"'
                yield Objection(flake.requirement, flake.summary_sentence, asked, is_flaky=True)

    def _find_unjudged(self) -> Iterator[Objection]:
        """Yield what isn't judged and isn't listed so: undeclared since, or new in the kit; by reason."""
        known = self.section.unsupported if self.section else frozenset()
        found: dict[str, list[str]] = {}
        for requirement in filter(self.rules.is_counted, self.report.requirements):
            if requirement.verdict is Verdict.UNSUPPORTED and requirement.id not in known:
                why = next(
                    (each.message for each in requirement.scenarios if each.message), "it isn't asked of this subject"
                )
                found.setdefault(why, []).append(requirement.id)
        for why, (id_, *others) in found.items():
            more = f" (nor are {_fold_ids(others)})" if others else ""
            advice = f"declare it again, or, if the kit asks it newly, accept it with {_WRITE}"
            yield Objection(id_, f"isn't judged: {why}{more}", advice)

    def _find_demanded(self) -> Iterator[Objection]:
        """Yield what `[gate]` asks for and isn't there."""
        asked = list_musts(self.report)
        for requirement in asked:
            area = requirement.id.rpartition("-")[0]
            if area in self.rules.require and requirement.verdict is Verdict.UNSUPPORTED:
                yield Objection(requirement.id, "is unsupported", f"[gate] require asks for all of {area}")
        passed = sum(each.verdict is Verdict.PASSED for each in asked)
        if passed < self.rules.min_must:
            yield Objection("", f"{passed} MUST passed", f"[gate] min_must asks for {self.rules.min_must}")

    def _find_outdated(self) -> Iterator[Objection]:
        """Entries that are no longer true."""
        section = self.section or Section()
        for entry in section.entries:
            if entry.expires and entry.expires < self.today:
                fact = f"was accepted until {entry.expires}"
                yield Objection(entry.requirement, fact, "mend it, or set another day", entry.line, is_stale=True)
            for fact, advice in self._describe_untrue(entry):
                yield Objection(entry.requirement, fact, f"{advice}, or {_WRITE}", entry.line, is_stale=True)
        judged = {each.id for each in self.report.requirements if each.verdict in (Verdict.PASSED, Verdict.FAILED)}
        if mended := sorted(section.unsupported & judged):
            more = f" (so are {_fold_ids(mended[1:])})" if mended[1:] else ""
            yield Objection(mended[0], f"is listed as unsupported and is judged now{more}", _WRITE, is_stale=True)

    def _describe_untrue(self, entry: Entry) -> Iterator[tuple[str, str]]:
        """Yield what of an entry is no longer so, and what to do; what wasn't played may still be."""
        results = (each.scenarios for each in self.report.requirements if each.id == entry.requirement)
        verdicts = {result.title: result.verdict for scenarios in results for result in scenarios}
        flaky = {row for id_, row in self._flaky_rows if id_ == entry.requirement}
        if passed := [row for row in entry.rows if verdicts.get(row) is Verdict.PASSED and row not in flaky]:
            yield f"{_fold_rows(passed)} passes and is listed as a failure", "delete the row"
        if not self._is_whole:
            return
        if gone := [row for row in entry.rows if row not in verdicts]:
            yield f"there is no row {_fold_rows(gone)}", "delete it"
        if not self.acceptance.is_shown(entry):
            if not entry.rows:
                yield f"is listed with {entry.fault!r}, which no judge sees now", "delete the entry"
        elif fewer := [f"{id_} {count}" for id_, count in self.acceptance.find_mended_requirements(entry)]:
            yield f"{entry.fault!r} blocks fewer rows than are listed: now {', '.join(fewer)}", "change the number"


def _fold_rows(rows: Sequence[str]) -> str:
    return f"{rows[0]!r}{f' and {len(rows) - 1} more' if rows[1:] else ''}"


def _fold_ids(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return ", ".join(ids[:_NAMED]) + more


def _describe_blocked(group: LapseGroup) -> str:
    """Return what else fails by a fault, that which fails most first."""
    most = sorted(group.blocked, key=lambda blocked: -blocked[1])
    return f" (it blocks {_fold_ids([f'{id_} {count}' for id_, count in most])})" if most else ""


def _recount_ledger(ledger: Ledger, before: Sequence[RequirementResult], after: Sequence[RequirementResult]) -> Ledger:
    """Return the ledger after verdicts have changed."""
    counts = Counter(ledger.model_dump())
    for count, requirements in ((counts.subtract, before), (counts.update, after)):
        held = chain.from_iterable(each.held_results for each in requirements)
        count(COUNTS[verdict] for verdict in end_rows(held).values())
    return Ledger(**counts)
