"""Asks for a step by the provider's own tool calling: the text beside the call is the reasoning (UDS-005)."""

import copy
from functools import cache
from typing import Any

import dspy

from react_tck.reference.adapters.strict_reading import set_fallback
from react_tck.reference.signatures.react import REASONING, SignatureType

Message = dict[str, Any]


def calls_natively(adapter: dspy.Adapter | None) -> bool:
    """Tell whether the LM takes tools, and the adapter, if there is one, hands it them."""
    lm = dspy.settings.lm
    wanted = adapter is None or adapter.use_native_function_calling
    return wanted and lm is not None and bool(lm.supports_function_calling)


def make_native_adapter(adapter: dspy.Adapter | None) -> dspy.Adapter:
    """Return an adapter like this one, or like dspy's default, that asks for steps by native calls."""
    plain: Any = adapter or dspy.ChatAdapter()
    made: Any = copy.copy(plain)
    made.use_native_function_calling = True
    kind: Any = type(plain)
    made.__class__ = _make_native_class(kind)
    # What asks again asks for a call too.
    set_fallback(made, plain, make_native_adapter)
    native: dspy.Adapter = made
    return native


@cache
def _make_native_class(kind: Any) -> Any:
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
