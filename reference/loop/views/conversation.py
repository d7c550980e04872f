"""A run as a conversation (S0): which machine state asks, and each step as a pair of messages.

Everything follows from the loop's state and the inputs of the call.
"""

from typing import Any, Literal, get_args

from react_tck.dialects.markup import as_text
from react_tck.model.base import JsonObject
from react_tck.reference.loop.action_types import AskExtraction
from react_tck.reference.loop.entries import Observation, Remark
from react_tck.reference.loop.loop import State
from react_tck.reference.loop.views.trajectory import Step, as_mapping

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

#: The fields of a message pair, by name; inputs and outputs of the user's may be any Python values.
Exchange = dict[str, Any]


def machine_state(state: State) -> MachineState:
    """Return the state in which the LM is asked next."""
    if isinstance(state.action, AskExtraction):
        return "finish" if state.finished else "interrupted"
    return "tool_result" if state.steps else "user_query"


def make_user_fields(now: MachineState, state: State, inputs: Exchange) -> Exchange:
    """Return the fields of the next user message (CNV-004)."""
    if now == "user_query":
        return _make_query(inputs)
    asked = _make_result(state.steps[-1], now)
    return {**asked, INSTRUCTIONS: INTERRUPTION} if now == "interrupted" else asked


def list_exchanges(state: State, inputs: Exchange, *, reasoning: bool = True) -> list[Exchange]:
    """Return a pair of messages for every step taken: what the LM was asked and what it said (CNV-002).

    Without `reasoning` there is none in what it said (CNV-008).
    """
    asked = [_make_query(inputs), *(_make_result(step, "tool_result") for step in state.steps)]
    return [{**question, **_make_reply(step, reasoning)} for question, step in zip(asked, state.steps, strict=False)]


def record_steps(state: State, *, reasoning: bool = True) -> dict[str, Any]:
    """Return the steps as the caller gets them: in which machine state each was, and whether something failed in it."""
    told, made = as_mapping(state.steps, thought=REASONING), dict[str, Any]()
    names = (*([REASONING] if reasoning else []), TOOL_NAME, TOOL_ARGS, "observation")
    for number, (step, failed) in enumerate(zip(state.steps, _find_failures(state), strict=True)):
        made[f"state_{number}"] = STEP_STATES[min(number, 1)]
        made |= {f"{name}_{number}": told[f"{name}_{number}"] for name in names}
        made[f"error_{number}"] = failed
        if failed:
            made[f"error_message_{number}"] = as_text(step.observation)
    return made


def _find_failures(state: State) -> list[bool]:
    entries = (entry for entry in state.taken if isinstance(entry, Observation | Remark))
    return [isinstance(entry, Remark) or entry.is_error for entry in entries]


def _make_query(inputs: Exchange) -> Exchange:
    return {MACHINE_STATE: "user_query", **inputs}


def _make_result(step: Step, now: MachineState) -> Exchange:
    return {MACHINE_STATE: now, TOOL_RESULT: as_text(step.observation)}


def _make_reply(step: Step, reasoning: bool) -> JsonObject:
    thought, tool, response = step.thought, step.tool, step.response
    if not tool:
        thought = tool = response = UNREADABLE
    said: JsonObject = {TOOL_NAME: tool, TOOL_ARGS: step.args, RESPONSE: response}
    return {REASONING: thought, **said} if reasoning else said
