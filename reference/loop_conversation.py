"""The state machine of a conversation (S0): which state the loop is in, and each step as a pair of messages.

Pure, like the loop: everything follows from the loop's state and the inputs of the call.
"""

from typing import Any, Literal, get_args

from react_tck.dialects.markup import as_text
from react_tck.model.base import JsonObject
from react_tck.reference import loop
from react_tck.reference.policy import Policy

MachineState = Literal["user_query", "tool_result", "interrupted", "finish"]
STATES: tuple[MachineState, ...] = get_args(MachineState)
#: The states in which the next tool is chosen; the others give the user's outputs.
STEP_STATES = ("user_query", "tool_result")

MACHINE_STATE, TOOL_RESULT, INSTRUCTIONS = "machine_state", "tool_result", "interruption_instructions"
REASONING, TOOL_NAME, TOOL_ARGS, RESPONSE = "reasoning", "tool_name", "tool_args", "response"

INTERRUPTION = (
    "The conversation was interrupted: the last tool call was made, and there is no step left. Answer from what has "
    "been gathered so far, and say that it stopped early and can be continued."
)
#: What stands for a reply that couldn't be read, so that the history is well-formed all the same (CNV-010).
UNREADABLE = "(unreadable)"
MALFORMED = "your last reply could not be read, and nothing was done. Keep to the field format."
_TOO_EARLY = "it is possible only after a tool has run."

#: The fields of a message pair, by name; inputs and outputs of the user's may be any Python values.
Exchange = dict[str, Any]


def start(tools: tuple[str, ...], max_steps: int, policy: Policy, awaited: tuple[str, ...] = ()) -> loop.State:
    """The first state, `user_query`; the tools `awaited` don't run before a person has responded.

    Raises:
        ValueError: if there is no step to take: from `user_query` no way leads to `interrupted` (CNV-005).
    """
    if max_steps < 1:
        raise ValueError(f"a conversation takes at least one step; max_steps is {max_steps}")
    # That the machine finished is part of the conversation.
    return loop.start(tools, max_steps, policy.model_copy(update={"finish_recorded": True}), awaited)


def advance(state: loop.State, event: loop.Event) -> loop.State:
    """The state after an event. Where finishing at once is illegal, it is a tool that fails.

    Raises:
        OutOfTurn: if the event doesn't answer the state's action.
    """
    if not _finishes_too_early(state, event):
        return loop.advance(state, event)
    assert isinstance(event, loop.StepChosen)
    trying = state.model_copy(update={"action": loop.RunTool(**dict(event))})
    return loop.advance(trying, loop.ToolFailed(reason=_TOO_EARLY))


def machine_state(state: loop.State) -> MachineState:
    """The state in which the LM is asked next."""
    if isinstance(state.action, loop.AskExtraction):
        return "finish" if _has_finished(state) else "interrupted"
    return "tool_result" if state.steps else "user_query"


def asking(now: MachineState, state: loop.State, inputs: Exchange) -> Exchange:
    """The fields of the next user message (CNV-004)."""
    if now == "user_query":
        return _query(inputs)
    asked = _result(state.steps[-1], now)
    return {**asked, INSTRUCTIONS: INTERRUPTION} if now == "interrupted" else asked


def exchanges(state: loop.State, inputs: Exchange, *, reasoning: bool = True) -> list[Exchange]:
    """A pair of messages for every step taken: what the LM was asked and what it said (CNV-002).

    Without `reasoning` there is none in what it said (CNV-008).
    """
    asked = [_query(inputs), *(_result(step, "tool_result") for step in state.steps)]
    return [{**question, **_reply(step, reasoning)} for question, step in zip(asked, state.steps, strict=False)]


def _query(inputs: Exchange) -> Exchange:
    return {MACHINE_STATE: "user_query", **inputs}


def _result(step: loop.Step, now: MachineState) -> Exchange:
    return {MACHINE_STATE: now, TOOL_RESULT: as_text(step.observation)}


def _reply(step: loop.Step, reasoning: bool) -> JsonObject:
    thought, tool, response = step.thought, step.tool, step.response
    if not tool:
        thought = tool = response = UNREADABLE
    said: JsonObject = {TOOL_NAME: tool, TOOL_ARGS: step.args, RESPONSE: response}
    return {REASONING: thought, **said} if reasoning else said


def _finishes_too_early(state: loop.State, event: loop.Event) -> bool:
    is_finish = isinstance(event, loop.StepChosen) and event.tool == loop.FINISH
    return is_finish and not state.steps and state.policy.finish_from_first_state == "illegal"


def _has_finished(state: loop.State) -> bool:
    last = state.steps[-1]
    return last.tool == loop.FINISH and last.observation == state.policy.finished
