"""SAN-009: two records of one case are the same, but for what must differ."""

import re
from collections.abc import Iterator

from pydantic import JsonValue

from react_tck.judges.verdict import Violation
from react_tck.model.base import JsonObject
from react_tck.model.record import Event, Record, Returned
from react_tck.record.evidence import Evidence

#: The requirement that a case gives the same record whenever it is played.
DETERMINISM = "SAN-009"
#: Where an object stands in memory; Python puts it into texts about objects.
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")


def changed(evidence: Evidence) -> Iterator[Violation]:
    """The first difference when the episode was played again; nothing where it wasn't."""
    if evidence.replayed and (violation := difference(evidence.record, evidence.replayed)):
        yield violation.of(DETERMINISM)


def difference(first: Record, second: Record) -> Violation | None:
    """The first event in which two records of one episode differ."""
    for index in range(max(len(first.events), len(second.events))):
        one, other = _event(first, index), _event(second, index)
        if _comparable(one, first) != _comparable(other, second):
            expected = f"event {index + 1} is the same whenever the case is played"
            return Violation(expected, f"{_shown(one)}\n  became {_shown(other)}", one or other)
    return None


def _comparable(event: Event | None, record: Record) -> Event | None:
    """The event without what must differ: ids, the state of the subject's own that holds them (CNF-007), addresses."""
    if not isinstance(event, Returned):
        return event
    outcome = event.outcome
    if outcome.suspension is not None:
        outcome = outcome.model_copy(update={"suspension": _public(outcome.suspension)})
    if outcome.error is not None:
        message = _without(_ids(record), outcome.error.message)
        outcome = outcome.model_copy(update={"error": outcome.error.model_copy(update={"message": message})})
    return event.model_copy(update={"outcome": outcome})


def _ids(record: Record) -> list[str]:
    return [str(outcome.suspension.get("confirmation_id")) for outcome in record.outcomes if outcome.suspension]


def _without(ids: list[str], text: str) -> str:
    for confirmation_id in ids:
        text = text.replace(confirmation_id, "(its id)")
    return _ADDRESS.sub("(an address)", text)


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
    return event.model_dump_json() if event else "nothing"
