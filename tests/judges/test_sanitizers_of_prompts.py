"""What an LM request has to show: results, the task, tools and their parameters (SAN-004, SAN-008, SAN-011)."""

import json
from typing import Any

import pytest

from react_tck.fakes.tools import TOOLBOX, make_tool
from react_tck.judges.observations import find_hidden_errors
from react_tck.model.intent import BadArgs, Finish
from tests.support.hand_made import (
    ADD,
    GOOD,
    TASK,
    extraction,
    found,
    ids,
    ran,
    returned,
    scene,
    step,
)

# SAN-004


def test_an_error_that_is_not_in_the_next_request_is_told_in_other_words() -> None:
    """openai-agents tells of every error in one sentence of its own: ERR-007 is a SHOULD, and no MUST is beside it."""
    run = ran().model_copy(update={"result": None, "error": "the archive is closed"})
    events = (step(ADD), run, *GOOD[2:])
    assert found(*events) == set()
    assert ids(find_hidden_errors(scene(*events))) == ["ERR-007"]


def test_an_observation_however_it_is_written(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Any, str]] = [
        ({"a": ["x", True]}, "{'a': ['x', True]}"),
        (True, "true"),
        ("a\nb", '"a\\nb"'),
        ("", ""),
        (None, ""),
    ]
    for result, shown in cases:
        with subtests.test(result=result, shown=shown):
            assert found(step(ADD), ran(result=result), step(Finish(), TASK + shown), *GOOD[3:]) == set()


def test_an_empty_result_may_be_told_of_in_other_words(subtests: pytest.Subtests) -> None:
    """Whatever they are: there is nothing in it that the LM could miss, and what they cost is ERR-022's."""
    for words in ["N/A", "(no tool output)", "done", '{"result": null}', '""', "null", "[]", ""]:
        with subtests.test(words=words):
            shown = TASK + f"\n[[ ## observation_0 ## ]]\n{words}\n\nGo on."
            empty: list[Any] = ["", [], {}]
            for result in empty:
                assert found(step(ADD), ran(result=result), step(Finish(), shown), *GOOD[3:]) == set()
            assert found(step(ADD), ran(result=0), step(Finish(), shown), *GOOD[3:]) == {"SAN-004"}


def test_a_small_observation_inside_a_wrapping_of_the_librarys_is_there(subtests: pytest.Subtests) -> None:
    cases: list[Any] = [0, False]
    for result in cases:
        with subtests.test(result=result):
            headed = TASK + "\n[[ ## observation_0 ## ]]\n{}\n\nGo on."
            run = ran(result=result)
            wrappings = (
                {"result": result},
                {"status": "done", "output": {"type": "json", "value": result}},
                [{"text": result}],
            )
            for wrapping in wrappings:
                shown = headed.format(json.dumps(wrapping))
                assert found(step(ADD), run, step(Finish(), shown), *GOOD[3:]) == set()
            for nothing in ({"result": None}, {"result": ["x"]}, {"result": "N/A"}, ["x"]):
                hidden = headed.format(json.dumps(nothing))
                assert found(step(ADD), run, step(Finish(), hidden), *GOOD[3:]) == {"SAN-004"}


def test_an_error_without_a_text_is_told_in_whatever_words() -> None:
    run = ran().model_copy(update={"result": None, "error": ""})
    shown = TASK + "\n[[ ## observation_0 ## ]]\nError in add\n\nGo on."
    assert found(step(ADD), run, step(Finish(), shown), *GOOD[3:]) == set()


def test_a_refused_run_has_no_observation_but_is_a_run() -> None:
    refused = ran(result=None).model_copy(update={"args": {}, "error": "no object", "refused": "[2, 3]"})
    assert found(step(ADD), refused, *GOOD[2:]) == {"SAN-002"}
    assert found(step(BadArgs(tool="add", text="[2, 3]")), refused, *GOOD[2:]) == set()
    for nothing in ("", "null"):
        assert found(step(BadArgs(tool="add", text=nothing)), refused, *GOOD[2:]) == set()


def test_of_a_key_that_stands_twice_either_value_may_arrive(subtests: pytest.Subtests) -> None:
    cases: list[dict[str, Any]] = [{"a": 2, "b": 3}, {"a": 4, "b": 3}]
    for args in cases:
        with subtests.test(args=args):
            asked = step(BadArgs(tool="add", text='{"a": 4, "b": 3, "a": 2}'))
            assert found(asked, ran(**args), *GOOD[2:]) == set()
            assert found(asked, ran(**{**args, "b": 4}), *GOOD[2:]) == {"SAN-002"}


def test_a_result_that_json_cannot_hold_may_look_as_it_likes() -> None:
    run = ran(result="b'\\x00'").model_copy(update={"odd": True})
    assert found(step(ADD), run, *GOOD[2:]) == set()


def test_after_the_last_request_there_is_nothing_to_show_an_observation_in() -> None:
    assert found(step(ADD), ran(), returned({}, status="error")) == set()


# SAN-008


def test_an_extraction_need_not_describe_tools() -> None:
    assert found(extraction(text="2+3"), returned()) == set()


def test_of_two_tools_of_one_name_one_may_be_missing() -> None:
    other = TOOLBOX["add"].model_copy(update={"description": "Puts two texts together."})
    assert found(step(Finish()), extraction(), returned(), tools=(TOOLBOX["add"], other)) == set()


def test_an_input_by_an_internal_name_is_another_requirement_s_affair() -> None:
    inputs = {"question": "2+3", "trajectory": "mine"}
    events = (step(Finish()), extraction(), returned())
    assert found(*events, arrow="question, trajectory -> answer", inputs=inputs) == set()


# SAN-011


def test_parameters_that_only_a_practice_asks_for_are_no_must(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Any, Any, set[str]]] = [
        ({"type": "string"}, "function", {"SAN-011"}),
        ({}, "function", set()),
        ({"type": "string"}, "method", set()),
    ]
    for schema, form, ids_ in cases:
        with subtests.test(schema=schema, form=form, ids_=ids_):
            tool = make_tool("add", "Adds two whole numbers.", {"hidden": schema}).model_copy(
                update={"callable_form": form}
            )
            assert found(step(Finish()), extraction(), returned(), tools=(tool,)) == ids_


def test_of_an_only_parameter_that_is_an_object_its_fields_may_stand_in_its_place() -> None:
    tools = (
        make_tool("add", "Adds two whole numbers.", {"pair": {"type": "object", "properties": {"x": {}, "y": {}}}}),
    )
    assert found(step(Finish(), f"{TASK} x y"), extraction(), returned(), tools=tools) == set()
    assert found(step(Finish(), f"{TASK} x"), extraction(), returned(), tools=tools) == {"SAN-011"}


# Calls
