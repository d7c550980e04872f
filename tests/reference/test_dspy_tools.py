"""`dspy.Tool` objects serve the reference as they serve `dspy.ReAct`."""

from typing import Any

import pytest

from react_tck.reference.tools import ArgsRefused, bind_tool

dspy = pytest.importorskip("dspy")


def add(a: int, b: int = 1) -> int:
    """Adds two whole numbers."""
    return a + b


async def remote(**arguments: Any) -> dict[str, Any]:
    """What an MCP server's tool looks like from here: typed by its schema alone."""
    return arguments


def test_dspy_tool_keeps_its_name_description_and_args() -> None:
    bound = bind_tool(dspy.Tool(add, name="plus", desc="Sums up.", arg_desc={"a": "the first"}))
    assert (bound.name, bound.description) == ("plus", "Sums up.")
    assert bound.args == {
        "a": {"type": "integer", "description": "the first"},
        "b": {"type": "integer", "default": 1},
    }


def test_dspy_tool_gets_its_args_as_the_function_declares_them() -> None:
    bound = bind_tool(dspy.Tool(add))
    assert bound.invoke(bound.convert_args({"a": "2", "b": 3})) == 5
    with pytest.raises(ArgsRefused, match="a"):
        bound.convert_args({"a": "two"})


def test_dspy_tool_typed_by_its_schema_alone_is_checked_against_it() -> None:
    bound = bind_tool(dspy.Tool(remote, args={"city": {"type": "string"}}))
    assert bound.invoke(bound.convert_args({"city": "Paris"})) == {"city": "Paris"}
    with pytest.raises(ArgsRefused, match="city: 5 is not of type 'string'"):
        bound.convert_args({"city": 5})
