"""All judges, in one table: what runs, fuzz, replays and findings hold a record against."""

from collections.abc import Callable, Iterable, Iterator

from react_tck.judges import oracle
from react_tck.judges.adapters import misaddressed
from react_tck.judges.errors import crashes
from react_tck.judges.sanitizers import sanitize
from react_tck.judges.trajectories import mistold
from react_tck.judges.unknown_names import concealed
from react_tck.judges.verdict import Violation
from react_tck.model.episode import Episode
from react_tck.model.manifest import Manifest
from react_tck.model.record import Changed, Record

#: Judges a record: the id of each requirement it violates, and how.
Judge = Callable[[Episode, Manifest, Record], Iterable[tuple[str, Violation]]]


def _departures(episode: Episode, manifest: Manifest, record: Record) -> Iterator[tuple[str, Violation]]:
    for departure in oracle.judge(episode, manifest, record):
        yield departure.requirement_id, departure.violation


def _changes(_: Episode, __: Manifest, record: Record) -> Iterator[tuple[str, Violation]]:
    for event in record.events:
        if isinstance(event, Changed):
            actual = f"{event.before} became {event.after}"
            yield "ISO-003", Violation(f"{event.what} of the caller's is left as it was", actual, event)


JUDGES: tuple[Judge, ...] = (
    sanitize,
    _departures,
    mistold,
    misaddressed,
    concealed,
    crashes,
    _changes,
)
