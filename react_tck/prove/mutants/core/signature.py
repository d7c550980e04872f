"""Violations around the signature and its forms (SIG-001 to SIG-004, SIG-008, SIG-009)."""

from collections.abc import Iterable
from typing import Any

import dspy

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.replies import read_if_json
from react_tck.prove.mutants.operators.signatures import is_arrow, is_class, is_value, made_of, read_as
from react_tck.prove.mutants.operators.views import outputs_changed
from react_tck.reference.seams import Site
from react_tck.reference.signatures.users import SignatureType

_USUAL = "question -> answer"


def _refused(arrow: str) -> str:
    raise TypeError(f"expected a Signature, got {arrow!r}")


def _with_blanks(arrow: str) -> str:
    if " -> " not in arrow:
        raise ValueError(f"{arrow!r} has no ' -> '")
    return arrow


def _without_descriptions(signature: SignatureType) -> SignatureType:
    for name in signature.fields:
        signature = signature.with_updated_fields(name, desc=f"${{{name}}}")
    return signature


def _without_instructions(signature: SignatureType) -> SignatureType:
    made: SignatureType = dspy.Signature(dict(signature.fields))
    return made


def _without_fields(signature: SignatureType) -> SignatureType:
    made: SignatureType = dspy.Signature(_USUAL, signature.instructions)
    return made


def _with_first_only(signature: SignatureType, fields: Iterable[str]) -> SignatureType:
    for name in list(fields)[1:]:
        signature = signature.delete(name)
    return signature


def _guessed(site: Site, outputs: dict[str, Any]) -> dict[str, Any]:
    fields = site.agent.signature.output_fields
    return {name: read_if_json(value) if fields[name].annotation is str else value for name, value in outputs.items()}


MUTANTS = (
    mutant(
        "arrow-refused",
        "SIG-001",
        "Takes signature classes and values only.",
        signature=read_as(is_arrow, _refused),
    ),
    mutant(
        "arrow-needs-blanks",
        "SIG-001",
        "Splits arrow strings at an arrow with one blank on each side.",
        signature=read_as(is_arrow, _with_blanks),
    ),
    mutant(
        "blanks-in-names",
        "SIG-001",
        "Takes all but one of the blanks before the arrow for a part of the input's name.",
        signature=read_as(is_arrow, lambda arrow: arrow.replace("  ", " _").replace("_ ", "_").replace(" _", "_")),
    ),
    mutant(
        "arrow-is-question-answer",
        "SIG-001",
        'Reads any arrow string as "question -> answer".',
        signature=read_as(is_arrow, lambda _: _USUAL),
    ),
    mutant(
        "class-fields-ignored",
        "SIG-002",
        "Takes from a signature class nothing but its instructions.",
        signature=made_of(is_class, _without_fields),
    ),
    mutant(
        "class-instructions-lost",
        "SIG-002",
        "Takes from a signature class nothing but its fields.",
        signature=made_of(is_class, _without_instructions),
    ),
    mutant(
        "class-descriptions-lost",
        "SIG-009",
        "Takes the fields of a signature class by name and type, without their descriptions.",
        signature=made_of(is_class, _without_descriptions),
    ),
    mutant(
        "value-fields-ignored",
        "SIG-003",
        "Takes from a signature value nothing but its instructions.",
        signature=made_of(is_value, _without_fields),
    ),
    mutant(
        "value-instructions-lost",
        "SIG-003",
        "Takes from a signature value nothing but its fields.",
        signature=made_of(is_value, _without_instructions),
    ),
    mutant(
        "value-descriptions-lost",
        "SIG-008",
        "Takes the fields of a signature value by name and type, without their descriptions.",
        signature=made_of(is_value, _without_descriptions),
    ),
    mutant(
        "only-the-first-input",
        "SIG-004",
        "Keeps the first input of an arrow string.",
        signature=made_of(is_arrow, lambda made: _with_first_only(made, made.input_fields)),
    ),
    mutant(
        "untyped-values-guessed",
        "SIG-004",
        "Turns the text of an untyped output into whatever JSON value it reads like.",
        prediction=outputs_changed(_guessed),
    ),
)
