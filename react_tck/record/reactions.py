"""What a subject makes of a reply that leaves it a choice: to observe it, to extract, to end, or to run the tool."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from react_tck.model.episode import Episode
from react_tck.model.record import Asked, Event, Record, Refused, Returned, ToolRan

Course = Literal["observe", "extract", "error", "run", "succeed"]


@dataclass(frozen=True)
class Reaction:
    """How the call went on after a turn's last attempt."""

    asked: Asked
    retries: int
    course: Course
    #: The tool run, the next request or the outcome: what the course was told by.
    by: Event
    #: Whether it was the last step there could be, so that the extraction follows whatever became of it.
    is_last_step: bool


def yield_reactions(episode: Episode, record: Record, is_fault: Callable[[Asked], bool]) -> Iterator[Reaction]:
    """Of every step turn whose last attempt got such a reply, if the record tells how the call went on."""
    for index, event in enumerate(record.events):
        if not isinstance(event, Asked) or event.ask is None or event.ask.phase != "step":
            continue
        following = record.events[index + 1] if index + 1 < len(record.events) else None
        if not is_fault(event) or following is None or _asks_again(following):
            continue
        if course := _classify_course(following):
            yield Reaction(event, event.attempt, course, following, is_last_step(episode, record, index))


def is_last_step(episode: Episode, record: Record, index: int) -> bool:
    """Tell whether the event of this index belongs to the last step that its call may take, where a limit was given."""
    event = record.events[index]
    if isinstance(event, Refused):
        return False
    invocation = event.invocation
    limit = episode.case.invocations[invocation].find_step_limit(episode.case.options)
    return limit is not None and _count_steps(record.events[: index + 1], invocation) >= limit


def _count_steps(events: Sequence[Event], invocation: int) -> int:
    asked = (event for event in events if isinstance(event, Asked) and event.invocation == invocation)
    return sum(1 for event in asked if event.ask and event.ask.phase == "step" and not event.attempt)


def _asks_again(event: Event) -> bool:
    return isinstance(event, Asked) and event.attempt > 0


def _classify_course(following: Event) -> Course | None:
    match following:
        case ToolRan(refused=None):
            return "run"
        case Asked(ask=ask, refusal=None) if ask:
            return "observe" if ask.phase == "step" else "extract"
        case Returned(outcome=outcome) if outcome.status in ("ok", "error"):
            return "error" if outcome.status == "error" else "succeed"
    return None
