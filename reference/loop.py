"""The ReAct loop as a sans-I/O state machine (S4 R2 to R4).

A `State` says what is to be done next; `advance` takes what came of it and gives the next state. Nothing here asks
an LM, runs a tool or imports dspy, and a state survives a trip through JSON, so that a run can be continued anywhere.

    state = start(("add",), max_steps=5)
    while not isinstance(state.action, Done):
        state = advance(state, perform(state.action))
"""

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from react_tck.model.base import JsonObject, Value
from react_tck.reference.policy import Policy

FINISH = "finish"
#: How often one prompt that doesn't fit is made again with one step less.
SHORTENINGS = 2


class Step(Value):
    """One turn of the loop, complete with its observation."""

    thought: str
    tool: str
    args: JsonObject
    observation: JsonValue
    #: What was said to the user meanwhile, in a conversation (S0).
    response: str = ""


class AskStep(Value):
    """Ask the step predictor for the next tool call."""

    kind: Literal["ask-step"] = "ask-step"


class RunTool(Value):
    """Run this tool with these args."""

    kind: Literal["run-tool"] = "run-tool"
    thought: str
    tool: str
    args: JsonObject
    response: str = ""


class AwaitResponse(Value):
    """Suspend the episode until a person has said what is to become of this call (S3)."""

    kind: Literal["await-response"] = "await-response"
    thought: str
    tool: str
    args: JsonObject
    response: str = ""


class AskExtraction(Value):
    """Ask the extraction module for the signature's outputs."""

    kind: Literal["ask-extraction"] = "ask-extraction"


class Done(Value):
    """The episode is over; `error` is what the policy didn't let the loop absorb."""

    kind: Literal["done"] = "done"
    error: str | None = None


Action = Annotated[AskStep | RunTool | AwaitResponse | AskExtraction | Done, Field(discriminator="kind")]


class StepChosen(Value):
    """The step predictor chose a tool and its args."""

    thought: str
    tool: str
    args: JsonObject
    response: str = ""


class ArgsMalformed(Value):
    """The step predictor chose a tool, but its args aren't a JSON object, for this reason."""

    thought: str
    tool: str
    reason: str


class StepMalformed(Value):
    """The step predictor's reply couldn't be read, for this reason."""

    reason: str


class DoesNotFit(Value):
    """The prompt is too long for the LM's context window."""


class ToolReturned(Value):
    """The tool returned; `observation` is its result as a JSON value."""

    observation: JsonValue


class ArgsMismatched(Value):
    """The args don't fit what the tool declares, for this reason, so it was not run."""

    reason: str


class ToolFailed(Value):
    """The tool raised, for this reason."""

    reason: str


class Approved(Value):
    """The person lets this call run: the one that was waiting, or what it was edited to."""

    tool: str
    args: JsonObject


class Declined(Value):
    """The call that was waiting doesn't run; the observation is what the agent is told instead."""

    observation: JsonValue


class Extracted(Value):
    """The extraction gave the outputs; they are the driver's to return."""


Event = (
    StepChosen
    | ArgsMalformed
    | StepMalformed
    | DoesNotFit
    | ToolReturned
    | ArgsMismatched
    | ToolFailed
    | Approved
    | Declined
    | Extracted
)


class State(Value):
    """Where an episode stands."""

    tools: tuple[str, ...]
    max_steps: int
    policy: Policy = Policy()
    #: The tools that don't run before a person has responded.
    awaited: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    #: How many of the oldest steps the prompts leave out; the record keeps them (TRJ-005).
    left_out: int = 0
    #: How often the prompt that is due has been made shorter.
    shortenings: int = 0
    action: Action

    @property
    def shown(self) -> tuple[Step, ...]:
        """The steps that the prompts show."""
        return self.steps[self.left_out :]

    @property
    def can_be_shortened(self) -> bool:
        """Whether the prompt may leave out one more step: the newest stays, and there is a limit (CTX-001)."""
        return self.shortenings < SHORTENINGS and len(self.shown) > 1


class OutOfTurn(ValueError):
    """The event doesn't answer the state's action: a mistake of the driver."""


