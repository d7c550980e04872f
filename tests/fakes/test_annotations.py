"""JSON Schemas become the Python types that tools and signatures made from them are annotated with."""

from typing import Any, Literal

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from react_tck.fakes.annotations import annotation_of
from react_tck.model.base import JsonObject
from react_tck.model.signature import schema_of

KINDS: list[tuple[JsonObject, Any]] = [
    ({"type": "string"}, str),
    ({"type": "integer"}, int),
    ({"type": "number"}, float),
    ({"type": "boolean"}, bool),
    ({"type": "null"}, None),
    ({"type": "array"}, list),
    ({"type": "array", "items": {"type": "integer"}}, list[int]),
    ({"type": "array", "items": {"type": "array", "items": {"type": "string"}}}, list[list[str]]),
    ({"type": "object"}, dict[str, Any]),
    ({"type": "object", "additionalProperties": {"type": "number"}}, dict[str, float]),
    ({"type": "object", "additionalProperties": False}, dict[str, Any]),
    ({"enum": ["a", "b", 3]}, Literal["a", "b", 3]),
    ({"enum": ["a"], "type": "string"}, Literal["a"]),
    ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, int | None),
    ({"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]}, int | str | None),
    ({"anyOf": [{"enum": ["a"]}, {"type": "null"}]}, Literal["a"] | None),
    ({}, Any),
    ({"description": "anything at all"}, Any),
]


@pytest.mark.parametrize(("schema", "annotation"), KINDS, ids=str)
def test_schema_has_its_python_type(schema: JsonObject, annotation: Any) -> None:
    assert annotation_of(schema) == annotation


PLACE: JsonObject = {
    "title": "Place",
    "type": "object",
    "properties": {
        "street": {"type": "string"},
        "floors": {"type": "array", "items": {"type": "integer"}},
        "country": {"type": "string", "default": "CH"},
        "note": {"type": "string"},
    },
    "required": ["street", "floors"],
}


def test_object_with_properties_becomes_a_model_of_its_title() -> None:
    model = annotation_of(PLACE)
    assert issubclass(model, BaseModel)
    assert model.__name__ == "Place"


def test_model_requires_what_the_schema_requires_and_knows_its_defaults() -> None:
    model = annotation_of(PLACE)
    place = model(street="Rigistrasse", floors=[1])
    assert place.model_dump() == {"street": "Rigistrasse", "floors": [1], "country": "CH", "note": None}
    with pytest.raises(ValidationError, match="street"):
        model(floors=[1])
    with pytest.raises(ValidationError, match=r"floors\.0"):
        model(street="Rigistrasse", floors=["first"])


def test_objects_inside_lists_and_objects_are_models_too() -> None:
    schema: JsonObject = {"type": "array", "items": {"type": "object", "properties": {"at": PLACE}, "required": ["at"]}}
    (visit,) = TypeAdapter(annotation_of(schema)).validate_python([{"at": {"street": "Rigistrasse", "floors": [2]}}])
    assert visit.at.floors == [2]


@pytest.mark.parametrize(
    "annotation",
    [
        "str",
        "int",
        "float",
        "bool",
        "list[str]",
        "list[list[int]]",
        "dict[str, float]",
        "Literal['a', 'b']",
        "int | None",
    ],
)
def test_annotation_of_an_arrow_comes_back_from_its_schema(annotation: str) -> None:
    assert annotation_of(schema_of(annotation)) == eval(annotation, {"Literal": Literal})
