"""What a section of a baseline accepts of a report: which entry lists a failure, and what of an entry is still true."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from react_tck.gate.baseline import Entry, Section
from react_tck.gate.lapses import Fault, GateRules, Lapse, find_lapses, find_shown_faults
from react_tck.model.report import Report


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
