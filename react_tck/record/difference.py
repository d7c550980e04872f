"""Two records of one case are the same, but for what must differ: where they first do."""

import itertools
import json
import re
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import zip_longest
from threading import current_thread, main_thread
from typing import Any, NamedTuple

from pydantic import JsonValue
from pydantic_core import PydanticSerializationError

from react_tck.model.base import JsonObject, without_addresses
from react_tck.model.record import Asked, Event, Record, Refused, Returned, ToolRan
from react_tck.record.values import write_canonical

#: Characters shown on each side of a difference.
_AROUND = 60
#: Calls that go on at once are given their ids by turns, and a call among others of an episode isn't given the first.
_CALL_ID = re.compile(r"\bcall_\d+(?:_\d+)?\b")
#: Seconds for which what varies is looked for in an event: a regular expression may never be done with a text.
_PATIENCE = 5.0
#: How long something took, as errors tell it: no two time-outs take as long to the millisecond.
_DURATION = re.compile(r"\b\d+(?:\.\d+)? ?(?:ms|msecs?|milliseconds?|s|secs?|seconds?)\b")


class RecordDifference(NamedTuple):
    """The first event in which two records differ: what was to be, what is, and the event."""

    expected: str
    actual: str
    at: Event | None


def find_difference(first: Record, second: Record, ignoring: tuple[str, ...]) -> RecordDifference | None:
    """Return the first event in which two records differ; of an id, which of the LM's calls it stands for.

    What matches one of the expressions that are ignored, as the subject declares it to vary, is left out of every text.
    """
    first, second = _drop_late_events(first), _drop_late_events(second)
    if _write_json(first) == _write_json(second):
        return None  # by far the most
    numbers: tuple[dict[str, str], dict[str, str]] = ({}, {})
    for index, (one, other) in enumerate(zip_longest(first.events, second.events), 1):
        mine, others = _drop_reply_ids(one), _drop_reply_ids(other)
        shown = _write_json(mine), _write_json(others)
        for text, ids in zip(shown, numbers, strict=True):
            for id_ in _CALL_ID.findall(text) if "call_" in text else ():
                ids.setdefault(id_, f"call_{len(ids)}")
        # Only of events that aren't the very same it is asked whether what differs matters.
        if shown[0] == shown[1]:
            continue
        try:
            with _limit_time():
                was = _write_comparable(mine, first, numbers[0], ignoring)
                now = _write_comparable(others, second, numbers[1], ignoring)
        except TimeoutError:
            expected = f"what varies is found in an event within {_PATIENCE:g} seconds"
            return RecordDifference(expected, f"it isn't, by {' or '.join(map(repr, ignoring))}", one or other)
        if was != now:
            expected = f"event {index} is the same whenever the case is played"
            return RecordDifference(expected, "\n  became ".join(_cut_difference(was, now)), one or other)
    return None


def mask_call_ids(record: Record) -> Record:
    """Return the record with one id for all of the LM's calls, where two of them may have been given the same."""
    # No UTF-8, as pydantic writes it, has half a surrogate pair.
    written = json.dumps(record.model_dump(mode="json"))
    return Record.model_validate(json.loads(_CALL_ID.sub("call", written)))


def _drop_reply_ids(event: Event | None) -> Event | None:
    """Return the event without the ids that calls have in their own reply, which are other ones when it is sent."""
    if not isinstance(event, Asked) or event.completion is None or not event.completion.tool_calls:
        return event
    calls = tuple(call.model_copy(update={"id": ""}) for call in event.completion.tool_calls)
    return event.model_copy(update={"completion": event.completion.model_copy(update={"tool_calls": calls})})


@contextmanager
def _limit_time() -> Iterator[None]:
    """Raise TimeoutError in what takes too long; where no signal can come, in another thread, it takes as long."""
    if current_thread() is not main_thread():
        yield
        return
    handler, before = signal.signal(signal.SIGALRM, _raise_timeout), signal.setitimer(signal.ITIMER_REAL, _PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *before)
        signal.signal(signal.SIGALRM, handler)


