"""Violations around the signature and its forms (SIG-001 to SIG-004)."""

import json
from typing import Any

import dspy

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.react import ReAct
from react_tck.reference.signatures import SignatureType

Given = str | SignatureType


def is_class(signature: Given) -> bool:
    """Whether the signature was given as a class."""
    return not isinstance(signature, str) and not is_value(signature)


def is_value(signature: Given) -> bool:
    """Whether the signature was given as a value: what dspy makes of a mapping, all under one class name."""
    return not isinstance(signature, str) and signature.__name__ == "StringSignature"


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
        if is_class(signature):
            made = dspy.Signature("question -> answer", made.instructions)
        return made


@mutant("class-instructions-lost", "SIG-002")
class ClassInstructionsLost(ReAct):
    """Takes from a signature class nothing but its fields."""

    def _user_signature(self, signature: Given) -> SignatureType:
        made = super()._user_signature(signature)
        return _without_instructions(made) if is_class(signature) else made


@mutant("class-descriptions-lost", "SIG-002")
class ClassDescriptionsLost(ReAct):
    """Takes the fields of a signature class by name and type, without their descriptions."""

    def _user_signature(self, signature: Given) -> SignatureType:
        made = super()._user_signature(signature)
        return _without_descriptions(made) if is_class(signature) else made


@mutant("value-fields-ignored", "SIG-003")
class ValueFieldsIgnored(ReAct):
    """Takes from a signature value nothing but its instructions."""

    def _user_signature(self, signature: Given) -> SignatureType:
        made = super()._user_signature(signature)
        if is_value(signature):
            made = dspy.Signature("question -> answer", made.instructions)
        return made


@mutant("value-instructions-lost", "SIG-003")
class ValueInstructionsLost(ReAct):
    """Takes from a signature value nothing but its fields."""

    def _user_signature(self, signature: Given) -> SignatureType:
        made = super()._user_signature(signature)
        return _without_instructions(made) if is_value(signature) else made


@mutant("value-descriptions-lost", "SIG-003")
class ValueDescriptionsLost(ReAct):
    """Takes the fields of a signature value by name and type, without their descriptions."""

    def _user_signature(self, signature: Given) -> SignatureType:
        made = super()._user_signature(signature)
        return _without_descriptions(made) if is_value(signature) else made


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
