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
    # No repetition mends these three.
    "bad-request",
    "unauthorized",
    "forbidden",
    "connection-reset",
    "truncated-body",
    "truncated-stream",
    "invalid-json",
    "empty-choices",
    "finish-length",
]


#: How the form of a reply is broken.
GarbledForm = Literal[
    "no-opening",
    "no-closing",
    "no-end",
    "missing-field",
    "missing-args",
    "unknown-field",
    "repeated-field",
    "contradicted-field",
    "reordered",
    "wrong-case",
    "extra-spaces",
    "indented",
    "mid-line",
    "quoted",
    "fenced",
    "nested",
    "truncated",
    "empty",
    "prose",
    "two-replies",
    "other-phase",
    "other-dialect",
    "null-thought",
    "listed-tool",
    "renamed-args",
    "flat-args",
]


class CallTool(Value):
    """Take a step: run this tool with these args."""

    kind: Literal["call"] = "call"
    tool: str
    args: JsonObject = Field(default_factory=dict)
    thought: str = ""
    sticky: bool = False
    #: Whether it is said again to each request of the call that shows no result of the tool, as a model says it to who
    #: begins anew.
    until_shown: bool = False


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


class BadArgs(Value):
    """Take a step with args written exactly like this: no JSON, no object, or odd in another way (ERR-002, ERR-003).

    A text that isn't JSON stands in JSON as a string.
    """

    kind: Literal["bad-args"] = "bad-args"
    tool: str
    text: str
    thought: str = ""
    sticky: bool = False


class Garbled(Value):
    """Mean this, but break the form of the reply (ERR-005, ERR-018, ERR-011)."""

    kind: Literal["garbled"] = "garbled"
    form: GarbledForm
    meant: Annotated[CallTool | Finish | Submit | Answer, Field(discriminator="kind")]
    #: Where a truncated reply ends, as a share of its length.
    cut: Annotated[float, Field(ge=0, le=1)] = 0.5
    sticky: bool = False


class Raw(Value):
    """Say exactly this text, whatever was asked for."""

    kind: Literal["raw"] = "raw"
    text: str
    sticky: bool = False


class Empty(Value):
    """Reply with neither text nor a tool call."""

    kind: Literal["empty"] = "empty"
    sticky: bool = False


class Fault(Value):
    """Fail as a provider does."""

    kind: Literal["fault"] = "fault"
    fault: FaultName
    sticky: bool = False


#: What a dialect can say.
Move = CallTool | Calls | Finish | Submit | Answer

Reply = Annotated[
    CallTool | Calls | Finish | Submit | Answer | BadArgs | Garbled | Raw | Empty | Fault,
    Field(discriminator="kind"),
]


class Attempts(Value):
    """What is said when one turn is asked for, asked for again, and so on; the last reply stays."""

    kind: Literal["attempts"] = "attempts"
    replies: Annotated[tuple[Reply, ...], Field(min_length=1)]
    sticky: bool = False


Intent = Annotated[
    CallTool | Calls | Finish | Submit | Answer | BadArgs | Garbled | Raw | Empty | Fault | Attempts,
    Field(discriminator="kind"),
]


class Script(Value):
    """The intents of one episode, a queue for each phase, an intent a turn; a sticky one stays for further turns.

    Who asks for the same turn again is given the same reply, so that a retry never eats the next turn's. A request
    for a phase whose queue is empty is refused and reported: a script says all that may happen.
    """

    steps: tuple[Intent, ...] = ()
    answers: tuple[Intent, ...] = ()
