"""Violations around the signature (SIG-...)."""

import json
from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError
from pydantic import BaseModel

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct
from react_tck.reference.signatures import SignatureType

Given = str | SignatureType


def _is_class(signature: Given) -> bool:
    """Values are what dspy makes of a mapping or a string; it gives all of them one class name."""
    return not isinstance(signature, str) and not _is_value(signature)


def _is_value(signature: Given) -> bool:
    return not isinstance(signature, str) and signature.__name__ == "StringSignature"


def _without_types(signature: SignatureType) -> SignatureType:
    for name in signature.output_fields:
        signature = signature.with_updated_fields(name, type_=str)
    return signature


def _without_descriptions(signature: SignatureType) -> SignatureType:
    for name in signature.fields:
        signature = signature.with_updated_fields(name, desc=f"${{{name}}}")
    return signature


def _without_instructions(signature: SignatureType) -> SignatureType:
    made: SignatureType = dspy.Signature(dict(signature.fields))
    return made


# SIG-001


@mutant("arrow-refused", "SIG-001")
class ArrowRefused(ReAct):
    """Takes signature classes and values only."""

    def _user_signature(self, signature: Given) -> SignatureType:
        if isinstance(signature, str):
            raise TypeError(f"expected a Signature, got {signature!r}")
        return super()._user_signature(signature)


@mutant("arrow-needs-blanks", "SIG-001")
class ArrowNeedsBlanks(ReAct):
    """Splits arrow strings at an arrow with one blank on each side."""

    def _user_signature(self, signature: Given) -> SignatureType:
        if isinstance(signature, str) and " -> " not in signature:
            raise ValueError(f"{signature!r} has no ' -> '")
        return super()._user_signature(signature)


@mutant("blanks-in-names", "SIG-001")
class BlanksInNames(ReAct):
    """Takes all but one of the blanks before the arrow for a part of the input's name."""

    def _user_signature(self, signature: Given) -> SignatureType:
        if isinstance(signature, str):
            signature = signature.replace("  ", " _").replace("_ ", "_").replace(" _", "_")
        return super()._user_signature(signature)


@mutant("arrow-is-question-answer", "SIG-001")
class ArrowIsQuestionAnswer(ReAct):
    """Reads any arrow string as "question -> answer"."""

    def _user_signature(self, signature: Given) -> SignatureType:
        return super()._user_signature("question -> answer" if isinstance(signature, str) else signature)


# SIG-002 and SIG-003


@mutant("class-fields-ignored", "SIG-002")
class ClassFieldsIgnored(ReAct):
    """Takes from a signature class nothing but its instructions."""

    def _user_signature(self, signature: Given) -> SignatureType:
        made = super()._user_signature(signature)
        if _is_class(signature):
            made = dspy.Signature("question -> answer", made.instructions)
        return made


@mutant("class-instructions-lost", "SIG-002")
class ClassInstructionsLost(ReAct):
    """Takes from a signature class nothing but its fields."""

    def _user_signature(self, signature: Given) -> SignatureType:
        made = super()._user_signature(signature)
        return _without_instructions(made) if _is_class(signature) else made


@mutant("extraction-has-its-own-instructions", "SIG-002")
class ExtractionHasItsOwnInstructions(ReAct):
    """Gives the extraction instructions of its own instead of the signature's."""

    def _extractor(self, signature: SignatureType) -> dspy.Module:
        return super()._extractor(signature.with_instructions("Extract the final answer from the trajectory."))


@mutant("class-descriptions-lost", "SIG-002")
class ClassDescriptionsLost(ReAct):
    """Takes the fields of a signature class by name and type, without their descriptions."""

    def _user_signature(self, signature: Given) -> SignatureType:
        made = super()._user_signature(signature)
        return _without_descriptions(made) if _is_class(signature) else made


@mutant("value-fields-ignored", "SIG-003")
class ValueFieldsIgnored(ReAct):
    """Takes from a signature value nothing but its instructions."""

    def _user_signature(self, signature: Given) -> SignatureType:
        made = super()._user_signature(signature)
        if _is_value(signature):
            made = dspy.Signature("question -> answer", made.instructions)
        return made


@mutant("value-instructions-lost", "SIG-003")
class ValueInstructionsLost(ReAct):
    """Takes from a signature value nothing but its fields."""

    def _user_signature(self, signature: Given) -> SignatureType:
        made = super()._user_signature(signature)
        return _without_instructions(made) if _is_value(signature) else made


@mutant("value-descriptions-lost", "SIG-003")
class ValueDescriptionsLost(ReAct):
    """Takes the fields of a signature value by name and type, without their descriptions."""

    def _user_signature(self, signature: Given) -> SignatureType:
        made = super()._user_signature(signature)
        return _without_descriptions(made) if _is_value(signature) else made


# SIG-004


@mutant("only-the-first-input", "SIG-004")
class OnlyTheFirstInput(ReAct):
    """Keeps the first input of an arrow string."""

    def _user_signature(self, signature: Given) -> SignatureType:
        made = super()._user_signature(signature)
        for name in list(made.input_fields)[1:] if isinstance(signature, str) else ():
            made = made.delete(name)
        return made


