"""How a call ended, the one thing the kit takes on the subject's word; and the trajectory in it, read as steps."""

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import Field, JsonValue

from react_tck.model.base import JsonObject, Value, read_number
from react_tck.texts import read_json

TrajectoryFormat = Literal["text", "mapping", "list", "none"]


class Failure(Value):
    """An error as the subject raised it."""

    type: str
    message: str


class Outcome(Value):
    """How one call ended.

    `trajectory` is what the subject exposes, unchanged; `termination` its own word for why it stopped.
    """

    status: Literal["ok", "error", "suspended"]
    outputs: JsonObject = Field(default_factory=dict)
    trajectory: JsonValue = None
    trajectory_format: TrajectoryFormat = "none"
    history: JsonValue = None
    termination: str | None = None
    error: Failure | None = None
    suspension: JsonObject | None = None


def make_error_outcome(error: BaseException) -> Outcome:
    """Return the outcome of a call that raised."""
    return Outcome(status="error", error=Failure(type=type(error).__name__, message=str(error)))


#: What a step consists of, and the names that implementations have for it.
PARTS: Mapping[str, frozenset[str]] = {
    "thought": frozenset({"thought", "reasoning", "rationale"}),
    "tool": frozenset({"tool_name", "tool", "name", "action"}),
    "args": frozenset({"tool_args", "args", "arguments", "tool_input", "action_input"}),
    "observation": frozenset({"observation", "result", "tool_result", "output"}),
}
_NUMBERED = re.compile(r"(.+?)_?(?<!\d)(\d+)")


class UnreadableTrace(ValueError):
    """The trajectory is in none of the forms; the message says what is wrong with it."""


class TraceStep(Value):
    """One step; `parts` has those of `PARTS` that the trajectory gives."""

    parts: JsonObject

    @property
    def args(self) -> JsonValue:
        """The args, read from their JSON text where the trajectory keeps them as such."""
        args = self.parts.get("args")
        if not isinstance(args, str):
            return args
        try:
            read: JsonValue = read_json(args)
        except ValueError:
            return args
        return read


class Trace(Value):
    """The steps of a mapping or a list; of a text, the text."""

    steps: tuple[TraceStep, ...] = ()
    text: str | None = None


def read_trace(outcome: Outcome) -> Trace:
    """Return the trace an outcome carries.

    Raises:
        UnreadableTrace: if there is none, or it isn't what its format says.
    """
    match outcome.trajectory_format, outcome.trajectory:
        case "text", str() as text:
            return Trace(text=text)
        case "mapping", dict() as mapping:
            return Trace(steps=tuple(map(_read_step, _group_by_number(mapping))))
        case "list", list() as episodes:
            return Trace(steps=tuple(map(_read_step, map(_check_episode, episodes))))
        case "none", _:
            raise UnreadableTrace("there is no trajectory")
        case wanted, given:
            raise UnreadableTrace(f"it is called a {wanted}, and is a {type(given).__name__}")


def _group_by_number(mapping: JsonObject) -> Iterable[JsonObject]:
    """Return the values of `thought_0`, `tool_name_0`, `thought_1`, ... by step, in the order of their numbers."""
    by_number: dict[int, JsonObject] = {}
    for key, value in mapping.items():
        match = _NUMBERED.fullmatch(key)
        number = read_number(match[2]) if match else None
        if match is None or number is None:
            raise UnreadableTrace(f"its key {key!r} has no number")
        by_number.setdefault(number, {})[match[1]] = value
    numbers = sorted(by_number)
    if numbers and numbers not in (list(range(len(numbers))), list(range(1, len(numbers) + 1))):
        raise UnreadableTrace(f"its keys are numbered {', '.join(map(str, numbers))}")
    return [by_number[number] for number in numbers]


def _check_episode(episode: JsonValue) -> JsonObject:
    if not isinstance(episode, dict):
        raise UnreadableTrace(f"one of its episodes is a {type(episode).__name__}, not an object")
    return episode


def _read_step(named: JsonObject) -> TraceStep:
    parts: JsonObject = {}
    for name, value in named.items():
        for part, names in PARTS.items():
            if name.removeprefix("next_") in names:
                parts[part] = value
    return TraceStep(parts=parts)
