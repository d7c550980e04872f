"""Asks for a step by the provider's own tool calling: the text beside the call is the reasoning (UDS-005)."""

import copy
from functools import cache
from typing import Any

import dspy

from react_tck.reference.signatures import TRAJECTORY, SignatureType, outputs_of
from react_tck.reference.tools import BoundTool

REASONING, TOOLS, TOOL_CALLS = "reasoning", "tools", "tool_calls"

Message = dict[str, Any]


def native_signature(signature: SignatureType) -> SignatureType:
    """The user's inputs, the trajectory and the tools, to reasoning and the call of one tool."""
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
    made: SignatureType = dspy.Signature(fields, instructions)
    return made


def offered(tools: dict[str, BoundTool]) -> list[dspy.Tool]:
    """The tools as dspy offers them natively."""
    return [dspy.Tool(t.function, name=t.name, desc=t.description, args=t.args) for t in tools.values()]


def calls_natively(adapter: dspy.Adapter | None) -> bool:
    """Whether the LM takes tools, and the adapter, if there is one, hands it them."""
    lm = dspy.settings.lm
    wanted = adapter is None or adapter.use_native_function_calling
    return wanted and lm is not None and bool(lm.supports_function_calling)


def calling(adapter: dspy.Adapter | None) -> dspy.Adapter:
    """An adapter like this one, or like dspy's default, that asks for steps by native calls."""
    made = copy.copy(adapter or dspy.ChatAdapter())
    made.use_native_function_calling = True
    kind: Any = type(made)
    made.__class__ = _calling(kind)
    return made


@cache
def _calling(kind: Any) -> Any:
    return type(f"Calling{kind.__name__}", (NativeStep, kind), {})


class NativeStep:
    """Mixed into an adapter: there are no fields to be written, so none are asked for."""

    def format(self, signature: SignatureType, demos: list[Any], inputs: dict[str, Any]) -> list[Message]:  # noqa: ARG002 - a demo's call has no place in text
        """Instructions and inputs; the tools travel beside them."""
        adapter: Any = self
        user = adapter.format_user_message_content(signature, inputs)
        return [{"role": "system", "content": signature.instructions}, {"role": "user", "content": user}]

    def _call_preprocess(self, lm: Any, lm_kwargs: dict[str, Any], signature: Any, inputs: dict[str, Any]) -> Any:
        made = super()._call_preprocess(lm, lm_kwargs, signature, inputs)  # type: ignore[misc]
        return made.delete(REASONING)

    def _call_postprocess(self, processed: Any, original: Any, outputs: list[Any], *rest: Any) -> list[dict[str, Any]]:
        values: list[dict[str, Any]] = super()._call_postprocess(processed, original, outputs, *rest)  # type: ignore[misc]
        for value, output in zip(values, outputs, strict=True):
            value[REASONING] = (output.get("text") if isinstance(output, dict) else output) or ""
        return values
