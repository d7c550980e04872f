"""The signatures of a transcript's program, and the `submit` tool made of the user's (TRN-002)."""

import inspect
from dataclasses import replace
from functools import lru_cache
from typing import Any

import dspy
from pydantic import JsonValue

from react_tck.reference.loop import SUBMIT
from react_tck.reference.signatures.react import TRAJECTORY, SignatureType, checked_signature, make_signature
from react_tck.reference.tools import BoundTool, Lasting, bind_tool

HISTORY, TOOLS = "history", "tools"
THOUGHT, TOOL_CALLS = "next_thought", "tool_calls"
TERMINATION = "termination_reason"

#: What a call takes beside its inputs, or the program's own signature has.
RESERVED_INPUTS = (HISTORY, TOOLS, THOUGHT, TOOL_CALLS)
#: What a prediction, or a turn of its history, has beside its outputs.
RESERVED_OUTPUTS = (HISTORY, TRAJECTORY, TERMINATION, THOUGHT, TOOL_CALLS)


def task_signature(signature: str | SignatureType) -> SignatureType:
    """Return the user's signature.

    Raises:
        ValueError: if it has no outputs, or a field by a reserved name (SIG-006, TRN-012).
    """
    made = checked_signature(signature)
    _refuse_reserved("input", made.input_fields, RESERVED_INPUTS)
    _refuse_reserved("output", made.output_fields, RESERVED_OUTPUTS)
    return made


def turn_signature(task: SignatureType) -> SignatureType:
    """Return the user's inputs, the history and the tools, to a thought and tool calls."""
    fields = {
        **task.input_fields,
        HISTORY: (dspy.History, dspy.InputField()),
        TOOLS: (list[dspy.Tool], dspy.InputField()),
        THOUGHT: (str, dspy.OutputField()),
        TOOL_CALLS: (dspy.ToolCalls, dspy.OutputField()),
    }
    return make_signature(fields, _write_instructions(task))


def answer_signature(task: SignatureType) -> SignatureType:
    """Return the user's inputs and the history, to the user's outputs."""
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


class _Submit(Lasting):
    """What a call of `submit` runs. dspy pickles what it learns from, tools too, and local functions can't be."""

    def __init__(self, annotations: dict[str, Any]) -> None:
        named = inspect.Parameter.KEYWORD_ONLY
        self.__signature__ = inspect.Signature(
            [inspect.Parameter(name, named, annotation=each) for name, each in annotations.items()]
        )
        self.__doc__ = "Commits the final outputs of the task."

    def __call__(self, **outputs: Any) -> dict[str, Any]:
        return outputs


def _find_submit(annotations: dict[str, Any]) -> _Submit:
    """Return one for all agents with these outputs; as they are written, too, for `int | str` equals `str | int`."""
    try:
        return _make_submit((*((name, each, repr(each)) for name, each in annotations.items()),))
    except TypeError:  # an annotation that can't be hashed
        return _Submit(annotations)


@lru_cache(maxsize=64)
def _make_submit(outputs: tuple[tuple[str, Any, str], ...]) -> _Submit:
    return _Submit({name: annotation for name, annotation, _ in outputs})


def submit_tool(task: SignatureType) -> BoundTool:
    """Return the tool whose parameters are the outputs, typed as they are declared (TRN-002, TRN-009)."""
    tool = bind_tool(_find_submit({name: field.annotation for name, field in task.output_fields.items()}))
    return replace(
        tool, name=SUBMIT, args={name: _describe_schema(schema, task, name) for name, schema in tool.args.items()}
    )


def read_description(field: Any) -> str:
    """Return what a field's author says of it; empty if nothing."""
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
