"""How a section of a baseline is made of a report: an entry a fault, with what people wrote about it before."""

from collections.abc import Iterable
from dataclasses import replace

from react_tck.gate.baseline import Entry, Section
from react_tck.gate.lapses import GateRules, LapseGroup, find_lapses, group_lapses
from react_tck.model.report import Report, Verdict


def section_of(report: Report, known: Section, rules: GateRules) -> Section:
    """Return what a report is accepted with, and what people have written beside what was known.

    Of what a part of a profile leaves out, all is kept that was known.
    """
    counted = [each for each in report.requirements if rules.is_counted(each)]
    unsupported = {each.id for each in counted if each.verdict is Verdict.UNSUPPORTED}
    found = [_make_entry(group, known) for group in group_lapses(find_lapses(report, rules), report)]
    if report.is_whole_profile:
        return Section(report.profile, merge_entries(found), frozenset(unsupported))
    judged = {each.id for each in report.requirements if each.verdict in (Verdict.PASSED, Verdict.FAILED)}
    kept = _keep_unplayed(known, report)
    return Section(
        known.profile or report.profile,
        merge_entries([*kept, *found]),
        frozenset(unsupported | (known.unsupported - judged)),
    )


def merge_entries(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """One entry a fault, with the rows and the remarks of all that are of it."""
    merged: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        before = merged.get((entry.requirement, entry.fault))
        merged[entry.requirement, entry.fault] = _merge_two(before, entry) if before else replace(entry, line=0)
    return tuple(merged.values())


def _merge_two(one: Entry, other: Entry) -> Entry:
    """Of a requirement that both block, the larger number: what both count may be the same rows."""
    counts = dict(one.blocked)
    for id_, count in other.blocked:
        counts[id_] = max(count, counts.get(id_, 0))
    rows = tuple(dict.fromkeys((*one.rows, *other.rows)))
    return _add_remarks(replace(one, rows=rows, blocked=tuple(counts.items())), [other])


def _make_entry(group: LapseGroup, known: Section) -> Entry:
    entry = Entry(*group.fault, rows=group.rows, blocked=group.blocked)
    return _add_remarks(entry, [each for each in known.entries if _is_about(each, group)])


def _is_about(entry: Entry, group: LapseGroup) -> bool:
    """Tell whether the entry lists the fault, or something that is explained by it now."""
    faults = {group.fault, *(each.fault for each in group.lapses)}
    rows = {(each.requirement, each.row) for each in group.lapses}
    return (entry.requirement, entry.fault) in faults or any((entry.requirement, row) in rows for row in entry.rows)


def _add_remarks(entry: Entry, others: Iterable[Entry]) -> Entry:
    """Return what people wrote of the others, too; it is accepted until the first of their days."""
    remarked = [entry, *others]
    reasons = dict.fromkeys(each.reason for each in remarked if each.reason)
    issues = [each.issue for each in remarked if each.issue]
    days = [each.expires for each in remarked if each.expires]
    return replace(entry, reason=" ".join(reasons), issue=issues[0] if issues else "", expires=min(days, default=None))


def _keep_unplayed(known: Section, report: Report) -> list[Entry]:
    """Return the entries as far as the report doesn't show that they are no longer true."""
    verdicts = {(each.id, row.title): row.verdict for each in report.requirements for row in each.scenarios}
    kept = []
    for entry in known.entries:
        unplayed = (None, Verdict.NOT_SELECTED, Verdict.NOT_RUN)
        rows = tuple(row for row in entry.rows if verdicts.get((entry.requirement, row)) in unplayed)
        if rows or entry.blocked or not entry.rows:
            kept.append(replace(entry, rows=rows))
    return kept
