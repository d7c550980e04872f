"""Tools that scenarios name without describing them."""

from react_tck.model.base import JsonObject
from react_tck.model.tool import Tool


def _tool(name: str, description: str, parameters: JsonObject) -> Tool:
    required = [key for key, schema in parameters.items() if isinstance(schema, dict) and "default" not in schema]
    schema: JsonObject = {"type": "object", "properties": parameters, "required": [*required]}
    return Tool(name=name, description=description, parameters=schema)


TOOLBOX = {
    tool.name: tool
    for tool in (
        _tool("add", "Adds two whole numbers.", {"a": {"type": "integer"}, "b": {"type": "integer"}}),
        _tool("search", "Searches the archive for a phrase.", {"query": {"type": "string"}}),
        _tool("translate", "Puts a text into another language.", {"text": {"type": "string"}}),
        _tool("weather", "Reports the weather of a city.", {"city": {"type": "string"}}),
        _tool("ping", "Checks that the service is up.", {}),
    )
}
