"""Tools that scenarios name without describing them."""

from react_tck.model.base import JsonObject
from react_tck.model.tool import Tool


def described(name: str, description: str, parameters: JsonObject) -> Tool:
    """A tool with these parameters; those without a default are required."""
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
        described("add", "Adds two whole numbers.", {"a": {"type": "integer"}, "b": {"type": "integer"}}),
        described("search", "Searches the archive for a phrase.", {"query": {"type": "string"}}),
        described("translate", "Puts a text into another language.", {"text": {"type": "string"}}),
        described("weather", "Reports the weather of a city.", {"city": {"type": "string"}}),
        described("ping", "Checks that the service is up.", {}),
        # For STEP-004: every type, one inside another, and arguments called like words of JSON Schema.
        described(
            "book",
            "Reserves a table.",
            {
                "guests": {"type": "integer"},
                "outdoors": {"type": "boolean"},
                "budget": {"type": "number"},
                "dishes": {"type": "array", "items": {"type": "string"}},
            },
        ),
        described("visit", "Plans a visit.", {"place": _PLACE}),
        described("publish", "Publishes the report.", {"title": {"type": "boolean"}, "default": {"type": "integer"}}),
    )
}
