"""Violations around the types of fields (SIG-005)."""

from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError
from pydantic import BaseModel

from react_tck.fakes.mutants.mutant import mutant
from react_tck.fakes.mutants.signature import Given, is_class, is_value
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct
from react_tck.reference.signatures import SignatureType


def _without_types(signature: SignatureType) -> SignatureType:
    for name in signature.output_fields:
        signature = signature.with_updated_fields(name, type_=str)
    return signature


@mutant("arrow-types-ignored", "SIG-005")
class ArrowTypesIgnored(ReAct):
    """Reads the types of an arrow string and makes every output a text."""

    def _user_signature(self, signature: Given) -> SignatureType:
        made = super()._user_signature(signature)
        return _without_types(made) if isinstance(signature, str) else made


@mutant("class-types-ignored", "SIG-005")
class ClassTypesIgnored(ReAct):
    """Makes every output of a signature class a text."""

    def _user_signature(self, signature: Given) -> SignatureType:
        made = super()._user_signature(signature)
        return _without_types(made) if is_class(signature) else made


@mutant("value-types-ignored", "SIG-005")
class ValueTypesIgnored(ReAct):
    """Makes every output of a signature value a text."""

    def _user_signature(self, signature: Given) -> SignatureType:
        made = super()._user_signature(signature)
        return _without_types(made) if is_value(signature) else made


@mutant("typed-output-left-a-string", "SIG-005")
class TypedOutputLeftAString(ReAct):
    """Asks for typed values and returns the text of what it got."""

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        texts = {name: str(reply[name]) for name in self.signature.output_fields}
        return super()._prediction(state, dspy.Prediction(**{**reply, **texts}))


@mutant("types-kept-in-chat-only", "SIG-005")
class TypesKeptInChatOnly(ReAct):
    """Converts values by their types under the default adapter, and leaves them texts under any other."""

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        adapter = self.adapter or dspy.settings.adapter
        if adapter is None or type(adapter) is dspy.ChatAdapter:
            return super()._prediction(state, reply)
        texts = {name: str(reply[name]) for name in self.signature.output_fields}
        return super()._prediction(state, dspy.Prediction(**{**reply, **texts}))


@mutant("nested-values-left-strings", "SIG-005")
class NestedValuesLeftStrings(ReAct):
    """Keeps the shape of a nested object, and makes texts of the values inside it."""

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        flattened = {name: _leaves_as_text(reply[name]) for name in self.signature.output_fields}
        return super()._prediction(state, dspy.Prediction(**{**reply, **flattened}))


def _leaves_as_text(value: Any, *, inside: bool = False) -> Any:
    match value:
        case BaseModel():
            return _leaves_as_text(value.model_dump(), inside=True)
        case dict() if inside:
            return {name: _leaves_as_text(inner, inside=True) for name, inner in value.items()}
        case list():
            return [_leaves_as_text(inner, inside=inside) for inner in value]
    return str(value) if inside else value


@mutant("typed-inputs-refused", "SIG-005")
class TypedInputsRefused(ReAct):
    """Takes texts as inputs, and nothing else."""

    def _check(self, inputs: dict[str, Any]) -> None:
        super()._check(inputs)
        for name, value in inputs.items():
            if not isinstance(value, str | dspy.History):
                raise TypeError(f"the input {name!r} is not a text")


@mutant("typed-inputs-shown-by-type", "SIG-005")
class TypedInputsShownByType(ReAct):
    """Gives the extraction the type of an input that is no text instead of its value."""

    def _extraction_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        shown = super()._extraction_inputs(state, inputs)
        kept = str | dspy.History
        return {k: v if isinstance(v, kept) else f"<{type(v).__name__}>" for k, v in shown.items()}


@mutant("unfit-value-accepted", "SIG-005")
class UnfitValueAccepted(ReAct):
    """Takes the value as it is where it can't be converted to the output's type."""

    def _extraction(self, state: loop.State, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        try:
            return (yield from super()._extraction(state, inputs))
        except AdapterParseError as error:
            return dspy.Prediction(**dict.fromkeys(self.signature.output_fields, error.lm_response))
