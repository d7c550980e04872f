"""What the caller hands to the agent is left as it was (ISO-003)."""

from collections.abc import Iterator

from react_tck.judges.verdict import Violation
from react_tck.model.record import Changed
from react_tck.record.evidence import Evidence


def find_altered_objects(evidence: Evidence) -> Iterator[Violation]:
    """Every object of the caller's that isn't what it was."""
    for event in evidence.record.events:
        if isinstance(event, Changed):
            actual = f"{event.before} became {event.after}"
            yield Violation(f"{event.what} is left as it was", actual, event, "ISO-003")
