"""A transcript's entries: the real turns of a conversation, each a value that survives JSON (TRN-001, TRN-010)."""

from collections.abc import Iterable
from typing import Literal

from pydantic import JsonValue, TypeAdapter

from react_tck.model.base import JsonObject, Value


class Request(Value):
    """What the user asked for."""

    role: Literal["user"] = "user"
    inputs: JsonObject


class Call(Value):
    """One tool call; its result carries the same id."""

    id: str = ""
    name: str
    args: JsonObject


class Turn(Value):
    """What the assistant thought, and the tools it called, several perhaps."""

    role: Literal["assistant"] = "assistant"
    thought: str
    tool_calls: tuple[Call, ...]


class Observation(Value):
    """What came of one tool call."""

    role: Literal["tool"] = "tool"
    tool_call_id: str
    name: str
    value: JsonValue
    is_error: bool = False


class Answer(Value):
    """What the assistant answered in the end: the outputs of the signature."""

    role: Literal["assistant"] = "assistant"
    outputs: JsonObject


class Remark(Value):
    """What the assistant has to be told of a reply that couldn't be read."""

    role: Literal["user"] = "user"
    remark: str


class Summary(Value):
    """What stands in the place of entries that didn't fit any more (TRN-014)."""

    role: Literal["user"] = "user"
    summary: str


Entry = Request | Turn | Observation | Answer | Remark | Summary
Entries = tuple[Entry, ...]

_ENTRIES: TypeAdapter[Entries] = TypeAdapter(Entries)


def dumped(entries: Entries) -> list[JsonObject]:
    """The entries as JSON."""
    made: list[JsonObject] = _ENTRIES.dump_python(entries, mode="json")
    return made


def loaded(messages: Iterable[object]) -> Entries:
    """The entries of such JSON.

    Raises:
        ValueError: if it isn't one.
    """
    return _ENTRIES.validate_python(tuple(messages))


def numbered(calls: tuple[Call, ...], history: Entries) -> tuple[Call, ...]:
    """The calls with ids that no other call has; those that a provider gave are kept."""
    used = {call.id for entry in history if isinstance(entry, Turn) for call in entry.tool_calls}
    made: list[Call] = []
    for call in calls:
        free = call.id if call.id and call.id not in used else _free(used)
        used.add(free)
        made.append(call.model_copy(update={"id": free}))
    return tuple(made)


def amended(entries: Entries, call: Call) -> Entries:
    """The entries with this call in the place of the one that has its id."""
    return tuple(_amended(entry, call) if isinstance(entry, Turn) else entry for entry in entries)


def _amended(turn: Turn, call: Call) -> Turn:
    calls = tuple(call if made.id == call.id else made for made in turn.tool_calls)
    return turn.model_copy(update={"tool_calls": calls})


def _free(used: set[str]) -> str:
    number = len(used) + 1
    while f"call_{number}" in used:
        number += 1
    return f"call_{number}"