def start(tools: tuple[str, ...], max_steps: int, policy: Policy | None = None, awaited: tuple[str, ...] = ()) -> State:
    """The first state of an episode; with `max_steps` 0 it goes straight to extraction."""
    state = State(tools=tools, max_steps=max_steps, policy=policy or Policy(), awaited=awaited, action=AskStep())
    return _next_turn(state)


def advance(state: State, event: Event) -> State:
    """The state after an event.

    Raises:
        OutOfTurn: if the event doesn't answer the state's action.
    """
    match state.action, event:
        case AskStep(), StepChosen(tool=tool) if tool == FINISH:
            return _finish(state, event)
        case AskStep(), StepChosen(tool=tool) if tool in state.awaited:
            return _to(state, AwaitResponse(thought=event.thought, tool=tool, args=event.args, response=event.response))
        case AskStep(), StepChosen(tool=tool) if tool in state.tools:
            return _to(state, RunTool(thought=event.thought, tool=tool, args=event.args, response=event.response))
        case AskStep(), StepChosen():
            reason = f"There is no tool {event.tool!r}. The tools are: {', '.join((*state.tools, FINISH))}."
            return _absorb(state, state.policy.unknown_tool, _step(event, f"Error: {reason}"), reason)
        case AskStep(), ArgsMalformed(reason=reason):
            step = Step(thought=event.thought, tool=event.tool, args={}, observation=f"Error: {reason}")
            return _absorb(state, state.policy.malformed_args, step, reason)
        case AskStep(), StepMalformed(reason=reason):
            step = Step(thought="", tool="", args={}, observation=f"Error: {reason}")
            return _absorb(state, state.policy.malformed_reply, step, reason)
        case ((AskStep() | AskExtraction()), DoesNotFit()) if state.can_be_shortened:
            return state.model_copy(update={"left_out": state.left_out + 1, "shortenings": state.shortenings + 1})
        case AwaitResponse() as call, Approved(tool=tool, args=args):
            return _to(state, RunTool(thought=call.thought, tool=tool, args=args, response=call.response))
        case AwaitResponse() as call, Declined(observation=observation):
            return _next_turn(_recorded(state, _step(call, observation)))
        case RunTool() as run, ToolReturned(observation=observation):
            return _next_turn(_recorded(state, _step(run, observation)))
        case RunTool() as run, ArgsMismatched(reason=reason):
            return _absorb(state, state.policy.schema_mismatch, _failed(run, reason), reason)
        case RunTool() as run, ToolFailed(reason=reason):
            return _absorb(state, state.policy.tool_error, _failed(run, reason), reason)
        case AskExtraction(), Extracted():
            return _to(state, Done())
    raise OutOfTurn(f"{type(event).__name__} does not answer {type(state.action).__name__}")


def _finish(state: State, event: StepChosen) -> State:
    if state.policy.finish_recorded:
        state = _recorded(state, _step(event, state.policy.finished))
    return _to(state, AskExtraction())


def _absorb(state: State, policy: Literal["observe", "extract", "error"], step: Step, reason: str) -> State:
    """Go on after something went wrong, as the policy says; the step that went wrong is on record."""
    state = _recorded(state, step)
    if policy == "error":
        return _to(state, Done(error=reason))
    return _next_turn(state) if policy == "observe" else _to(state, AskExtraction())


def _next_turn(state: State) -> State:
    return _to(state, AskStep() if len(state.steps) < state.max_steps else AskExtraction())


def _recorded(state: State, step: Step) -> State:
    return state.model_copy(update={"steps": (*state.steps, step)})


def _step(source: StepChosen | RunTool | AwaitResponse, observation: JsonValue) -> Step:
    told = {"thought": source.thought, "tool": source.tool, "args": source.args, "response": source.response}
    return Step.model_validate({**told, "observation": observation})


def _failed(run: RunTool, reason: str) -> Step:
    return _step(run, f"Error executing {run.tool}: {reason}")


def _to(state: State, action: Action) -> State:
    return state.model_copy(update={"action": action, "shortenings": 0})
