"""The signatures of a transcript's program, and the `submit` tool made of the user's (TRN-002)."""

import inspect
from dataclasses import replace
from typing import Any

import dspy
from pydantic import JsonValue

from react_tck.reference.loop import SUBMIT
from react_tck.reference.signatures.generated import make_signature
from react_tck.reference.signatures.react import TRAJECTORY
from react_tck.reference.signatures.users import SignatureType, checked_signature
from react_tck.reference.tools import BoundTool, bind_tool

HISTORY, TOOLS = "history", "tools"
THOUGHT, TOOL_CALLS = "next_thought", "tool_calls"
TERMINATION = "termination_reason"

#: What a call takes beside its inputs, or the program's own signature has.
RESERVED_INPUTS = (HISTORY, TOOLS, THOUGHT, TOOL_CALLS)
#: What a prediction, or a turn of its history, has beside its outputs.
RESERVED_OUTPUTS = (HISTORY, TRAJECTORY, TERMINATION, THOUGHT, TOOL_CALLS)


def task_signature(signature: str | SignatureType) -> SignatureType:
    """The user's signature.

    Raises:
        ValueError: if it has no outputs, or a field by a reserved name (SIG-006, TRN-012).
    """
    made = checked_signature(signature)
    _refuse_reserved("input", made.input_fields, RESERVED_INPUTS)
    _refuse_reserved("output", made.output_fields, RESERVED_OUTPUTS)
    return made


def turn_signature(task: SignatureType) -> SignatureType:
    """The user's inputs, the history and the tools, to a thought and tool calls."""
    fields = {
        **task.input_fields,
        HISTORY: (dspy.History, dspy.InputField()),
        TOOLS: (list[dspy.Tool], dspy.InputField()),
        THOUGHT: (str, dspy.OutputField()),
        TOOL_CALLS: (dspy.ToolCalls, dspy.OutputField()),
    }
    return make_signature(fields, _write_instructions(task))


def answer_signature(task: SignatureType) -> SignatureType:
    """The user's inputs and the history, to the user's outputs."""
    history = {HISTORY: (dspy.History, dspy.InputField())}
    return make_signature({**task.input_fields, **history, **task.output_fields}, task.instructions)


def summary_signature() -> SignatureType:
    """Entries of a transcript, to what has to be remembered of them."""
    made: SignatureType = dspy.Signature(
        "transcript -> summary",
        "Summarise this part of a conversation with its tool calls. It will be forgotten: keep every fact, name and "
        "number that later turns may refer to.",
    )
    return made


def submit_tool(task: SignatureType) -> BoundTool:
    """The tool whose parameters are the outputs, typed as they are declared (TRN-002, TRN-009)."""

    def submit(**outputs: Any) -> dict[str, Any]:
        return outputs

    annotations = {name: field.annotation for name, field in task.output_fields.items()}
    parameters = [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, annotation=a) for n, a in annotations.items()]
    attributes = {
        "__annotations__": annotations,
        "__signature__": inspect.Signature(parameters),
        "__doc__": "Commits the final outputs of the task.",
    }
    for name, value in attributes.items():
        setattr(submit, name, value)
    tool = bind_tool(submit)
    return replace(
        tool, name=SUBMIT, args={name: _describe_schema(tool.args[name], task, name) for name in annotations}
    )


def read_description(field: Any) -> str:
    """What a field's author says of it; empty if nothing."""
    said = str((field.json_schema_extra or {}).get("desc") or "")
    return "" if said.startswith("${") else said  # dspy's placeholder


def _describe_schema(schema: Any, task: SignatureType, name: str) -> JsonValue:
    said = read_description(task.output_fields[name])
    return {**schema, "description": said} if said else schema


def _write_instructions(task: SignatureType) -> str:
    outputs = ", ".join(f"`{name}`" for name in task.output_fields)
    return "\n".join(
        [
            task.instructions,
            "",
            f"Work towards {outputs} by calling tools, one or several at a time, until everything needed is known. "
            f"Then call `{SUBMIT}` with {outputs}. The results come back in the conversation; what was answered in "
            "earlier turns stands there too.",
        ]
    )


def _refuse_reserved(kind: str, fields: dict[str, Any], reserved: tuple[str, ...]) -> None:
    if taken := [name for name in fields if name in reserved]:
        raise ValueError(f"the signature has an {kind} {taken[0]!r}, a name that is reserved; give it another one")
