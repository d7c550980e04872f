"""Tools that scenarios name without describing them."""

from react_tck.model.base import JsonObject
from react_tck.model.tool import Tool


def make_tool(name: str, description: str, parameters: JsonObject) -> Tool:
    """Return a tool with these parameters; those without a default are required."""
    required = [key for key, schema in parameters.items() if isinstance(schema, dict) and "default" not in schema]
    schema: JsonObject = {"type": "object", "properties": parameters, "required": [*required]}
    return Tool(name=name, description=description, parameters=schema)


_PLACE: JsonObject = {
    "title": "Place",
    "type": "object",
    "properties": {"street": {"type": "string"}, "floor": {"type": "integer"}},
    "required": ["street", "floor"],
}

TOOLBOX = {
    tool.name: tool
    for tool in (
        make_tool("add", "Adds two whole numbers.", {"a": {"type": "integer"}, "b": {"type": "integer"}}),
        make_tool("search", "Searches the archive for a phrase.", {"query": {"type": "string"}}),
        make_tool("translate", "Puts a text into another language.", {"text": {"type": "string"}}),
        make_tool("weather", "Reports the weather of a city.", {"city": {"type": "string"}}),
        make_tool("ping", "Checks that the service is up.", {}),
        # For STEP-004: every type, one inside another, and arguments called like words of JSON Schema.
        make_tool(
            "book",
            "Reserves a table.",
            {
                "guests": {"type": "integer"},
                "outdoors": {"type": "boolean"},
                "budget": {"type": "number"},
                "dishes": {"type": "array", "items": {"type": "string"}},
            },
        ),
        make_tool("visit", "Plans a visit.", {"place": _PLACE}),
        make_tool("publish", "Publishes the report.", {"title": {"type": "boolean"}, "default": {"type": "integer"}}),
    )
}
