"""A user's tool made ready for the reference: named, described, given its args as it declares them or not at all."""

import asyncio
import contextvars
import functools
from dataclasses import fields
from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from react_tck.model.base import JsonObject
from react_tck.reference.tools import ArgsRefused, BoundTool, bind_tool, bind_tools


def run(tool: BoundTool, args: JsonObject) -> Any:
    """What comes of a call with these args, as an LM gives them."""
    return tool.invoke(tool.convert_args(args))


class Place(BaseModel):
    """Where something is."""

    street: str
    floor: int = 0


class Colour(Enum):
    """A colour."""

    RED = "red"


def add(a: int, b: int = 1) -> int:
    """Adds two whole numbers."""
    return a + b


async def add_later(a: int, b: int = 1) -> int:
    """Adds two whole numbers, later."""
    await asyncio.sleep(0)
    return a + b


def _taking(annotation: Any) -> BoundTool:
    """A tool that returns its one arg, which is of this type."""

    def take(value: Any) -> Any:
        return value

    take.__annotations__ = {"value": annotation}
    return bind_tool(take)


# What is known of a tool


def test_tool_that_is_bound_already_stays_as_it_is() -> None:
    bound = bind_tool(add)
    again = bind_tool(bound)
    run(again, {"a": 2})
    assert again == bound
    assert vars(bound) == {field.name: getattr(bound, field.name) for field in fields(bound)}


def test_partial_function_serves_as_a_tool_for_what_is_left() -> None:
    bound = bind_tool(functools.partial(add, b=5))
    assert bound.name == "partial"
    assert run(bound, {"a": 2}) == 7


def test_parameter_may_have_any_name(recwarn: pytest.WarningsRecorder, subtests: pytest.Subtests) -> None:
    for name in ["schema", "json", "copy", "model_config", "_private", "self_"]:
        with subtests.test(name=name):
            scope: dict[str, Any] = {}
            exec(f"def take({name}: int, *, other: str = 'x'):\n    return {name}", scope)
            bound = bind_tool(scope["take"])
            assert set(bound.args) == {name, "other"}
            assert run(bound, {name: "5"}) == 5
            with pytest.raises(ArgsRefused, match=name):
                run(bound, {name: "five"})
            assert list(recwarn) == []


# Names


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two tools are named 'add'"):
        bind_tools([add, add], reserved="finish")


# Args


def test_arg_arrives_as_its_type_where_nothing_is_lost(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Any, Any, Any]] = [
        (int, 5, 5),
        (int, "5", 5),
        (int, 5.0, 5),
        (float, 5, 5.0),
        (float, "1.5", 1.5),
        (str, "5", "5"),
        (bool, True, True),
        (bool, "true", True),
        (list[int], ["1", 2], [1, 2]),
        (dict[str, float], {"a": 1}, {"a": 1.0}),
        (int | None, None, None),
        (int | None, "5", 5),
        (Literal["a", "b"], "b", "b"),
        (Colour, "red", Colour.RED),
        (Place, {"street": "Rigistrasse", "floor": "2"}, Place(street="Rigistrasse", floor=2)),
        (list[Place], [{"street": "Rigistrasse"}], [Place(street="Rigistrasse")]),
        (Any, {"a": "5"}, {"a": "5"}),
    ]
    for annotation, given, arrives in cases:
        with subtests.test(annotation=annotation, given=given, arrives=arrives):
            value = run(_taking(annotation), {"value": given})
            assert value == arrives
            assert type(value) is type(arrives)


def test_arg_that_would_lose_something_is_refused_by_name(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Any, Any]] = [
        (int, 5.5),
        (int, "five"),
        (int, None),
        (int, [5]),
        (str, 5),
        (str, None),
        (bool, "perhaps"),
        (bool, 2),
        (list[int], [1, "two"]),
        (list[int], "1, 2"),
        (Literal["a", "b"], "c"),
        (Colour, "blue"),
        (Place, {"floor": 2}),
        (Place, "Rigistrasse"),
    ]
    for annotation, given in cases:
        with subtests.test(annotation=annotation, given=given), pytest.raises(ArgsRefused, match="value"):
            run(_taking(annotation), {"value": given})


def test_tool_that_changes_its_args_does_not_change_what_was_given() -> None:
    args: dict[str, Any] = {"value": [1, {"a": [2]}]}

    def change(value):  # type: ignore[no-untyped-def]
        value[1]["a"].append(3)
        value.clear()

    run(bind_tool(change), args)
    assert args == {"value": [1, {"a": [2]}]}


# Async tools


def test_async_tool_is_run_to_its_end_by_a_sync_call_within_a_running_event_loop() -> None:
    async def outer() -> Any:
        return run(bind_tool(add_later), {"a": 2, "b": 3})

    assert asyncio.run(outer()) == 5


def test_async_tool_sees_the_context_of_the_caller_within_a_running_event_loop() -> None:
    settings = contextvars.ContextVar("settings", default="none")

    async def look() -> str:
        return settings.get()

    async def outer() -> Any:
        settings.set("the caller's")
        return run(bind_tool(look), {})

    assert asyncio.run(outer()) == "the caller's"
