"""The four signatures of a conversation, one a machine state (S0, CNV-004)."""

from typing import Any

import dspy

from react_tck.reference.loop import FINISH
from react_tck.reference.loop.views.conversation import (
    INSTRUCTIONS,
    MACHINE_STATE,
    RESPONSE,
    STEP_STATES,
    TOOL_ARGS,
    TOOL_NAME,
    TOOL_RESULT,
    MachineState,
)
from react_tck.reference.signatures.react import (
    SignatureType,
    history_field,
    make_signature,
    user_signature,
    write_listing,
)
from react_tck.reference.tools import BoundTool

HISTORY = "history"


def conversation_signature(signature: str | SignatureType) -> SignatureType:
    """Return the user's signature, with a history among its inputs if it names none.

    Raises:
        ValueError: if it has no outputs, or a field by a name that the machine needs for itself.
    """
    made = user_signature(signature)
    name = history_field(made)
    if taken := [field for field in made.fields if field in (MACHINE_STATE, HISTORY) and field != name]:
        raise ValueError(f"the signature has a field {taken[0]!r}, a name that the conversation uses itself")
    if name:
        return made
    fields = {**made.input_fields, HISTORY: (dspy.History, dspy.InputField()), **made.output_fields}
    return make_signature(fields, made.instructions)


def state_signature(state: MachineState, signature: SignatureType, tools: dict[str, BoundTool]) -> SignatureType:
    """Return inputs and outputs of a state; its instructions are those of all, since the system prompt is one."""
    history = {HISTORY: (dspy.History, dspy.InputField())}
    fields = {**_make_inputs(state, signature), **history, **_make_outputs(state, signature, tools)}
    return make_signature(fields, _write_instructions(signature, tools))


def _make_inputs(state: MachineState, signature: SignatureType) -> dict[str, Any]:
    own: dict[str, Any] = {MACHINE_STATE: (MachineState, dspy.InputField(desc="which function is active"))}
    if state == "user_query":
        name = history_field(signature)
        return {**own, **{key: field for key, field in signature.input_fields.items() if key != name}}
    own[TOOL_RESULT] = (str, dspy.InputField(desc="what the tool called last gave"))
    if state == "interrupted":
        own[INSTRUCTIONS] = (str, dspy.InputField(desc="what to do now that no step is left"))
    return own


def _make_outputs(state: MachineState, signature: SignatureType, tools: dict[str, BoundTool]) -> dict[str, Any]:
    if state not in STEP_STATES:
        return dict(signature.output_fields)
    names = ", ".join((*tools, FINISH))
    return {
        TOOL_NAME: (str, dspy.OutputField(desc=f"one of: {names}")),
        TOOL_ARGS: (dict[str, Any], dspy.OutputField(desc="the tool's arguments, a JSON object")),
        RESPONSE: (str, dspy.OutputField(desc="what to tell the user meanwhile")),
    }


def _write_instructions(signature: SignatureType, tools: dict[str, BoundTool]) -> str:
    outputs = ", ".join(f"`{name}`" for name in signature.output_fields)
    finish = f"{FINISH}: Call this when everything needed to produce {outputs} is known. It takes no arguments."
    listed = [*(tool.describe_tool() for tool in tools.values()), finish]
    return "\n".join([signature.instructions, "", *write_listing(listed, TOOL_ARGS)])
