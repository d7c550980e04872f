"""What a subject makes of a reply that leaves it a choice: to observe it, to extract, to end, or to run the tool."""

import ast
import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from react_tck.dialects.fields import finite_json
from react_tck.model.episode import Episode
from react_tck.model.intent import BadArgs, Empty, Fault, Garbled, Raw
from react_tck.model.record import Asked, Event, Record, Refused, Returned, ToolRan
from react_tck.record.values import is_same_value

#: Replies that are out of order.
_ODD = (BadArgs, Garbled, Raw, Empty, Fault)
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


#: How languages write a value that isn't there.
NULLS = ("null", "None", "nil", "undefined", "<nil>")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
#: How a mark of the call ends that an observation is of, such as `[add(a=2, b=3)] `.
_MARK_ENDS = re.compile(r"\)\] ?")
#: Text that is worth the attempt to read it as a Python literal.
_LITERAL = 100_000


def holds_value(told: JsonValue, value: JsonValue) -> bool:
    """Tell whether what stands in a place is the value, white space included, however a text there writes it."""
    if is_same_value(told, value):
        return True
    return isinstance(told, str) and any(is_same_value(read, value) for read in yield_readings(told))


def wraps_value(told: JsonValue, value: JsonValue) -> bool:
    """Tell whether an object, written as a text or not, has the value inside it, as a library's own wrapping does."""
    read = yield_readings(told) if isinstance(told, str) else (told,)
    return any(_is_inside(value, each) for each in read)


def _is_inside(value: JsonValue, told: JsonValue) -> bool:
    match told:
        case dict():
            return any(holds_value(each, value) or _is_inside(value, each) for each in told.values())
        case list():
            return any(_is_inside(value, each) for each in told)
    return False


def strip_mark(told: JsonValue, tool: str | None) -> Iterator[JsonValue]:
    """Yield what is told of a call, as it is; and what is left of it behind a mark of the call that it is of.

    The mark stands on the first line. A text may begin so, and args may hold what looks like its end.
    """
    yield told
    if tool and isinstance(told, str) and told.lstrip().startswith(f"[{tool}("):
        mark, _, _ = told.lstrip().partition("\n")
        yield from (told.lstrip()[found.end() :] for found in _MARK_ENDS.finditer(mark))


def is_readable(text: str) -> bool:
    """Tell whether the text writes a value in a notation that is known here: JSON, or a Python literal."""
    return any(True for _ in yield_readings(text))


def yield_readings(text: str) -> Iterator[JsonValue]:
    """Yield every value that the text may write."""
    written = text.strip()
    if written in NULLS:
        yield None
    if _NUMBER.fullmatch(written) and math.isfinite(number := float(written)):
        yield number
    with suppress(ValueError):
        yield finite_json(written)
    if len(written) < _LITERAL:
        with suppress(ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            yield _make_plain(ast.literal_eval(written))


def _make_plain(literal: object) -> JsonValue:
    match literal:
        case None | bool() | int() | str():
            return literal
        case float() if math.isfinite(literal):
            return literal
        case list() | tuple():
            return [_make_plain(item) for item in literal]
        case dict():
            return {str(key): _make_plain(value) for key, value in literal.items()}
    raise ValueError(f"JSON has no {type(literal).__name__}")


def has_said_its_part(episode: Episode, record: Record) -> bool:
    """Tell whether the LM said anything; and of a script with replies that are out of order, one of those."""
    said = [asked.intent for asked in record.requests if asked.intent]
    scripted = (*episode.script.steps, *episode.script.answers)
    replies = (each for intent in scripted for each in getattr(intent, "replies", (intent,)))
    has_odd = any(isinstance(each, _ODD) for each in replies)
    return any(isinstance(each, _ODD) for each in said) if has_odd else bool(said)
