"""SAN-009: two records of one case are the same, but for what must differ."""

import re
from collections.abc import Iterator

from pydantic import JsonValue
from pydantic_core import PydanticSerializationError

from react_tck.judges.verdict import Violation
from react_tck.model.base import JsonObject
from react_tck.model.record import Event, Record, Refused, Returned
from react_tck.record.evidence import Evidence
from react_tck.record.values import canonical

#: The requirement that a case gives the same record whenever it is played.
DETERMINISM = "SAN-009"
#: What differs from play to play by design: where an object stands in memory, as Python puts it into texts; the path
#: and the key of an episode's lane, and where the kit's server listens.
_ADDRESS = re.compile(
    r"\b0x[0-9a-fA-F]{6,}\b"
    r"|(?:https?://)?(?:127\.0\.0\.1|localhost)\b['\"]?(?:(?::|, ?(?:port[=: ]*)?)\d+)?(?:/[\w-]{22}(?![\w-]))?"
    r"|/[\w-]{22}(?=/(?:v1|tools)\b)"
    r"|\btck-[\w-]{22}(?![\w-])"
    r"|\bport[=: ]+\d+"
)
_SOMEWHERE = "(an address)"


def changed(evidence: Evidence) -> Iterator[Violation]:
    """The first difference when the episode was played again; nothing where it wasn't."""
    if evidence.replayed and (violation := difference(evidence.record, evidence.replayed)):
        yield violation.of(DETERMINISM)


def difference(first: Record, second: Record) -> Violation | None:
    """The first event in which two records of one episode differ."""
    for index in range(max(len(first.events), len(second.events))):
        one, other = _event(first, index), _event(second, index)
        # Most are the very same; only of the others it is asked whether what differs matters.
        if _shown(one) != _shown(other) and _comparable(one, first) != _comparable(other, second):
            expected = f"event {index + 1} is the same whenever the case is played"
            return Violation(expected, f"{_shown(one)}\n  became {_shown(other)}", one or other)
    return None


def _comparable(event: Event | None, record: Record) -> str:
    """The event as canonical JSON, without what must differ: ids, a suspension's own state (CNF-007), addresses."""
    if event is None:
        return ""
    if isinstance(event, Returned) and event.outcome.suspension is not None:
        outcome = event.outcome.model_copy(update={"suspension": _public(event.outcome.suspension)})
        event = event.model_copy(update={"outcome": outcome})
    text = canonical(event.model_dump())
    return _without(_ids(record), text) if isinstance(event, Returned | Refused) else _ADDRESS.sub(_SOMEWHERE, text)


def _ids(record: Record) -> list[str]:
    return [str(outcome.suspension.get("confirmation_id")) for outcome in record.outcomes if outcome.suspension]


def _without(ids: list[str], text: str) -> str:
    for confirmation_id in ids:
        text = text.replace(confirmation_id, "(its id)")
    return _ADDRESS.sub(_SOMEWHERE, text)


def _public(suspension: JsonObject) -> JsonObject:
    call, context = suspension.get("tool_call"), suspension.get("context")
    return {
        "question": suspension.get("question"),
        "tool_call": _only(call, "name", "args"),
        "context": _only(context, "trajectory", "iteration", "input_args"),
    }


def _only(value: JsonValue, *keys: str) -> JsonValue:
    return {key: value.get(key) for key in keys} if isinstance(value, dict) else None


def _event(record: Record, index: int) -> Event | None:
    return record.events[index] if index < len(record.events) else None


def _shown(event: Event | None) -> str:
    if event is None:
        return "nothing"
    try:
        return event.model_dump_json()
    except PydanticSerializationError:  # half a surrogate pair is no UTF-8
        return repr(event)
