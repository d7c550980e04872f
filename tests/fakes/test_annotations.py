"""JSON Schemas become the Python types that tools and signatures made from them are annotated with."""

from typing import Literal

import pytest
from pydantic import BaseModel, ValidationError

from react_tck.fakes.annotations import annotation_of
from react_tck.model.base import JsonObject
from react_tck.model.signature import schema_of

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


def test_annotation_of_an_arrow_comes_back_from_its_schema(subtests: pytest.Subtests) -> None:
    for annotation in [
        "str",
        "int",
        "float",
        "bool",
        "list[str]",
        "list[list[int]]",
        "dict[str, float]",
        "Literal['a', 'b']",
        "int | None",
    ]:
        with subtests.test(annotation=annotation):
            assert annotation_of(schema_of(annotation)) == eval(annotation, {"Literal": Literal})
