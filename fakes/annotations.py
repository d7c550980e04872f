"""Python types for JSON Schemas, so that tools and signatures made from schemas are real Python ones."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, create_model

from react_tck.model.base import JsonObject

_SCALARS: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "null": None,
}


def annotation_of(schema: JsonObject) -> Any:
    """Return the Python type of a JSON Schema; `Any` where the schema says nothing.

    An object with properties becomes a pydantic model named by the schema's title.

    >>> from react_tck import annotation_of
    >>> annotation_of({"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]})
    list[str] | None
    >>> annotation_of({"enum": ["low", "high"]})
    typing.Literal['low', 'high']
    """
    if "enum" in schema:
        return Literal[tuple(_as_list(schema["enum"]))]
    if "anyOf" in schema:
        return _unite_types([annotation_of(_as_object(member)) for member in _as_list(schema["anyOf"])])
    match schema.get("type"):
        case "array":
            items = schema.get("items")
            return list[annotation_of(_as_object(items))] if items else list  # type: ignore[misc]
        case "object" if schema.get("properties"):
            return _make_model(schema)
        case "object":
            values = schema.get("additionalProperties")
            return dict[str, annotation_of(values)] if isinstance(values, dict) else dict[str, Any]  # type: ignore[misc]
        case str(scalar):
            return _SCALARS[scalar]
    return Any


def _make_model(schema: JsonObject) -> type[BaseModel]:
    required = _as_list(schema.get("required", []))
    fields: dict[str, Any] = {
        name: (annotation_of(_as_object(inner)), ... if name in required else _as_object(inner).get("default"))
        for name, inner in _as_object(schema["properties"]).items()
    }
    extra: Literal["allow", "ignore"] = "allow" if schema.get("additionalProperties") else "ignore"
    return create_model(str(schema.get("title", "Object")), __config__=ConfigDict(extra=extra), **fields)


def _unite_types(members: list[Any]) -> Any:
    union = members[0]
    for member in members[1:]:
        union = union | member
    return union


def _as_object(value: Any) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
