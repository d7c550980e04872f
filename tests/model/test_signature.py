"""Arrow signatures are read as dspy reads them, and written back; annotations become JSON Schemas, or are refused."""

import pytest

from react_tck.model.base import JsonObject
from react_tck.model.signature import AnnotationError, Field, Form, parse_arrow, render_arrow, schema_of


def _names(fields: tuple[Field, ...]) -> list[str]:
    return [field.name for field in fields]


def test_comma_inside_brackets_belongs_to_the_annotation(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, JsonObject]] = [
        ("dict[str, int]", {"type": "object", "additionalProperties": {"type": "integer"}}),
        ("Literal['a', 'b']", {"enum": ["a", "b"]}),
        (
            "dict[str, list[int]]",
            {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "integer"}}},
        ),
        (
            "dict[str, dict[str, Literal['a', 'b']]]",
            {
                "type": "object",
                "additionalProperties": {"type": "object", "additionalProperties": {"enum": ["a", "b"]}},
            },
        ),
    ]
    for annotation, schema in cases:
        with subtests.test(annotation=annotation, schema=schema):
            signature = parse_arrow(f"question -> result: {annotation}, note")
            assert _names(signature.outputs) == ["result", "note"]
            assert signature.outputs[0].json_schema == schema


def test_malformed_arrow_is_kept_as_written_for_subjects_to_refuse(subtests: pytest.Subtests) -> None:
    for arrow in ["", "question", "question ->", "-> answer", "a, a -> a", "a -> b -> c,"]:
        with subtests.test(arrow=arrow):
            signature = parse_arrow(arrow)
            assert signature.arrow == arrow
            assert signature.form is Form.ARROW


def test_written_arrow_reads_back_as_the_same_fields(subtests: pytest.Subtests) -> None:
    for arrow in [
        "question -> answer",
        "context: list[str], question -> answer, score: dict[str, list[int]]",
        "question, past: dspy.History -> answer: Literal['a', 'b'] | None",
    ]:
        with subtests.test(arrow=arrow):
            signature = parse_arrow(arrow)
            written = render_arrow(signature.inputs, signature.outputs)
            again = parse_arrow(written)
            assert (again.inputs, again.outputs) == (signature.inputs, signature.outputs)
            assert written == arrow


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
    "dict | list[int]": {"anyOf": [{"type": "object"}, {"type": "array", "items": {"type": "integer"}}]},
    "list[str] | None": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
}


def test_known_annotation_has_its_json_schema(subtests: pytest.Subtests) -> None:
    for annotation in KNOWN:
        with subtests.test(annotation=annotation):
            assert schema_of(annotation) == KNOWN[annotation]


def test_unknown_type_is_refused_by_name(subtests: pytest.Subtests) -> None:
    for annotation in ["set[str]", "Date", "dict[str]", "list[str, int]", "datetime.date", "3"]:
        with (
            subtests.test(annotation=annotation),
            pytest.raises(AnnotationError, match="is not a type that arrow signatures know"),
        ):
            schema_of(annotation)


def test_literal_of_anything_but_json_values_is_refused(subtests: pytest.Subtests) -> None:
    for annotation in ["Literal[a]", "Literal['a', b'c']", "Literal['a', f()]"]:
        with subtests.test(annotation=annotation), pytest.raises(AnnotationError, match="is not a JSON value"):
            schema_of(annotation)
