"""What the scripted LM means to say; the dialect decides how it reads."""

from typing import Annotated, Literal

from pydantic import Field

from react_tck.model.base import JsonObject, Value

#: How a provider fails. On the wire each looks as it does with a provider; in process all are exceptions.
FaultName = Literal[
    "rate-limit",
    "server-error",
    "timeout",
    "context-window",
    "connection-reset",
    "truncated-body",
    "truncated-stream",
    "invalid-json",
    "empty-choices",
    "finish-length",
]


class CallTool(Value):
    """Take a step: run this tool with these args."""

    kind: Literal["call"] = "call"
    tool: str
    args: JsonObject = Field(default_factory=dict)
    thought: str = ""
    sticky: bool = False


class Finish(Value):
    """Take the last step: select `finish`, normally without args (LOOP-010)."""

    kind: Literal["finish"] = "finish"
    args: JsonObject = Field(default_factory=dict)
    thought: str = ""
    sticky: bool = False


class Calls(Value):
    """Take a step with several tool calls in one turn (TRN-013)."""

    kind: Literal["calls"] = "calls"
    calls: tuple[CallTool, ...]
    thought: str = ""
    sticky: bool = False


class Submit(Value):
    """Commit the outputs of the user's signature by calling `submit` (TRN-002)."""

    kind: Literal["submit"] = "submit"
    outputs: JsonObject
    thought: str = ""
    sticky: bool = False


class Answer(Value):
    """Give the outputs of the user's signature."""

    kind: Literal["answer"] = "answer"
    outputs: JsonObject
    reasoning: str = ""
    sticky: bool = False


class Raw(Value):
    """Say exactly this text, whatever was asked for."""

    kind: Literal["raw"] = "raw"
    text: str
    sticky: bool = False


class Empty(Value):
    """Say nothing."""

    kind: Literal["empty"] = "empty"
    sticky: bool = False


class Fault(Value):
    """Fail as a provider does."""

    kind: Literal["fault"] = "fault"
    fault: FaultName
    sticky: bool = False


#: What a dialect can say.
Move = CallTool | Calls | Finish | Submit | Answer

Intent = Annotated[CallTool | Calls | Finish | Submit | Answer | Raw | Empty | Fault, Field(discriminator="kind")]


class Script(Value):
    """The intents of one episode, a queue for each phase; a sticky intent stays and is said again.

    A request for a phase whose queue is empty is refused and reported: a script says all that may happen.
    """

    steps: tuple[Intent, ...] = ()
    answers: tuple[Intent, ...] = ()
