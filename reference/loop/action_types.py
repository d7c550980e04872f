"""What is due in the loop, an action, and what comes of it, an event. Both are values; nobody acts here."""

from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue

from react_tck.model.base import JsonObject, Value
from react_tck.reference.loop.entries import Call, Entries


class AskStep(Value):
    """Ask the LM for its next step: a thought and tool calls."""

    kind: Literal["ask-step"] = "ask-step"


class RunTool(Value):
    """Run this tool call; that of `submit` is a check of the outputs (TRN-005)."""

    kind: Literal["run-tool"] = "run-tool"
    call: Call
    #: What the tool itself had asked a person, who agreed.
    agreed: str | None = None


class AwaitResponse(Value):
    """Suspend the run until a person has said what is to become of this call (S3)."""

    kind: Literal["await-response"] = "await-response"
    call: Call
    #: What the tool itself asks, where it was run and raised; nothing, where it may not run before.
    asked: "ToolAsked | None" = None


class AskExtraction(Value):
    """Ask the LM for the outputs, because they were not submitted (EXT-001, TRN-006)."""

    kind: Literal["ask-extraction"] = "ask-extraction"
    #: Why no further step is taken; empty where none is left.
    because: str = ""


class AskSummary(Value):
    """Ask for a summary of these entries, then do again what didn't fit (TRN-014)."""

    kind: Literal["ask-summary"] = "ask-summary"
    entries: Entries
    then: Annotated[AskStep | AskExtraction, Field(discriminator="kind")]


#: How the outputs came.
Termination = Literal["submit", "forced_submit", "extract"]


class End(Value):
    """The run is over: its history ends with the answer, or with the error that the policy didn't let it absorb."""

    kind: Literal["done"] = "done"
    termination: Termination = "extract"
    error: str | None = None


Action = Annotated[AskStep | RunTool | AwaitResponse | AskExtraction | AskSummary | End, Field(discriminator="kind")]


class StepChosen(Value):
    """The LM thought this and called these tools, one at least."""

    thought: str
    calls: Annotated[tuple[Call, ...], Field(min_length=1)]
    #: What it said to the user meanwhile, in a conversation (S0).
    response: str = ""


class ArgsMalformed(Value):
    """The LM called a tool, but its args aren't a JSON object, for this reason."""

    thought: str
    tool: str
    reason: str
    #: Whether there are none at all: the choice `empty-args`, not `malformed-args`.
    is_empty: bool = False


class StepMalformed(Value):
    """The LM's reply couldn't be read, for this reason."""

    reason: str


class StepUnanswered(Value):
    """The LM failed, for this reason, and may not fail again."""

    reason: str


class StepGivenUp(Value):
    """No step can be had: no prompt for it fits, or who was asked for it raised, for this reason."""

    reason: str


class DoesNotFit(Value):
    """The prompt is too long for the LM's context window."""


class ToolReturned(Value):
    """The tool returned; `observation` is its result as a JSON value."""

    observation: JsonValue


class ArgsMismatched(Value):
    """The args don't fit what the tool declares, for this reason, so it was not run."""

    reason: str


class ToolAsked(Value):
    """The tool needs a person: it raised `ConfirmationRequired` (CNF-016)."""

    question: str
    confirmation_id: str


class ToolFailed(Value):
    """The tool raised, for this reason."""

    reason: str


class Committed(Value):
    """The outputs submitted are those of the signature, as it types them."""

    outputs: dict[str, Any]


class Approved(Value):
    """The person lets this call run: the one that was waiting, or what it was edited to."""

    tool: str
    args: JsonObject


class Declined(Value):
    """The call that was waiting doesn't run; the observation is what the agent is told instead."""

    observation: JsonValue


class Answered(Value):
    """The outputs that were asked for came, as the signature types them."""

    outputs: dict[str, Any]
    #: What the LM thought when it was made to submit them, and the id of that call.
    thought: str = ""
    call_id: str = ""


class Summarised(Value):
    """The summary that was asked for."""

    text: str


Event = (
    StepChosen
    | ArgsMalformed
    | StepMalformed
    | StepUnanswered
    | StepGivenUp
    | DoesNotFit
    | ToolReturned
    | ToolAsked
    | ArgsMismatched
    | ToolFailed
    | Committed
    | Approved
    | Declined
    | Answered
    | Summarised
)


class OutOfTurn(ValueError):
    """The event doesn't answer the state's action: a mistake of the driver."""
