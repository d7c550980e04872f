"""Violations around invalid signatures and inputs (SIG-006, SIG-007)."""

from typing import Any

import dspy

from react_tck.fakes.mutants.mutant import mutant
from react_tck.fakes.mutants.signature import Given
from react_tck.reference import loop
from react_tck.reference.react import ReAct
from react_tck.reference.signatures import SignatureType

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
