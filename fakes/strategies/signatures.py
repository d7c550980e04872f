"""Signatures: arrows with typed fields, in every form a subject takes."""

from collections.abc import Collection

from hypothesis import strategies as st
from pydantic import JsonValue

from react_tck.fakes.strategies.picking import among, names
from react_tck.fakes.strategies.texts import texts
from react_tck.model.manifest import Capability
from react_tck.model.signature import Field, Form, Signature, parse_arrow

_INPUTS = ("question", "context", "topic", "day", "query")
_OUTPUTS = ("answer", "summary", "sources", "score", "verdict")
_VALUES: dict[str, tuple[JsonValue, ...]] = {
    "str": (),
    "int": (7, 0, -3, 10**20),
    "float": (0.5, -2.0, 1e-7),
    "bool": (True, False),
    "list[str]": (["a", "b c"], []),
    "list[int]": ([3, 1], []),
    "dict[str, int]": ({"a": 1}, {}),
    "Literal['yes', 'no']": ("yes", "no"),
}
_STRATEGIES = {name: st.sampled_from(values) if values else texts() for name, values in _VALUES.items()}
_INSTRUCTIONS = ("", "Answer in one word.", "Use the tools.\nThen answer.", "Your output fields are: none.")
_FORMS: dict[Capability, Form] = {
    "arrow-signature": Form.ARROW,
    "class-signature": Form.CLASS,
    "value-signature": Form.VALUE,
}


@st.composite
def signatures(draw: st.DrawFn, capabilities: Collection[str]) -> Signature:
    """One to three inputs, one to three outputs, typed where the subject takes types."""
    form = draw(among(tuple(form for capability, form in _FORMS.items() if capability in capabilities)))
    # Texts are what most goes wrong with.
    annotations = (*("str",) * 6, *_VALUES) if "typed-fields" in capabilities else ("str",)
    inputs, outputs = (_side(draw, pool, annotations) for pool in (_INPUTS, _OUTPUTS))
    signature = parse_arrow(f"{inputs} -> {outputs}")
    instructions = "" if form is Form.ARROW else draw(among(_INSTRUCTIONS))
    return signature.model_copy(update={"form": form, "instructions": instructions})


def values_of(field: Field) -> st.SearchStrategy[JsonValue]:
    """Values of a field's type."""
    return _STRATEGIES[field.annotation]


def _side(draw: st.DrawFn, pool: tuple[str, ...], annotations: tuple[str, ...]) -> str:
    typed = ((name, draw(among(annotations))) for name in draw(names(pool, 1, 3)))
    return ", ".join(name if annotation == "str" else f"{name}: {annotation}" for name, annotation in typed)
