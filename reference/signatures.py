"""The two signatures ReAct generates from the user's: the step's and the extraction's (S1 D2, D3)."""

from typing import Any, Literal

import dspy
from dspy.signatures.signature import ensure_signature

from react_tck.model.signature import split_fields
from react_tck.reference.loop import FINISH
from react_tck.reference.tools import BoundTool

TRAJECTORY = "trajectory"
STEP_OUTPUTS = ("next_thought", "next_tool_name", "next_tool_args")

SignatureType = type[dspy.Signature]


def user_signature(signature: str | SignatureType) -> SignatureType:
    """The user's signature, from its arrow, class or value form (SIG-001 to SIG-004).

    Raises:
        ValueError: if it has no outputs, or a field by one of ReAct's own names (SIG-006, TOOL-005).
    """
    made = checked_signature(signature)
    if taken := [name for name in made.fields if name in (TRAJECTORY, *STEP_OUTPUTS)]:
        raise ValueError(f"the signature has a field {taken[0]!r}, a name that ReAct uses itself")
    return made


def checked_signature(signature: str | SignatureType) -> SignatureType:
    """The signature, whatever names its fields have.

    Raises:
        ValueError: if it has no outputs, or two fields of one name (SIG-006).
    """
    if isinstance(signature, str):
        _refuse_duplicates(signature)
    made: SignatureType = ensure_signature(signature)
    if not made.output_fields:
        raise ValueError("the signature has no output fields")
    return made


def check_inputs(signature: SignatureType, inputs: dict[str, Any]) -> None:
    """Refuse what the signature doesn't take, before the LM is asked (SIG-007).

    Raises:
        ValueError: if an input is missing or unknown.
    """
    fields = signature.input_fields
    if missing := [name for name, field in fields.items() if name not in inputs and field.is_required()]:
        raise ValueError(f"missing input {missing[0]!r}; the inputs are: {', '.join(fields)}")
    if unknown := [name for name in inputs if name not in fields]:
        raise ValueError(f"unknown input {unknown[0]!r}; the inputs are: {', '.join(fields)}")


def own_max_steps(signature: SignatureType, inputs: dict[str, Any], default: int) -> tuple[int, dict[str, Any]]:
    """The call's own `max_steps` (LOOP-009), unless the signature has an input of that name, and the other inputs."""
    own = [name for name in ("max_steps", "max_iters") if name not in signature.input_fields]
    given = [inputs[name] for name in own if name in inputs]
    return (given or [default])[0], {name: value for name, value in inputs.items() if name not in own}


def history_field(signature: SignatureType) -> str | None:
    """The input that carries the conversation history, if the signature has one."""
    inputs = signature.input_fields.items()
    return next((name for name, field in inputs if field.annotation is dspy.History), None)


def step_signature(signature: SignatureType, tools: dict[str, BoundTool], finish: str = "") -> SignatureType:
    """The user's inputs and the trajectory, to a thought, one of the tool names, and its args.

    `finish` describes the built-in tool of that name; the default is the reference's own words.
    """
    choices: Any = Literal[(*tools, FINISH)]
    fields = {
        **signature.input_fields,
        **_history_as_text(signature),
        TRAJECTORY: (str, dspy.InputField(desc="the steps taken so far")),
        "next_thought": (str, dspy.OutputField()),
        "next_tool_name": (choices, dspy.OutputField()),
        "next_tool_args": (dict[str, Any], dspy.OutputField()),
    }
    listed = [*(tool.describe() for tool in tools.values()), f"{FINISH}: {finish or _finish_description(signature)}"]
    made: SignatureType = dspy.Signature(fields, _step_instructions(signature, listed))
    return made


def extraction_signature(signature: SignatureType) -> SignatureType:
    """The user's inputs and the trajectory, to the user's outputs."""
    trajectory = {TRAJECTORY: (str, dspy.InputField(desc="the steps taken"))}
    fields = {**signature.input_fields, **trajectory, **signature.output_fields}
    made: SignatureType = dspy.Signature(fields, signature.instructions)
    return made


def _history_as_text(signature: SignatureType) -> dict[str, Any]:
    """Past turns have the user's outputs, not a step's, so a step reads them as text."""
    name = history_field(signature)
    return {name: (str, dspy.InputField(desc="earlier turns of the conversation"))} if name else {}


def outputs_of(signature: SignatureType) -> str:
    """The names of the outputs, as prompts list them."""
    return ", ".join(f"`{name}`" for name in signature.output_fields)


def _finish_description(signature: SignatureType) -> str:
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
            "The tools:",
            *(f"({number}) {description}" for number, description in enumerate(listed, 1)),
            "",
            "`next_tool_args` must be a valid JSON object.",
        ]
    )


def _refuse_duplicates(arrow: str) -> None:
    inputs, _, outputs = arrow.partition("->")
    names = [field.partition(":")[0].strip() for side in (inputs, outputs) for field in split_fields(side)]
    if twice := next((name for name in names if name.isidentifier() and names.count(name) > 1), None):
        raise ValueError(f"the signature {arrow!r} has two fields named {twice!r}")
