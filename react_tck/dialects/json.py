"""`json`: one JSON object with a key for every field, in the content of the reply."""

from collections.abc import Mapping

from react_tck.dialects.field_lists import output_fields
from react_tck.dialects.fields import ParseError, ask_for, checked, said, strict_json
from react_tck.dialects.markup import JSON
from react_tck.model.base import JsonObject
from react_tck.model.intent import Move
from react_tck.model.lm import Ask, Completion, LMRequest


def classify(request: LMRequest) -> Ask | None:
    """A schema that the reply has to fit, whose properties are the fields; or a system message that lists them.

    It need not say JSON (udspy says so to the user), so dialects with marks of their own are tried first.
    """
    fields = request.demanded or output_fields(request.system)
    return ask_for("json", fields) if fields else None


def render(intent: Move, ask: Ask) -> Completion:
    """The fields as one object, unescaped where JSON allows it."""
    return Completion(content=JSON.reply(JSON.pieces(said(intent, ask))))


def parse(completion: Completion, schemas: Mapping[str, JsonObject]) -> JsonObject:
    """The values of the object.

    Raises:
        ParseError: if the content isn't one JSON object, has a key twice, or a field is missing or doesn't fit.
    """
    try:
        values = strict_json(completion.content or "")
    except ValueError as error:
        raise ParseError(f"the reply is not JSON: {error}") from error
    if not isinstance(values, dict):
        raise ParseError(f"the reply is a JSON {type(values).__name__}, not an object")
    return checked(values, schemas)
