"""A user's tool made ready for the reference: named, described, given its args as it declares them or not at all."""

from enum import Enum
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from react_tck.model.base import JsonObject
from react_tck.reference.tools import ArgsRefused, BoundTool, bind_tool


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


def _taking(annotation: Any) -> BoundTool:
    """A tool that returns its one arg, which is of this type."""

    def take(value: Any) -> Any:
        return value

    take.__annotations__ = {"value": annotation}
    return bind_tool(take)


# What is known of a tool


# Names


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


# Async tools
