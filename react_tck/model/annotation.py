"""Field types as arrow signatures write them (`list[str]`, `Literal['a', 'b']`), turned into JSON Schema."""

import ast

from pydantic import JsonValue

from react_tck.model.base import JsonObject

_SCALARS = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}


class AnnotationError(ValueError):
    """The annotation isn't one that arrow signatures know; the message says which part."""


def schema_of(annotation: str) -> JsonObject:
    """The JSON Schema of an annotation (SIG-005).

    Raises:
        AnnotationError: for anything but str, int, float, bool, list, dict, Literal, `T | None`.
    """
    try:
        node = ast.parse(annotation.strip(), mode="eval").body
    except SyntaxError as error:
        raise AnnotationError(f"{annotation!r} is not a type annotation") from error
    return _schema(node)


def _schema(node: ast.expr) -> JsonObject:
    match node:
        case ast.Name(id=name) if name in _SCALARS:
            return {"type": _SCALARS[name]}
        case ast.Name(id="dict"):
            return {"type": "object"}
        case ast.Name(id="list"):
            return {"type": "array"}
        case ast.Subscript(value=ast.Name(id="list"), slice=item):
            return {"type": "array", "items": _schema(item)}
        case ast.Subscript(value=ast.Name(id="dict"), slice=ast.Tuple(elts=[_, value])):
            return {"type": "object", "additionalProperties": _schema(value)}
        case ast.Subscript(value=ast.Name(id="Literal"), slice=members):
            return {"enum": [_literal(member) for member in _members(members)]}
        case ast.BinOp(left=left, op=ast.BitOr(), right=ast.Constant(value=None)):
            return {"anyOf": [_schema(left), {"type": "null"}]}
    raise AnnotationError(f"{ast.unparse(node)!r} is not a type that arrow signatures know")


def _literal(node: ast.expr) -> JsonValue:
    match node:
        case ast.Constant(value=None | bool() | int() | float() | str() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
    raise AnnotationError(f"{ast.unparse(node)!r} is not a JSON value")


def _members(node: ast.expr) -> list[ast.expr]:
    return list(node.elts) if isinstance(node, ast.Tuple) else [node]
