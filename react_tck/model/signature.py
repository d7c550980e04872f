"""What the subject is to turn into what: input fields, output fields, instructions."""

from enum import StrEnum

from pydantic import Field as Default

from react_tck.model.annotation import schema_of
from react_tck.model.base import JsonObject, Value


class Form(StrEnum):
    """How the signature is handed to the subject (S4 R1)."""

    ARROW = "arrow"
    CLASS = "class"
    VALUE = "value"


def _text_schema() -> JsonObject:
    return {"type": "string"}


class Field(Value):
    """One named input or output, with its type as an annotation and as a JSON Schema."""

    name: str
    annotation: str = "str"
    json_schema: JsonObject = Default(default_factory=_text_schema)
    description: str = ""
    history: bool = False

    @property
    def is_text(self) -> bool:
        """Whether its values are plain text."""
        return self.json_schema == {"type": "string"}


class Signature(Value):
    """A signature in one of its forms. `arrow` is the text exactly as the scenario wrote it."""

    form: Form = Form.ARROW
    arrow: str
    inputs: tuple[Field, ...]
    outputs: tuple[Field, ...]
    instructions: str = ""

    @property
    def history_field(self) -> str | None:
        """The input that carries the conversation history (S4+), if there is one."""
        return next((field.name for field in self.inputs if field.history), None)


def parse_arrow(arrow: str) -> Signature:
    """Read `"context, question -> answer: int"`; untyped fields are text (SIG-004).

    An input annotated `History` is the conversation history. A malformed arrow still gives a value,
    because subjects must be shown malformed signatures too (SIG-006).

    Raises:
        AnnotationError: for a type that arrow signatures don't know.
    """
    left, _, right = arrow.partition("->")
    return Signature(arrow=arrow, inputs=_fields(left), outputs=_fields(right))


def render_arrow(inputs: tuple[Field, ...], outputs: tuple[Field, ...]) -> str:
    """The arrow text of fields, for subjects that know no other form."""
    return f"{_side(inputs)} -> {_side(outputs)}"


def _side(fields: tuple[Field, ...]) -> str:
    return ", ".join(f.name if f.is_text else f"{f.name}: {f.annotation}" for f in fields)


def _fields(side: str) -> tuple[Field, ...]:
    return tuple(_field(part) for part in split_fields(side) if part)


def split_fields(side: str) -> list[str]:
    """The texts of the fields on one side of an arrow.

    A comma inside brackets belongs to the annotation: `scores: dict[str, list[int]]`.
    """
    parts, depth = [""], 0
    for character in side:
        depth += (character == "[") - (character == "]")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def _field(text: str) -> Field:
    name, _, annotation = (part.strip() for part in text.partition(":"))
    if annotation in ("History", "dspy.History"):
        return Field(name=name, annotation=annotation, json_schema={"type": "array"}, history=True)
    annotation = annotation or "str"
    return Field(name=name, annotation=annotation, json_schema=schema_of(annotation))