def _raise_timeout(_: int, __: object) -> None:
    raise TimeoutError


def _cut_difference(one: str, other: str) -> tuple[str, str]:
    """Return both texts around the place where they first differ."""
    at = next((n for n, (mine, theirs) in enumerate(zip(one, other, strict=False)) if mine != theirs), None)
    at = min(len(one), len(other)) if at is None else at
    start, end = max(0, at - _AROUND), at + _AROUND
    return _cut_text(one, start, end), _cut_text(other, start, end)


def _cut_text(text: str, start: int, end: int) -> str:
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"


def _drop_late_events(record: Record) -> Record:
    """Return the record without what comes after the last outcome: that is SAN-006's affair, and comes when it comes.

    Runs between two other events are in one order: calls of one reply may run at the same time.
    """
    groups = itertools.groupby(record.events, lambda event: isinstance(event, ToolRan))
    events = itertools.chain.from_iterable(
        sorted(group, key=_write_json) if are_runs else group for are_runs, group in groups
    )
    record = record.model_copy(update={"events": tuple(events)})
    back = max((index for index, event in enumerate(record.events) if isinstance(event, Returned)), default=None)
    if back is None or back == len(record.events) - 1:
        return record
    late = tuple(event for event in record.events[back:] if not isinstance(event, Asked | ToolRan))
    return record.model_copy(update={"events": (*record.events[:back], *late)})


def _write_comparable(event: Event | None, record: Record, numbers: Mapping[str, str], varies: tuple[str, ...]) -> str:
    """Return the event as canonical JSON, without ids, suspended state (CNF-007), addresses, durations."""
    if event is None:
        return "nothing"
    if isinstance(event, Returned) and event.outcome.suspension is not None:
        outcome = event.outcome.model_copy(update={"suspension": _select_public_parts(event.outcome.suspension)})
        event = event.model_copy(update={"outcome": outcome})
    if isinstance(event, Returned) and (error := event.outcome.error):
        timeless = error.model_copy(update={"message": _DURATION.sub("(a while)", error.message)})
        event = event.model_copy(update={"outcome": event.outcome.model_copy(update={"error": timeless})})
    said = _without_what_varies(event.model_dump(), varies) if varies else event.model_dump()
    text = _CALL_ID.sub(lambda id_: numbers.get(id_[0], id_[0]), write_canonical(said))
    return (
        _mask_ids(_list_confirmation_ids(record), text)
        if isinstance(event, Returned | Refused)
        else without_addresses(text)
    )


def _without_what_varies(said: Any, varies: tuple[str, ...]) -> Any:
    """Return the same, with a word in every text for what a subject declares to vary (`[subject] varies`)."""
    match said:
        case str():
            for pattern in varies:
                said = re.sub(pattern, "(varies)", said)
            return said
        case dict():
            return {name: _without_what_varies(inner, varies) for name, inner in said.items()}
        case list() | tuple():
            return [_without_what_varies(inner, varies) for inner in said]
    return said


def _list_confirmation_ids(record: Record) -> list[str]:
    return [str(outcome.suspension.get("confirmation_id")) for outcome in record.outcomes if outcome.suspension]


def _mask_ids(ids: list[str], text: str) -> str:
    for confirmation_id in ids:
        text = text.replace(confirmation_id, "(its id)")
    return without_addresses(text)


def _select_public_parts(suspension: JsonObject) -> JsonObject:
    call, context = suspension.get("tool_call"), suspension.get("context")
    return {
        "question": suspension.get("question"),
        "tool_call": _select_keys(call, "name", "args"),
        "context": _select_keys(context, "trajectory", "iteration", "input_args"),
    }


def _select_keys(value: JsonValue, *keys: str) -> JsonValue:
    return {key: value.get(key) for key in keys} if isinstance(value, dict) else None


def _write_json(seen: Record | Event | None) -> str:
    if seen is None:
        return "nothing"
    try:
        return seen.model_dump_json()
    except PydanticSerializationError:  # half a surrogate pair is no UTF-8
        return repr(seen)
