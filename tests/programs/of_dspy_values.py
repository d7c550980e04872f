"""Programs for `dspy.ReAct` and what takes its place: tools of MCP, images, typed outputs, adapters."""

import asyncio
from typing import Any

import dspy
from pydantic import BaseModel

from tests.programs.adding import SUM, asked, said
from tests.programs.of_dspy import call


def mcp_tool(agent: Any) -> Any:
    """A tool of an MCP server."""
    from mcp import types

    class Session:
        async def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
            return types.CallToolResult(content=[types.TextContent(type="text", text=str(sum(arguments.values())))])

    number = {"type": "integer"}
    schema = {"type": "object", "properties": {"a": number, "b": number}, "required": ["a", "b"]}
    offer = types.Tool(name="add", description="Adds.", **{"inputSchema": schema})
    program = agent(SUM, tools=[dspy.Tool.from_mcp_tool(Session(), offer)])
    return said(asyncio.run(program.acall(question="2+3?")))


_PIXEL = "data:image/png;base64,iVBORw0KGgo="


def images_found(agent: Any) -> Any:
    """A list of images that a tool gives."""

    def add(a: int, b: int) -> list[dspy.Image]:
        return [dspy.Image(_PIXEL)] * 2

    return said(agent(SUM, tools=[add])(question="2+3?"))


class Total(BaseModel):
    """A sum."""

    value: int
    parts: list[int]


class Typed(dspy.Signature):  # type: ignore[misc]
    """Add them."""

    question: str = dspy.InputField()
    total: Total = dspy.OutputField()


def typed(agent: Any) -> Any:
    """An output as a model of pydantic's."""
    return asked(agent, signature=Typed).total.model_dump()


def json_adapter(agent: Any) -> Any:
    """Asked in JSON."""
    with dspy.context(adapter=dspy.JSONAdapter()):
        return call(agent)


def xml_adapter(agent: Any) -> Any:
    """Asked in XML."""
    with dspy.context(adapter=dspy.XMLAdapter()):
        return call(agent)


def baml_adapter(agent: Any) -> Any:
    """Asked in JSON, types as BAML writes them."""
    from dspy.adapters.baml_adapter import BAMLAdapter

    with dspy.context(adapter=BAMLAdapter()):
        return call(agent)


def two_steps(agent: Any) -> Any:
    """Asked in prose, and the prose read by another LM."""
    reader = dspy.settings.lm
    with dspy.context(adapter=dspy.TwoStepAdapter(reader)):
        return call(agent)
