"""The entries of a history: the real turns of a conversation, each a value that survives JSON (TRN-001, TRN-010)."""

from typing import Any, Literal

from pydantic import JsonValue, SerializerFunctionWrapHandler, model_serializer
from pydantic_core import to_jsonable_python

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


class AssistantTurn(Value):
    """What the assistant thought, and the tools it called, several perhaps."""

    role: Literal["assistant"] = "assistant"
    thought: str
    tool_calls: tuple[Call, ...]
    #: What it said to the user meanwhile, in a conversation (S0); elsewhere it says nothing.
    response: str = ""

    @model_serializer(mode="wrap")
    def _unless_silent(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        made: dict[str, Any] = dump(self)
        return made if self.response else {key: value for key, value in made.items() if key != "response"}


class Observation(Value):
    """What came of one tool call."""

    role: Literal["tool"] = "tool"
    tool_call_id: str
    name: str
    value: JsonValue
    is_error: bool = False


class FinalAnswer(Value):
    """What the assistant answered in the end: the outputs, however they came."""

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


Entry = Request | AssistantTurn | Observation | FinalAnswer | Remark | Summary
Entries = tuple[Entry, ...]


def as_json(values: dict[str, Any]) -> JsonObject:
    """Values as JSON; what that can't hold becomes text."""
    return {name: _convert_value(value) for name, value in values.items()}


def turns_of(entries: Entries) -> int:
    """Return how many turns the assistant has had in these entries, unreadable ones included."""
    return sum(isinstance(entry, (AssistantTurn, Remark)) for entry in entries)


def assign_ids(calls: tuple[Call, ...], history: Entries, taken: Entries) -> tuple[Call, ...]:
    """Return the calls with ids that no other call has; those that a provider gave are kept."""
    turn, entries = turns_of(history), (*history, *taken)
    used = {call.id for entry in entries if isinstance(entry, AssistantTurn) for call in entry.tool_calls}
    made: list[Call] = []
    for index, call in enumerate(calls):
        free = call.id if call.id and call.id not in used else _find_free_id(turn, index, used)
        used.add(free)
        made.append(call.model_copy(update={"id": free}))
    return tuple(made)


def replace_call(entries: Entries, call: Call) -> Entries:
    """Return the entries with this call in the place of the one that has its id."""
    return tuple(
        entry.model_copy(update={"tool_calls": tuple(call if c.id == call.id else c for c in entry.tool_calls)})
        if isinstance(entry, AssistantTurn)
        else entry
        for entry in entries
    )


def remove_call(entries: Entries, call: Call) -> Entries:
    """Return the entries without this call, and without its turn if there is no other call in it."""
    made: list[Entry] = []
    for entry in entries:
        if isinstance(entry, AssistantTurn) and call in entry.tool_calls:
            others = tuple(other for other in entry.tool_calls if other != call)
            made += [entry.model_copy(update={"tool_calls": others})] if others else []
        else:
            made.append(entry)
    return tuple(made)


def _convert_value(value: Any) -> JsonValue:
    try:
        made: JsonValue = to_jsonable_python(value, fallback=str)
    except ValueError:
        return str(value)
    return made


def _find_free_id(turn: int, index: int, used: set[str]) -> str:
    """As dspy numbers calls, by turn and call; a turn later, where that was taken before a summary."""
    while f"call_{turn}_{index}" in used:
        turn += 1
    return f"call_{turn}_{index}"
