"""The two signatures ReAct generates from the user's: the step's and the extraction's (S1 D2, D3)."""

from typing import Any, Literal

import dspy

from react_tck.reference.loop import FINISH
from react_tck.reference.signatures.generated import make_signature
from react_tck.reference.signatures.listing import write_listing
from react_tck.reference.signatures.users import SignatureType, checked_signature, history_field, outputs_of
from react_tck.reference.tools import BoundTool

TRAJECTORY = "trajectory"
REASONING, TOOLS, TOOL_CALLS = "reasoning", "tools", "tool_calls"
STEP_OUTPUTS = ("next_thought", "next_tool_name", "next_tool_args")


def user_signature(signature: str | SignatureType) -> SignatureType:
    """Return the user's signature, from its arrow, class or value form (SIG-001 to SIG-004).

    Raises:
        ValueError: if it has no outputs, or a field by one of ReAct's own names (SIG-006, TOOL-015).
    """
    made = checked_signature(signature)
    if taken := [name for name in made.fields if name in (TRAJECTORY, *STEP_OUTPUTS)]:
        raise ValueError(f"the signature has a field {taken[0]!r}, a name that ReAct uses itself")
    return made


def step_signature(signature: SignatureType, tools: dict[str, BoundTool]) -> SignatureType:
    """Return the user's inputs and the trajectory, to a thought, one of the tool names, and its args.

    Where `finish` isn't among the tools, it is described in the reference's own words.
    """
    users = {name: tool for name, tool in tools.items() if name != FINISH}
    finish = tools[FINISH].description if FINISH in tools else finish_description(signature)
    choices: Any = Literal[(*users, FINISH)]
    fields = {
        **signature.input_fields,
        **_history_as_text(signature),
        TRAJECTORY: (str, dspy.InputField(desc="the steps taken so far")),
        "next_thought": (str, dspy.OutputField()),
        "next_tool_name": (choices, dspy.OutputField()),
        "next_tool_args": (dict[str, Any], dspy.OutputField()),
    }
    listed = [*(tool.describe_tool() for tool in users.values()), f"{FINISH}: {finish}"]
    return make_signature(fields, _step_instructions(signature, listed))


def extraction_signature(signature: SignatureType) -> SignatureType:
    """Return the user's inputs and the trajectory, to the user's outputs."""
    trajectory = {TRAJECTORY: (str, dspy.InputField(desc="the steps taken"))}
    fields = {**signature.input_fields, **trajectory, **signature.output_fields}
    return make_signature(fields, signature.instructions)


def native_signature(signature: SignatureType) -> SignatureType:
    """Return a step by native tool calling: inputs, trajectory and tools, to reasoning and a call (UDS-005)."""
    fields = {
        **signature.input_fields,
        TRAJECTORY: (str, dspy.InputField(desc="the steps taken so far")),
        TOOLS: (list[dspy.Tool], dspy.InputField()),
        REASONING: (str, dspy.OutputField()),
        TOOL_CALLS: (dspy.ToolCalls, dspy.OutputField()),
    }
    instructions = (
        f"{signature.instructions}\n\nWork towards {outputs_of(signature)} one tool call at a time. Each turn, write "
        "what is known and what is missing, and call one tool. Its result comes back as the observation of that turn "
        "in `trajectory`."
    )
    return make_signature(fields, instructions)


def _history_as_text(signature: SignatureType) -> dict[str, Any]:
    """Past turns have the user's outputs, not a step's, so a step reads them as text."""
    name = history_field(signature)
    return {name: (str, dspy.InputField(desc="earlier turns of the conversation"))} if name else {}


def finish_description(signature: SignatureType) -> str:
    return f"Call this when everything needed to produce {outputs_of(signature)} is known. It takes no arguments."


def _step_instructions(signature: SignatureType, listed: list[str]) -> str:
    outputs = outputs_of(signature)
    return "\n".join(
        [
            signature.instructions,
            "",
            f"Work towards {outputs} one tool call at a time. Each turn, think about what is known and what is "
            "missing (`next_thought`), choose one tool (`next_tool_name`) and its arguments (`next_tool_args`). "
            "The tool's result comes back as the observation of that turn in `trajectory`.",
            "",
            *write_listing(listed, "next_tool_args"),
        ]
    )
