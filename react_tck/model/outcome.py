"""The one thing the kit takes on the subject's word: how a call ended."""

from typing import Literal

from pydantic import Field, JsonValue

from react_tck.model.base import JsonObject, Value

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


def failed(error: BaseException) -> Outcome:
    """The outcome of a call that raised."""
    return Outcome(status="error", error=Failure(type=type(error).__name__, message=str(error)))
