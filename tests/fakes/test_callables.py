"""The kit's tools have real parameters: what can be found out of a user's function can be found out of them."""

import inspect
from typing import Literal, get_args

import pytest

from react_tck.fakes.callables import python_tool
from react_tck.fakes.tools import CHANGED_BY_TOOL, make_tool
from react_tck.model.base import JsonObject
from react_tck.model.record import ToolRan
from react_tck.model.tool import Mutates
from tests.support.texts import Stage

Form = Literal["function", "method", "object"]
FORMS: tuple[Form, ...] = get_args(Form)
#: Names that code which passes things on by keyword has for itself.
NAMES = ("self", "name", "args", "kwargs", "instance", "config", "run", "func", "tool", "cls", "_x", "größe")


@pytest.fixture(name="stage")
def _stage() -> Stage:
    return Stage()


def _runs(stage: Stage) -> list[JsonObject]:
    return [event.args for event in stage.journal.read_record("a case").events if isinstance(event, ToolRan)]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", NAMES)
def test_a_parameter_may_have_any_legal_name(stage: Stage, form: Form, name: str) -> None:
    tool = make_tool("take", "Takes it.", {name: {"type": "string"}}).model_copy(update={"callable_form": form})
    made = python_tool(stage.tool(tool))
    assert str(inspect.signature(made)) == f"({name}: str)"
    made(**{name: "this"})
    made("that")
    assert _runs(stage) == [{name: "this"}, {name: "that"}]


@pytest.mark.parametrize("form", FORMS)
def test_parameters_that_have_those_names_together_arrive(stage: Stage, form: Form) -> None:
    tool = make_tool("take", "Takes it.", {name: {} for name in NAMES}).model_copy(update={"callable_form": form})
    given: JsonObject = {name: number for number, name in enumerate(NAMES)}
    python_tool(stage.tool(tool))(**given)
    assert _runs(stage) == [given]


def test_a_tool_that_changes_its_args_leaves_its_default_alone(stage: Stage) -> None:
    made = python_tool(stage.tool(make_tool("tune", "Tunes.", {"bands": {"default": ["low"]}}), Mutates()))
    given: list[str] = ["high"]
    for args in ([], [], [given]):
        made(*args)
    assert given == ["high", CHANGED_BY_TOOL]
    assert _runs(stage) == [{"bands": ["low"]}, {"bands": ["low"]}, {"bands": ["high"]}]


def test_an_open_object_gets_every_extra_key(stage: Stage) -> None:
    tool = make_tool("note", "Notes.", {"kwargs": {"type": "string"}})
    tool = tool.model_copy(update={"parameters": {**tool.parameters, "additionalProperties": True}})
    made = python_tool(stage.tool(tool))
    assert str(inspect.signature(made)) == "(kwargs: str, **kwargs_)"
    made("a", colour="red", sizes=[1])
    assert _runs(stage) == [{"kwargs": "a", "colour": "red", "sizes": [1]}]


@pytest.mark.parametrize("name", ["from", "max-steps", "1st", "a b", "ﬁeld"])
def test_what_cannot_be_a_parameter_is_taken_by_name(stage: Stage, name: str) -> None:
    tool = make_tool("take", "Takes it.", {"a": {"type": "integer"}, name: {"type": "string"}})
    made = python_tool(stage.tool(tool))
    assert str(inspect.signature(made)) == "(a: int, **kwargs)"
    made(a=1, **{name: "this"})
    assert _runs(stage) == [{"a": 1, name: "this"}]


def test_of_a_declared_tool_the_function_names_none_of_its_args(stage: Stage) -> None:
    tool = make_tool("find", "Finds.", {"query": {"type": "string"}}).model_copy(update={"callable_form": "declared"})
    made = python_tool(stage.tool(tool))
    assert [(each.name, each.kind) for each in inspect.signature(made).parameters.values()] == [
        ("kwargs", inspect.Parameter.VAR_KEYWORD)
    ]
    assert (made.__name__, made.__doc__) == ("find", "Finds.")
    made(query="heights", kwargs=1)
    assert _runs(stage) == [{"query": "heights", "kwargs": 1}]
