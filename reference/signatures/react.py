"""dspy signatures for the loop that is the oracle: of the user's fields, of a step, and of the extraction."""

import logging
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Literal

import dspy
from dspy.signatures.signature import ensure_signature
from pydantic import ConfigDict, create_model
from pydantic.fields import FieldInfo

from react_tck.model.signature import split_fields
from react_tck.reference.loop import FINISH
from react_tck.reference.tools import BoundTool

SignatureType = type[dspy.Signature]

_LOG = logging.getLogger(__name__)

DEFAULT_MAX_STEPS = 20
#: What `dspy.Predict` takes for options of its call, whatever the signature says.
_OPTIONS = frozenset({"signature", "new_signature", "demos", "config", "lm"})


def checked_signature(signature: str | SignatureType) -> SignatureType:
    """Return the signature, whatever names of ReAct's own its fields have.

    Raises:
        ValueError: if it has no outputs, two fields of one name (SIG-006), or an input named like an option (TOOL-016).
    """
    made = _parse_arrow(signature) if isinstance(signature, str) else signature
    if not made.output_fields:
        raise ValueError("the signature has no output fields")
    if taken := next((name for name in made.input_fields if name in _OPTIONS), None):
        raise ValueError(f"the signature has an input {taken!r}, which is an option of every dspy predictor's call")
    return made


def _parse_arrow(arrow: str) -> SignatureType:
    _refuse_duplicates(arrow)
    made: SignatureType = ensure_signature(arrow, _make_instructions(arrow))
    return made


@lru_cache(maxsize=64)
def _make_instructions(arrow: str) -> str:
    """dspy's own for an arrow: it makes a signature to find them, and then another that has them."""
    given: str = ensure_signature(arrow).instructions
    return given


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


def drop_unknown_inputs(agent: str, signature: SignatureType, inputs: dict[str, Any]) -> dict[str, Any]:
    """Return the inputs without those unknown to the signature, with a warning; options of predictors stay."""
    unknown = [name for name in inputs if name not in signature.input_fields and name not in _OPTIONS]
    for name in unknown:
        _LOG.warning("%s leaves out %r; its inputs are: %s", agent, name, ", ".join(signature.input_fields))
    return {name: value for name, value in inputs.items() if name not in unknown}


def own_max_steps(signature: SignatureType, inputs: dict[str, Any], default: int) -> tuple[int, dict[str, Any]]:
    """Return the call's own `max_steps` (LOOP-009), unless an input has that name, and the other inputs."""
    own = [name for name in ("max_steps", "max_iters") if name not in signature.input_fields]
    given = [inputs[name] for name in own if name in inputs]
    return (given or [default])[0], {name: value for name, value in inputs.items() if name not in own}


def history_field(signature: SignatureType) -> str | None:
    """Return the input that carries the conversation history, if the signature has one."""
    inputs = signature.input_fields.items()
    return next((name for name, field in inputs if field.annotation is dspy.History), None)


def outputs_of(signature: SignatureType) -> str:
    """Return the names of the outputs, as prompts list them."""
    return ", ".join(f"`{name}`" for name in signature.output_fields)


def _refuse_duplicates(arrow: str) -> None:
    inputs, _, outputs = arrow.partition("->")
    names = [field.partition(":")[0].strip() for side in (inputs, outputs) for field in split_fields(side)]
    if twice := next((name for name in names if name.isidentifier() and names.count(name) > 1), None):
        raise ValueError(f"the signature {arrow!r} has two fields named {twice!r}")


_LISTING = re.compile(r"The tools:\n\(1\) .*\n\n`\w+` must be a valid JSON object\.", re.DOTALL)


def write_listing(descriptions: Iterable[str], args: str) -> list[str]:
    """Return the lines that list tools by their descriptions, and say what the field for their args has to be."""
    numbered = (f"({number}) {description}" for number, description in enumerate(descriptions, 1))
    return ["The tools:", *numbered, "", f"`{args}` must be a valid JSON object."]


def replace_listing(loaded: str, own: str) -> str:
    """Put the list of an agent's own instructions in the place of the loaded ones' list, if there is one."""
    now = _LISTING.search(own)
    return _LISTING.sub(lambda _: now[0], loaded) if now else loaded


class _Unfilled(dspy.Signature):
    """Nobody makes a value of a generated signature, so pydantic makes what would validate one when it is asked to."""

    model_config = ConfigDict(defer_build=True)


def make_signature(fields: Mapping[str, FieldInfo | tuple[Any, Any]], instructions: str) -> SignatureType:
    """Return what `dspy.Signature(fields, instructions)` makes, in half the time."""
    typed: dict[str, Any] = {
        name: (field.annotation, field) if isinstance(field, FieldInfo) else field for name, field in fields.items()
    }
    made: SignatureType = create_model("StringSignature", __base__=_Unfilled, __doc__=instructions, **typed)
    return made


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
