"""Two records of one case are the same: played again (SAN-009), or without what is to make no difference."""

from collections.abc import Iterator

from react_tck.judges.verdict import Violation
from react_tck.record.difference import find_difference
from react_tck.record.evidence import Evidence

#: The requirement that a case gives the same record whenever it is played.
DETERMINISM = "SAN-009"
#: By requirement: when a record is to be the same, as a clause.
CONDITIONS = {
    "ASY-001": "when it is called synchronously",
    "ISO-001": "when no call came before",
    "ISO-002": "when nothing is called beside it",
    "CNF-008": "when the instance resumes its own call",
    "SAV-002": "when no state is loaded",
    "TRN-010": "when it goes on from the history as JSON",
}


def find_replay_difference(evidence: Evidence) -> Iterator[Violation]:
    """Yield the first difference when the episode was played again; nothing where it wasn't."""
    again = evidence.replayed
    if again and (found := find_difference(evidence.record, again, evidence.manifest.varies)):
        yield Violation(*found, DETERMINISM)


def find_counterpart_differences(evidence: Evidence) -> Iterator[Violation]:
    """Yield where the episode differs from itself without what a requirement says makes no difference."""
    for each in evidence.counterparts:
        if found := find_difference(each.record, each.without, evidence.manifest.varies):
            expected = f"the record is the same {CONDITIONS[each.requirement_id]}"
            yield Violation(expected, found.actual, found.at, each.requirement_id)
