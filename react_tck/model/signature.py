"""What the subject is to turn into what: fields and instructions, and the arrow text that says them, types included."""

import ast
from enum import StrEnum

from pydantic import Field as Default
from pydantic import JsonValue

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

    @property
    def is_image(self) -> bool:
        """Whether its values are images, given as data URLs."""
        return str(self.json_schema.get("contentMediaType", "")).startswith("image/")


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

    def takes_inputs(self, inputs: JsonObject) -> bool:
        """Tell whether a call has each input and no other; the history may be left out (SIG-007)."""
        names = {field.name for field in self.inputs}
        return set(inputs) | ({self.history_field} & names) == names

    def leave_out_images(self, inputs: JsonObject) -> JsonObject:
        """Return these inputs without those that a prompt tells in no text: an image is a part of its own."""
        images = {field.name for field in self.inputs if field.is_image}
        return {name: value for name, value in inputs.items() if name not in images}


def parse_arrow(arrow: str) -> Signature:
    """Read `"context, question -> answer: int"`; untyped fields are text (SIG-004).

    An input annotated `History` is the conversation history. A malformed arrow still gives a value,
    because subjects must be shown malformed signatures too (SIG-006).

    Raises:
        AnnotationError: for a type that arrow signatures don't know.
    """
    left, _, right = arrow.partition("->")
    return Signature(arrow=arrow, inputs=_parse_fields(left), outputs=_parse_fields(right))


def render_arrow(inputs: tuple[Field, ...], outputs: tuple[Field, ...]) -> str:
    """Return the arrow text of fields, for subjects that know no other form."""
    return f"{_render_side(inputs)} -> {_render_side(outputs)}"


def _render_side(fields: tuple[Field, ...]) -> str:
    return ", ".join(f.name if f.is_text else f"{f.name}: {f.annotation}" for f in fields)


def _parse_fields(side: str) -> tuple[Field, ...]:
    return tuple(_parse_field(part) for part in split_fields(side) if part)


def split_fields(side: str) -> list[str]:
    """Return the texts of the fields on one side of an arrow.

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


def _parse_field(text: str) -> Field:
    name, _, annotation = (part.strip() for part in text.partition(":"))
    if annotation in ("History", "dspy.History"):
        return Field(name=name, annotation=annotation, json_schema={"type": "array"}, history=True)
    annotation = annotation or "str"
    return Field(name=name, annotation=annotation, json_schema=schema_of(annotation))


_SCALARS = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}


class AnnotationError(ValueError):
    """The annotation isn't one that arrow signatures know; the message says which part."""


def schema_of(annotation: str) -> JsonObject:
    """Return the JSON Schema of an annotation (SIG-005).

    Raises:
        AnnotationError: for anything but str, int, float, bool, list, dict, Literal, `T | None`, `T | U`.
    """
    try:
        node = ast.parse(annotation.strip(), mode="eval").body
    except SyntaxError as error:
        raise AnnotationError(f"{annotation!r} is not a type annotation") from error
    return _build_schema(node)


def _build_schema(node: ast.expr) -> JsonObject:
    match node:
        case ast.Name(id=name) if name in _SCALARS:
            return {"type": _SCALARS[name]}
        case ast.Name(id="dict"):
            return {"type": "object"}
        case ast.Name(id="list"):
            return {"type": "array"}
        case ast.Subscript(value=ast.Name(id="list"), slice=item):
            return {"type": "array", "items": _build_schema(item)}
        case ast.Subscript(value=ast.Name(id="dict"), slice=ast.Tuple(elts=[_, value])):
            return {"type": "object", "additionalProperties": _build_schema(value)}
        case ast.Subscript(value=ast.Name(id="Literal"), slice=members):
            each = members.elts if isinstance(members, ast.Tuple) else [members]
            return {"enum": [_read_literal(member) for member in each]}
        case ast.BinOp(left=left, op=ast.BitOr(), right=ast.Constant(value=None)):
            return {"anyOf": [_build_schema(left), {"type": "null"}]}
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return {"anyOf": [_build_schema(left), _build_schema(right)]}
    raise AnnotationError(f"{ast.unparse(node)!r} is not a type that arrow signatures know")


def _read_literal(node: ast.expr) -> JsonValue:
    match node:
        case ast.Constant(value=None | bool() | int() | float() | str() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
    raise AnnotationError(f"{ast.unparse(node)!r} is not a JSON value")
