"""Arrow signatures are read as dspy reads them, and written back."""

import pytest

from react_tck.model.annotation import AnnotationError
from react_tck.model.base import JsonObject
from react_tck.model.signature import Field, Form, parse_arrow, render_arrow


def _names(fields: tuple[Field, ...]) -> list[str]:
    return [field.name for field in fields]


@pytest.mark.parametrize(
    ("arrow", "inputs", "outputs"),
    [
        ("question -> answer", ["question"], ["answer"]),
        ("context, question -> answer", ["context", "question"], ["answer"]),
        ("topic -> summary, sources", ["topic"], ["summary", "sources"]),
        ("question->answer", ["question"], ["answer"]),
        ("  a ,b  ->  c ", ["a", "b"], ["c"]),
    ],
)
def test_arrow_names_its_fields_in_order(arrow: str, inputs: list[str], outputs: list[str]) -> None:
    signature = parse_arrow(arrow)
    assert (_names(signature.inputs), _names(signature.outputs)) == (inputs, outputs)


def test_untyped_field_is_text() -> None:
    (question,) = parse_arrow("question -> answer").inputs
    assert question.is_text
    assert question.annotation == "str"


def test_typed_field_keeps_its_annotation_and_has_its_schema() -> None:
    (score,) = parse_arrow("question -> score: int | None").outputs
    assert score.annotation == "int | None"
    assert score.json_schema == {"anyOf": [{"type": "integer"}, {"type": "null"}]}
    assert not score.is_text


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
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
    ],
)
def test_comma_inside_brackets_belongs_to_the_annotation(annotation: str, schema: JsonObject) -> None:
    signature = parse_arrow(f"question -> result: {annotation}, note")
    assert _names(signature.outputs) == ["result", "note"]
    assert signature.outputs[0].json_schema == schema


@pytest.mark.parametrize("annotation", ["History", "dspy.History"])
def test_input_annotated_history_carries_the_conversation(annotation: str) -> None:
    signature = parse_arrow(f"question, past: {annotation} -> answer")
    assert signature.history_field == "past"
    assert signature.inputs[1].history


def test_signature_without_history_has_no_history_field() -> None:
    assert parse_arrow("question -> answer").history_field is None


@pytest.mark.parametrize("arrow", ["", "question", "question ->", "-> answer", "a, a -> a", "a -> b -> c,"])
def test_malformed_arrow_is_kept_as_written_for_subjects_to_refuse(arrow: str) -> None:
    signature = parse_arrow(arrow)
    assert signature.arrow == arrow
    assert signature.form is Form.ARROW


def test_type_that_arrows_do_not_know_is_refused() -> None:
    with pytest.raises(AnnotationError, match="'Date'"):
        parse_arrow("question -> day: Date")


@pytest.mark.parametrize(
    "arrow",
    [
        "question -> answer",
        "context: list[str], question -> answer, score: dict[str, list[int]]",
        "question, past: dspy.History -> answer: Literal['a', 'b'] | None",
    ],
)
def test_written_arrow_reads_back_as_the_same_fields(arrow: str) -> None:
    signature = parse_arrow(arrow)
    written = render_arrow(signature.inputs, signature.outputs)
    again = parse_arrow(written)
    assert (again.inputs, again.outputs) == (signature.inputs, signature.outputs)
    assert written == arrow
