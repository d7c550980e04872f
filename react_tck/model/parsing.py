"""The operation `parse`: a reply to be read, and what a parser makes of it (PRS-001, PRS-002)."""

from react_tck.model.base import JsonObject, Value
from react_tck.model.lm import Completion
from react_tck.model.outcome import Failure


class Parsing(Value):
    """A reply in a dialect, and the fields asked for, each with its JSON Schema, in the order of the request."""

    dialect: str
    reply: Completion
    fields: dict[str, JsonObject]


class Parsed(Value):
    """What came of it: the fields, or the error that the parser raised."""

    fields: JsonObject | None = None
    error: Failure | None = None
