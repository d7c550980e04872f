"""What a subject leaves alone: the caller's objects (ISO-003), and everything once it has come back (SAN-006)."""

from collections.abc import Iterator

from react_tck.judges.verdict import Violation
from react_tck.model.record import Asked, Changed, ToolRan
from react_tck.record.evidence import Evidence, Scene

#: The requirement that nothing comes after the outcome, and that no thread is left that keeps a process alive.
LATE, LASTING = "SAN-006", "SAN-012"


def find_late_activity(scene: Scene) -> Iterator[Violation]:
    """SAN-006: no LM request and no tool call after the outcome."""
    for event, is_late in scene.mark_late_events():
        if is_late and isinstance(event, Asked | ToolRan):
            yield Violation("nothing happens after the outcome", f"there was a late {event.kind!r} event", event)
    for stray in scene.record.strays:
        if stray.late:
            actual = f"there was a late request, which leads nowhere: {stray.what}"
            yield Violation("nothing happens after the outcome", actual)


def find_altered_objects(evidence: Evidence) -> Iterator[Violation]:
    """Yield every object of the caller's that isn't what it was."""
    for event in evidence.record.events:
        if isinstance(event, Changed):
            actual = f"{event.before} became {event.after}"
            yield Violation(f"{event.what} is left as it was", actual, event, "ISO-003")
