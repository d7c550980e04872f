"""Violations around the signature: its forms, and the types of fields (SIG-001 to SIG-005, SIG-008, SIG-009)."""

from collections.abc import Iterable
from typing import Any, Literal, get_origin

import dspy
from dspy.utils.exceptions import AdapterParseError
from pydantic import BaseModel

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory
from react_tck.prove.mutants.operators.replies import (
    every_output,
    read_if_json,
    values_changed,
    where_finish_ends,
    where_it_fails,
)
from react_tck.prove.mutants.operators.runs import on, on_request, when
from react_tck.prove.mutants.operators.signatures import is_arrow, is_class, is_value, made_of, read_as
from react_tck.prove.mutants.operators.views import inputs, outputs_changed
from react_tck.reference import loop
from react_tck.reference.seams import Site
from react_tck.reference.signatures.react import SignatureType

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


_as_text = outputs_changed(values_changed(str))


def _without_types(signature: SignatureType) -> SignatureType:
    for name in signature.output_fields:
        signature = signature.with_updated_fields(name, type_=str)
    return signature


def _by_another_adapter(site: Site) -> bool:
    adapter = site.agent.adapter or dspy.settings.adapter
    return adapter is not None and type(adapter) is not dspy.ChatAdapter


def _leaves_as_text(value: Any, *, inside: bool = False) -> Any:
    match value:
        case BaseModel():
            return _leaves_as_text(value.model_dump(), inside=True)
        case dict() if inside:
            return {name: _leaves_as_text(inner, inside=True) for name, inner in value.items()}
        case list():
            return [_leaves_as_text(inner, inside=inside) for inner in value]
    return str(value) if inside else value


def _is_text(value: Any) -> bool:
    return isinstance(value, str | dspy.History)


def _first_words_of_choices(site: Site, outputs: dict[str, Any]) -> dict[str, Any]:
    fields = site.agent.signature.output_fields
    chosen = {name for name, value in outputs.items() if get_origin(fields[name].annotation) is Literal and value}
    return {name: str(value).split()[0] if name in chosen else value for name, value in outputs.items()}


MUTANTS = {
    "arrow-refused": mutant(
        "SIG-001", "Takes signature classes and values only.", signature=read_as(is_arrow, _refused)
    ),
    "arrow-needs-blanks": mutant(
        "SIG-001",
        "Splits arrow strings at an arrow with one blank on each side.",
        signature=read_as(is_arrow, _with_blanks),
    ),
    "blanks-in-names": mutant(
        "SIG-001",
        "Takes all but one of the blanks before the arrow for a part of the input's name.",
        signature=read_as(is_arrow, lambda arrow: arrow.replace("  ", " _").replace("_ ", "_").replace(" _", "_")),
    ),
    "arrow-is-question-answer": mutant(
        "SIG-001", 'Reads any arrow string as "question -> answer".', signature=read_as(is_arrow, lambda _: _USUAL)
    ),
    "class-fields-ignored": mutant(
        "SIG-002",
        "Takes from a signature class nothing but its instructions.",
        signature=made_of(is_class, _without_fields),
    ),
    "class-instructions-lost": mutant(
        "SIG-002",
        "Takes from a signature class nothing but its fields.",
        signature=made_of(is_class, _without_instructions),
    ),
    "class-descriptions-lost": mutant(
        "SIG-009",
        "Takes the fields of a signature class by name and type, without their descriptions.",
        signature=made_of(is_class, _without_descriptions),
    ),
    "value-fields-ignored": mutant(
        "SIG-003",
        "Takes from a signature value nothing but its instructions.",
        signature=made_of(is_value, _without_fields),
    ),
    "value-instructions-lost": mutant(
        "SIG-003",
        "Takes from a signature value nothing but its fields.",
        signature=made_of(is_value, _without_instructions),
    ),
    "value-descriptions-lost": mutant(
        "SIG-008",
        "Takes the fields of a signature value by name and type, without their descriptions.",
        signature=made_of(is_value, _without_descriptions),
    ),
    "only-the-first-input": mutant(
        "SIG-004",
        "Keeps the first input of an arrow string.",
        signature=made_of(is_arrow, lambda made: _with_first_only(made, made.input_fields)),
    ),
    "untyped-values-guessed": mutant(
        "SIG-004",
        "Turns the text of an untyped output into whatever JSON value it reads like.",
        prediction=outputs_changed(_guessed),
    ),
    "value-types-ignored": mutant(
        "SIG-005", "Makes every output of a signature value a text.", signature=made_of(is_value, _without_types)
    ),
    "types-kept-in-chat-only": mutant(
        "SIG-005",
        "Converts values by their types under the default adapter, and leaves them texts under any other.",
        prediction=when(_by_another_adapter, _as_text),
    ),
    "nested-values-left-strings": mutant(
        "SIG-005",
        "Keeps the shape of a nested object, and makes texts of the values inside it.",
        prediction=outputs_changed(values_changed(_leaves_as_text)),
    ),
    "typed-inputs-shown-by-type": mutant(
        "SIG-005",
        "Shows the LM the type of an input that is no text instead of its value.",
        prompt=by_trajectory(
            on_request(
                "step",
                inputs(values_changed(lambda value: value if _is_text(value) else f"<{type(value).__name__}>")),
            )
        ),
    ),
    "unfit-value-accepted": mutant(
        "SIG-005",
        "Takes the value as it is where it can't be converted to the output's type.",
        perform=where_finish_ends(
            on(
                loop.AskExtraction,
                where_it_fails(AdapterParseError, lambda site, error: every_output(site, error.lm_response)),
            )
        ),
    ),
    "choices-end-at-a-blank": mutant(
        "SIG-005",
        "Gives the first word of a choice that has several.",
        prediction=outputs_changed(_first_words_of_choices),
    ),
}
