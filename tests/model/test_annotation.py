"""Annotations of arrow signatures become JSON Schemas; everything else is refused by name."""

import pytest

from react_tck.model.annotation import AnnotationError, schema_of
from react_tck.model.base import JsonObject

KNOWN: dict[str, JsonObject] = {
    "str": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "list": {"type": "array"},
    "dict": {"type": "object"},
    "list[str]": {"type": "array", "items": {"type": "string"}},
    "list[list[int]]": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
    "dict[str, float]": {"type": "object", "additionalProperties": {"type": "number"}},
    "Literal['a']": {"enum": ["a"]},
    "Literal['a', 'b', 3]": {"enum": ["a", "b", 3]},
    "Literal[-1, None, True]": {"enum": [-1, None, True]},
    "int | None": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    "list[str] | None": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
}


@pytest.mark.parametrize("annotation", KNOWN)
def test_known_annotation_has_its_json_schema(annotation: str) -> None:
    assert schema_of(annotation) == KNOWN[annotation]


def test_blank_space_around_an_annotation_means_nothing() -> None:
    assert schema_of("  int ") == {"type": "integer"}


@pytest.mark.parametrize(
    "annotation", ["set[str]", "Date", "str | int", "dict[str]", "list[str, int]", "datetime.date", "3"]
)
def test_unknown_type_is_refused_by_name(annotation: str) -> None:
    with pytest.raises(AnnotationError, match="is not a type that arrow signatures know"):
        schema_of(annotation)


def test_refusal_names_the_part_that_is_unknown() -> None:
    with pytest.raises(AnnotationError, match=r"^'Date' is not"):
        schema_of("list[dict[str, Date]]")


@pytest.mark.parametrize("annotation", ["", "list[", "str; int", "an int"])
def test_text_that_is_no_annotation_is_refused_as_such(annotation: str) -> None:
    with pytest.raises(AnnotationError, match="is not a type annotation"):
        schema_of(annotation)


@pytest.mark.parametrize("annotation", ["Literal[a]", "Literal['a', b'c']", "Literal['a', f()]"])
def test_literal_of_anything_but_json_values_is_refused(annotation: str) -> None:
    with pytest.raises(AnnotationError, match="is not a JSON value"):
        schema_of(annotation)