@mutant("second-output-dropped", "SIG-004")
class SecondOutputDropped(ReAct):
    """Keeps the first output of an arrow string."""

    def _user_signature(self, signature: Given) -> SignatureType:
        made = super()._user_signature(signature)
        for name in list(made.output_fields)[1:] if isinstance(signature, str) else ():
            made = made.delete(name)
        return made


@mutant("untyped-values-guessed", "SIG-004")
class UntypedValuesGuessed(ReAct):
    """Turns the text of an untyped output into whatever JSON value it reads like."""

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        texts = [name for name, field in self.signature.output_fields.items() if field.annotation is str]
        guessed = {name: _guess(reply[name]) for name in texts}
        return super()._prediction(state, dspy.Prediction(**{**reply, **guessed}))


def _guess(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


# SIG-005


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
        return _without_types(made) if _is_class(signature) else made


@mutant("value-types-ignored", "SIG-005")
class ValueTypesIgnored(ReAct):
    """Makes every output of a signature value a text."""

    def _user_signature(self, signature: Given) -> SignatureType:
        made = super()._user_signature(signature)
        return _without_types(made) if _is_value(signature) else made


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


# SIG-006


@mutant("no-outputs-accepted", "SIG-006")
class NoOutputsAccepted(ReAct):
    """Accepts a signature without outputs, and predicts nothing."""

    def _user_signature(self, signature: Given) -> SignatureType:
        made: SignatureType = dspy.Signature(signature) if isinstance(signature, str) else signature
        return made if not made.output_fields else super()._user_signature(signature)


@mutant("no-outputs-refused-without-a-word", "SIG-006")
class NoOutputsRefusedWithoutAWord(ReAct):
    """Stumbles over a signature without outputs, so that the error says nothing of them."""

    def _user_signature(self, signature: Given) -> SignatureType:
        made: SignatureType = dspy.Signature(signature) if isinstance(signature, str) else signature
        if not list(made.output_fields):
            raise IndexError("list index out of range")
        return super()._user_signature(signature)


@mutant("arrow-without-arrow-accepted", "SIG-006")
class ArrowWithoutArrowAccepted(ReAct):
    """Takes a string without an arrow for the inputs, and adds an output to them."""

    def _user_signature(self, signature: Given) -> SignatureType:
        if isinstance(signature, str) and signature and "->" not in signature:
            made: SignatureType = dspy.Signature(f"{signature} -> output")
            return made
        return super()._user_signature(signature)


@mutant("duplicate-field-accepted", "SIG-006")
class DuplicateFieldAccepted(ReAct):
    """Makes one field of two of one name on one side of the arrow."""

    def _user_signature(self, signature: Given) -> SignatureType:
        if not isinstance(signature, str):
            return super()._user_signature(signature)
        sides = [", ".join(dict.fromkeys(_names(side))) for side in signature.split("->")]
        return super()._user_signature("->".join(sides))


@mutant("input-as-output-accepted", "SIG-006")
class InputAsOutputAccepted(ReAct):
    """Lets an output replace the input of its name."""

    def _user_signature(self, signature: Given) -> SignatureType:
        if isinstance(signature, str) and signature.count("->") == 1:
            inputs, outputs = map(_names, signature.split("->"))
            kept = [name for name in inputs if name not in outputs]
            signature = f"{', '.join(kept)} -> {', '.join(outputs)}"
        return super()._user_signature(signature)


def _names(side: str) -> list[str]:
    return [part.strip() for part in side.split(",")]


@mutant("empty-signature-is-question-answer", "SIG-006")
class EmptySignatureIsQuestionAnswer(ReAct):
    """Falls back to "question -> answer" where the signature is empty."""

    def _user_signature(self, signature: Given) -> SignatureType:
        is_empty = isinstance(signature, str) and not signature.replace("->", "").strip()
        return super()._user_signature("question -> answer" if is_empty else signature)


# SIG-007


@mutant("missing-input-ignored", "SIG-007")
class MissingInputIgnored(ReAct):
    """Goes on with None where an input is missing."""

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        return super()._begin({**dict.fromkeys(self.signature.input_fields), **inputs})


@mutant("unknown-input-ignored", "SIG-007")
class UnknownInputIgnored(ReAct):
    """Drops inputs that the signature doesn't have."""

    def _check(self, inputs: dict[str, Any]) -> None:
        for name in [name for name in inputs if name not in self.signature.fields]:
            del inputs[name]
        super()._check(inputs)


@mutant("outputs-taken-as-inputs", "SIG-007")
class OutputsTakenAsInputs(ReAct):
    """Takes the value of any field of the signature, outputs too, for an input."""

    def _check(self, inputs: dict[str, Any]) -> None:
        super()._check({name: value for name, value in inputs.items() if name not in self.signature.output_fields})


@mutant("calls-without-inputs-accepted", "SIG-007")
class CallsWithoutInputsAccepted(ReAct):
    """Checks the inputs there are, and finds nothing wrong where there are none."""

    def _check(self, inputs: dict[str, Any]) -> None:
        if inputs:
            super()._check(inputs)


@mutant("inputs-checked-at-extraction", "SIG-007")
class InputsCheckedAtExtraction(ReAct):
    """Takes all its steps before it looks at the inputs."""

    def _check(self, inputs: dict[str, Any]) -> None:
        """Later."""

    def _extraction_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        super()._check(inputs)
        return super()._extraction_inputs(state, inputs)
