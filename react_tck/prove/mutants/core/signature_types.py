"""Violations around the types of fields (SIG-005)."""

from typing import Any, Literal, get_origin

import dspy
from dspy.utils.exceptions import AdapterParseError
from pydantic import BaseModel

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory
from react_tck.prove.mutants.operators.replies import every_output, values_changed, where_finish_ends, where_it_fails
from react_tck.prove.mutants.operators.runs import on, on_request, when
from react_tck.prove.mutants.operators.signatures import is_value, made_of
from react_tck.prove.mutants.operators.views import inputs, outputs_changed
from react_tck.reference import loop
from react_tck.reference.seams import Site
from react_tck.reference.signatures.users import SignatureType

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


MUTANTS = (
    mutant(
        "value-types-ignored",
        "SIG-005",
        "Makes every output of a signature value a text.",
        signature=made_of(is_value, _without_types),
    ),
    mutant(
        "types-kept-in-chat-only",
        "SIG-005",
        "Converts values by their types under the default adapter, and leaves them texts under any other.",
        prediction=when(_by_another_adapter, _as_text),
    ),
    mutant(
        "nested-values-left-strings",
        "SIG-005",
        "Keeps the shape of a nested object, and makes texts of the values inside it.",
        prediction=outputs_changed(values_changed(_leaves_as_text)),
    ),
    mutant(
        "typed-inputs-shown-by-type",
        "SIG-005",
        "Shows the LM the type of an input that is no text instead of its value.",
        prompt=by_trajectory(
            on_request(
                "step",
                inputs(values_changed(lambda value: value if _is_text(value) else f"<{type(value).__name__}>")),
            )
        ),
    ),
    mutant(
        "unfit-value-accepted",
        "SIG-005",
        "Takes the value as it is where it can't be converted to the output's type.",
        perform=where_finish_ends(
            on(
                loop.AskExtraction,
                where_it_fails(AdapterParseError, lambda site, error: every_output(site, error.lm_response)),
            )
        ),
    ),
    mutant(
        "choices-end-at-a-blank",
        "SIG-005",
        "Gives the first word of a choice that has several.",
        prediction=outputs_changed(_first_words_of_choices),
    ),
)
