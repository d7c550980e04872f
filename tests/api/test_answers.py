"""What a class answers: by which names, and in a form that JSON has."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel

import react_tck
from react_tck.adapter.results import make_outcome
from react_tck.adapter.values import AdapterBroken
from react_tck.model.signature import parse_arrow


class Place(BaseModel):
    """A place, and when it was founded."""

    name: str
    founded: Any = None


def task_of(arrow: str) -> react_tck.Task:
    return react_tck.Task(parse_arrow(arrow).model_dump(), {})


@pytest.mark.parametrize(
    ("outputs", "told"),
    [
        ({"answer": {1, 2}}, "outputs['answer'] is a set, {1, 2}, which is neither JSON nor has a `model_dump`"),
        ({"answer": {"a": [1, Decimal(2)]}}, "outputs['answer']['a'][1] is a Decimal, Decimal('2'), which"),
        ({"answer": Place(name="Rome", founded=date(1, 4, 21))}, "outputs['answer']['founded'] is a date, "),
    ],
)
def test_an_output_that_is_no_json_is_refused_with_its_place(outputs: dict[str, Any], told: str) -> None:
    with pytest.raises(AdapterBroken) as refused:
        make_outcome(react_tck.Done(outputs), "Mine.call")
    assert str(refused.value).startswith(f"Mine.call returned react_tck.Done whose {told}")


def test_outputs_may_be_models_and_steps_may_hold_any_object() -> None:
    outcome = make_outcome(react_tck.Done({"place": Place(name="Rome")}, steps=[{"observation": {1}}]), "Mine.call")
    assert outcome["outputs"] == {"place": {"name": "Rome", "founded": None}}
    assert outcome["trajectory"] == [{"observation": "{1}"}]


@pytest.mark.parametrize(
    ("arrow", "said", "answer"),
    [
        ("question -> answer", "5", {"answer": "5"}),
        ("question -> answer", {"answer": "5"}, {"answer": "5"}),
        ("question -> answer: int", {"answer": 5}, {"answer": 5}),
        ("question -> answer: list[int]", {"answer": [5]}, {"answer": [5]}),
        ("question -> answer: int", {"value": 5}, {"answer": {"value": 5}}),
        # Such an object may be the value itself.
        ("question -> answer: dict", {"answer": 5}, {"answer": {"answer": 5}}),
        ("question -> a: int, b: int", {"a": 1, "b": 2}, {"a": 1, "b": 2}),
        ("question -> a: int, b: int", '{"a": 1, "b": 2}', {"a": 1, "b": 2}),
    ],
)
def test_an_answer_goes_by_the_names_of_the_outputs_once(arrow: str, said: Any, answer: dict[str, Any]) -> None:
    assert task_of(arrow).answer(said) == answer


def test_what_is_no_json_in_an_answer_is_left_for_the_result_to_refuse() -> None:
    assert task_of("question -> answer").answer({1}) == {"answer": {1}}
