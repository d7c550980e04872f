"""The kit's tools look like anyone's Python tools, do what they are scripted to, and every run is on record."""

import asyncio
import inspect
import math
from typing import Any, Literal, get_args

import pytest

from react_tck.fakes.callables import python_tool
from react_tck.fakes.toolbox import TOOLBOX, make_tool
from react_tck.fakes.tools import CHANGED_BY_TOOL, CHANGED_LATER, ToolFailure
from react_tck.model.base import JsonObject
from react_tck.model.record import Record, ToolRan
from react_tck.model.tool import Behaviour, Mutates, Raises, Returns, ReturnsOddity, Tool
from tests.support.texts import NONCE, Stage

ADD, BOOK, SEARCH, PING = (TOOLBOX[name] for name in ("add", "book", "search", "ping"))
GREET = make_tool(
    "greet",
    "Greets someone.",
    {
        "greeting": {"type": "string", "default": "Hello"},
        "name": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
)
Form = Literal["function", "method", "object"]
FORMS: tuple[Form, ...] = get_args(Form)


@pytest.fixture(name="stage")
def _stage() -> Stage:
    return Stage()


def _runs(stage: Stage) -> tuple[ToolRan, ...]:
    return stage.journal.read_record("a case").tool_runs


def test_what_was_sent_to_a_tool_and_is_no_object_is_a_run_that_comes_to_nothing(stage: Stage) -> None:
    stage.tool(ADD).refuse("[2, 3]")
    (run,) = _runs(stage)
    assert (run.tool, run.args, run.refused) == ("add", {}, "[2, 3]")
    assert run.error is not None


# How a tool looks


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("is_async", [False, True])
def test_tool_has_its_name_description_and_signature_in_every_form(stage: Stage, form: Form, is_async: bool) -> None:
    tool = ADD.model_copy(update={"callable_form": form, "is_async": is_async})
    function = python_tool(stage.tool(tool))
    assert function.__name__ == "add"
    assert inspect.getdoc(function) == "Adds two whole numbers."
    assert str(inspect.signature(function)) == "(a: int, b: int)"


def test_forms_are_a_function_a_method_and_an_object(stage: Stage) -> None:
    function, method, owner = (
        python_tool(stage.tool(ADD.model_copy(update={"callable_form": form}))) for form in FORMS
    )
    assert inspect.isfunction(function)
    assert inspect.ismethod(method)
    assert not inspect.isroutine(owner)


def test_annotations_come_from_the_schema(stage: Stage) -> None:
    function = python_tool(stage.tool(BOOK))
    assert inspect.get_annotations(function) == {
        "guests": int,
        "outdoors": bool,
        "budget": float,
        "dishes": list[str],
    }


def test_parameter_without_a_schema_has_no_annotation(stage: Stage) -> None:
    parameters: JsonObject = {"properties": {"thing": {}, "count": {"type": "integer"}}, "required": ["thing", "count"]}
    function = python_tool(stage.tool(Tool(name="take", description="Takes it.", parameters=parameters)))
    assert str(inspect.signature(function)) == "(thing, count: int)"
    assert inspect.get_annotations(function) == {"count": int}


def test_optional_parameters_have_defaults_and_come_last(stage: Stage) -> None:
    signature = inspect.signature(python_tool(stage.tool(GREET)))
    assert str(signature) == "(name: str, tags: list[str], greeting: str = 'Hello')"


@pytest.mark.parametrize("parameters", [{}, {"type": "object"}, {"type": "object", "properties": {}}])
def test_tool_may_have_no_parameters(stage: Stage, parameters: JsonObject) -> None:
    function = python_tool(stage.tool(Tool(name="ping", description="Pings.", parameters=parameters)))
    assert str(inspect.signature(function)) == "()"
    assert function() == f"ping result 1 ~{NONCE}"


@pytest.mark.parametrize("name", TOOLBOX)
def test_every_tool_of_the_toolbox_can_be_made(stage: Stage, name: str) -> None:
    tool = TOOLBOX[name]
    assert tool.name == name
    assert tool.description
    signature = inspect.signature(python_tool(stage.tool(tool)))
    assert tuple(signature.parameters) == tool.parameter_names


# Calls


def test_positional_and_keyword_args_arrive_alike(stage: Stage) -> None:
    add = python_tool(stage.tool(ADD))
    add(2, 3)
    add(2, b=3)
    add(b=3, a=2)
    assert [run.args for run in _runs(stage)] == [{"a": 2, "b": 3}] * 3


def test_args_left_to_their_defaults_are_on_record_as_the_tool_has_them(stage: Stage) -> None:
    python_tool(stage.tool(GREET))(name="Ada", tags=[])
    assert [run.args for run in _runs(stage)] == [{"name": "Ada", "tags": [], "greeting": "Hello"}]


@pytest.mark.parametrize("arguments", [{}, {"a": 2}, {"a": 2, "b": 3, "c": 4}])
def test_call_that_does_not_fit_the_signature_is_no_run(stage: Stage, arguments: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        python_tool(stage.tool(ADD))(**arguments)
    assert _runs(stage) == ()


@pytest.mark.parametrize("form", FORMS)
def test_every_form_runs(stage: Stage, form: Form) -> None:
    add = python_tool(stage.tool(ADD.model_copy(update={"callable_form": form})))
    assert add(2, b=3) == f"add result 1 ~{NONCE}"
    assert [run.args for run in _runs(stage)] == [{"a": 2, "b": 3}]


@pytest.mark.parametrize("form", FORMS)
def test_every_async_form_runs_when_awaited(stage: Stage, form: Form) -> None:
    add = python_tool(stage.tool(ADD.model_copy(update={"callable_form": form, "is_async": True})))
    assert asyncio.run(add(2, b=3)) == f"add result 1 ~{NONCE}"
    assert [run.args for run in _runs(stage)] == [{"a": 2, "b": 3}]


@pytest.mark.parametrize("form", FORMS)
def test_subject_can_see_that_an_async_tool_is_a_coroutine_function(stage: Stage, form: Form) -> None:
    add = python_tool(stage.tool(ADD.model_copy(update={"callable_form": form, "is_async": True})))
    assert inspect.iscoroutinefunction(type(add).__call__ if form == "object" else add)


def test_run_is_on_record_for_the_call_under_way(stage: Stage) -> None:
    ping = python_tool(stage.tool(PING))
    ping()
    stage.journal.invocation = 1
    ping()
    assert [run.invocation for run in _runs(stage)] == [0, 1]


# What it does


def test_default_result_names_tool_run_and_nonce(stage: Stage) -> None:
    ping = python_tool(stage.tool(PING))
    assert [ping(), ping()] == [f"ping result 1 ~{NONCE}", f"ping result 2 ~{NONCE}"]
    assert [run.result for run in _runs(stage)] == [f"ping result 1 ~{NONCE}", f"ping result 2 ~{NONCE}"]


def test_each_run_shows_the_next_behaviour_and_the_last_one_again_and_again(stage: Stage) -> None:
    ping = python_tool(stage.tool(PING, Returns(value=1), Returns(value=2)))
    assert [ping(), ping(), ping(), ping()] == [1, 2, 2, 2]


@pytest.mark.parametrize("value", [None, True, 5, 1.5, "text", [], [1, ["a"]], {"a": {"b": None}}])
def test_scripted_value_is_returned_and_on_record(stage: Stage, value: Any) -> None:
    assert python_tool(stage.tool(PING, Returns(value=value)))() == value
    (run,) = _runs(stage)
    assert (run.result, run.odd, run.error) == (value, False, None)


def test_result_that_the_subject_changes_is_returned_unchanged_the_next_time(stage: Stage) -> None:
    ping = python_tool(stage.tool(PING, Returns(value=[1])))
    ping().append(2)
    assert ping() == [1]
    assert [run.result for run in _runs(stage)] == [[1], [1]]


def test_failure_is_raised_and_on_record(stage: Stage) -> None:
    with pytest.raises(ToolFailure, match="no such city"):
        python_tool(stage.tool(SEARCH, Raises(message="no such city")))("Atlantis")
    (run,) = _runs(stage)
    assert (run.args, run.error, run.result) == ({"query": "Atlantis"}, "no such city", None)


@pytest.mark.parametrize("form", FORMS)
def test_async_tool_fails_when_awaited(stage: Stage, form: Form) -> None:
    tool = PING.model_copy(update={"is_async": True, "callable_form": form})
    coroutine = python_tool(stage.tool(tool, Raises(message="down")))()
    with pytest.raises(ToolFailure, match="down"):
        asyncio.run(coroutine)


@pytest.mark.parametrize(
    ("oddity", "of_type", "shown"),
    [
        ("bytes", bytes, "b'\\x00\\xff'"),
        ("object", object, "<odd>"),
        ("set", set, "{1}"),
        ("nan", float, "nan"),
    ],
)
def test_oddity_is_returned_as_it_is_and_shown_on_record(stage: Stage, oddity: Any, of_type: type, shown: str) -> None:
    result = python_tool(stage.tool(PING, ReturnsOddity(oddity=oddity)))()
    assert isinstance(result, of_type)
    (run,) = _runs(stage)
    assert (run.result, run.odd) == (shown, True)


def test_oddity_that_the_subject_changes_is_returned_unchanged_the_next_time(stage: Stage) -> None:
    ping = python_tool(stage.tool(PING, ReturnsOddity(oddity="set")))
    ping().add(2)
    assert ping() == {1}


def test_tool_that_changes_its_args_is_on_record_with_the_args_as_they_arrived(stage: Stage) -> None:
    translate = python_tool(stage.tool(BOOK, Mutates()))
    dishes = ["soup"]
    translate(guests=2, outdoors=False, budget=9.5, dishes=dishes)
    assert dishes == ["soup", CHANGED_BY_TOOL]
    assert _runs(stage)[0].args["dishes"] == ["soup"]


def test_tool_changes_lists_deep_inside_its_args(stage: Stage) -> None:
    tool = make_tool("take", "Takes it.", {"things": {"type": "object"}})
    things: dict[str, Any] = {"box": {"colours": ["red"]}}
    python_tool(stage.tool(tool, Mutates()))(things)
    assert things == {"box": {"colours": ["red", CHANGED_BY_TOOL]}}


def test_tool_that_changes_what_it_returned_leaves_the_record_alone(stage: Stage) -> None:
    ping = python_tool(stage.tool(PING, Mutates()))
    first = ping()
    ping()
    assert first == [f"ping result 1 ~{NONCE}", CHANGED_LATER]
    assert [run.result for run in _runs(stage)] == [[f"ping result 1 ~{NONCE}"], [f"ping result 2 ~{NONCE}"]]


# Args


@pytest.mark.parametrize(
    ("args", "misfits"),
    [
        ({"a": 2, "b": 3}, ()),
        ({"a": "2", "b": 3}, ("a",)),
        ({"a": 2.0, "b": None}, ("a", "b")),
    ],
)
def test_args_not_of_the_promised_type_are_told_on_record(
    stage: Stage, args: dict[str, Any], misfits: tuple[str, ...]
) -> None:
    python_tool(stage.tool(ADD))(**args)
    assert _runs(stage)[0].misfits == misfits


def test_mapping_for_a_model_is_a_misfit_and_the_model_is_none(stage: Stage) -> None:
    visit = python_tool(stage.tool(TOOLBOX["visit"]))
    place = inspect.get_annotations(visit)["place"]
    visit({"street": "Rigistrasse", "floor": 2})
    visit(place(street="Rigistrasse", floor=2))
    assert [run.misfits for run in _runs(stage)] == [("place",), ()]
    assert [run.args for run in _runs(stage)] == [{"place": {"street": "Rigistrasse", "floor": 2}}] * 2


def test_anything_fits_a_parameter_without_a_type(stage: Stage) -> None:
    tool = Tool(name="take", description="Takes it.", parameters={"properties": {"thing": {}}, "required": ["thing"]})
    python_tool(stage.tool(tool))(object)
    assert _runs(stage)[0].misfits == ()


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ((1, 2), [1, 2]),
        ({1: "a"}, {"1": "a"}),
        (b"a", "b'a'"),
        (math.nan, "nan"),
        (math.inf, "inf"),
        ({"deep": [-math.inf]}, {"deep": ["-inf"]}),
    ],
)
def test_args_that_json_cannot_hold_are_shown_and_survive_json(stage: Stage, value: Any, shown: Any) -> None:
    tool = Tool(name="take", description="Takes it.", parameters={"properties": {"thing": {}}, "required": ["thing"]})
    python_tool(stage.tool(tool))(value)
    record = stage.journal.read_record("a case")
    assert record.tool_runs[0].args == {"thing": shown}
    assert Record.model_validate_json(record.model_dump_json()) == record


def test_behaviours_are_shared_by_no_two_tools(stage: Stage) -> None:
    behaviours: tuple[Behaviour, ...] = (Returns(value=1), Returns(value=2))
    first, second = (python_tool(stage.tool(PING, *behaviours)) for _ in range(2))
    assert [first(), second(), first(), second()] == [1, 1, 2, 2]
