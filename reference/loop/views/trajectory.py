"""Pure views of a loop's entries: the trajectory, and the transcript."""

import json
import math
from collections.abc import Iterable
from typing import Any, Literal

from pydantic import BaseModel, JsonValue, TypeAdapter

from react_tck.model.base import JsonObject, Value
from react_tck.reference.loop.entries import AssistantTurn, Entries, Observation, Remark
from react_tck.reference.loop.policy import Ending

_JSON = json.JSONEncoder(ensure_ascii=False)


class Step(Value):
    """One tool call, complete with its observation; a reply that couldn't be read is a step without a tool."""

    thought: str
    tool: str
    args: JsonObject
    observation: JsonValue
    #: What was said to the user meanwhile, in a conversation (S0).
    response: str = ""


def steps_of(entries: Entries, ending: Ending) -> tuple[Step, ...]:
    """Return the steps in these entries, in order, one a call that something came of.

    A transcript tells its caller of remarks and of `submit` in its history, not in its trajectory (TRN-007).
    """
    results = {entry.tool_call_id: entry.value for entry in entries if isinstance(entry, Observation)}
    steps: list[Step] = []
    for entry in entries:
        if isinstance(entry, Remark) and ending == "finish":
            steps.append(Step(thought="", tool="", args={}, observation=entry.remark))
        if isinstance(entry, AssistantTurn):
            steps += [
                Step(
                    thought=entry.thought, tool=c.name, args=c.args, observation=results[c.id], response=entry.response
                )
                for c in entry.tool_calls
                if c.id in results and (c.name, ending) != ("submit", "submit")
            ]
    return tuple(steps)


def as_mapping(steps: tuple[Step, ...], thought: str = "thought") -> dict[str, Any]:
    """Numbered keys, as `dspy.ReAct` returns them; a copy that is the caller's to change."""
    mapping: dict[str, Any] = {}
    for index, step in enumerate(steps):
        mapping |= {
            f"{thought}_{index}": step.thought,
            f"tool_name_{index}": step.tool,
            f"tool_args_{index}": _copy_json(step.args),
            f"observation_{index}": _copy_json(step.observation),
        }
    return mapping


def in_format(mapping: dict[str, Any], wanted: Literal["mapping", "list", "text"]) -> Any:
    """Return the mapping, its text, or a mapping a step, of the same values without their numbers (TRJ-004)."""
    if wanted != "list":
        return mapping if wanted == "mapping" else as_text(mapping)
    steps: dict[str, dict[str, Any]] = {}
    for key, value in mapping.items():
        name, _, number = key.rpartition("_")
        steps.setdefault(number, {})[name] = value
    return [*steps.values()]


def mark_left_out(count: int) -> dict[str, Any]:
    """For a mapping: which steps the last prompts had no room for (CTX-001)."""
    return {f"left_out_{index}": True for index in range(count)}


def as_text(mapping: dict[str, Any]) -> str:
    """Return the same keys and values as text, each value under a heading of its key."""
    return "\n\n".join(f"[[ ## {key} ## ]]\n{show_value(value)}" for key, value in mapping.items())


def observe_result(result: Any) -> JsonValue:
    """Return what a tool returned, as a JSON value of its own: later changes to the tool's objects don't show
    (TRJ-006).

    Whatever JSON can't hold becomes text (TOOL-003).
    """
    match result:
        case None | bool() | int() | str():
            return result
        case float():
            return result if math.isfinite(result) else str(result)
        case bytes():
            return result.decode(errors="backslashreplace")
        case BaseModel():
            return observe_result(result.model_dump())
        case dict():
            return {str(key): observe_result(value) for key, value in result.items()}
        case list() | tuple():
            return [observe_result(item) for item in result]
    return str(result)


def show_value(value: JsonValue | JsonObject) -> str:
    """Return the value as text: JSON, unless it is one; what no encoding can carry is escaped (ERR-017)."""
    text = value if isinstance(value, str) else _JSON.encode(value)
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()


def _copy_json(value: Any) -> Any:
    """Return a JSON value of its own."""
    if isinstance(value, dict):
        return {name: _copy_json(inner) for name, inner in value.items()}
    return [_copy_json(inner) for inner in value] if isinstance(value, list) else value


_ENTRIES: TypeAdapter[Entries] = TypeAdapter(Entries)


def dump_entries(entries: Entries) -> list[JsonObject]:
    """Return the entries as JSON objects, one for each; to be read back when the history goes on."""
    made: list[JsonObject] = _ENTRIES.dump_python(entries, mode="json")
    return made


def load_entries(messages: Iterable[object]) -> Entries:
    """Return the entries of such JSON.

    Raises:
        ValueError: if it isn't one.
    """
    return _ENTRIES.validate_python(tuple(messages))
