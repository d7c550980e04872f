"""`json`: one JSON object with a key for every field, in the content of the reply."""

from collections.abc import Mapping

from react_tck.dialects.field_lists import output_fields
from react_tck.dialects.fields import ParseError, check_fields, fill_fields, make_ask, strict_json
from react_tck.dialects.markup import JSON
from react_tck.model.base import JsonObject
from react_tck.model.intent import Move
from react_tck.model.lm import Ask, Completion, LMRequest


def classify_request(request: LMRequest) -> Ask | None:
    """Return a schema that the reply has to fit, whose properties are the fields; or a system message that lists them.

    It need not say JSON (udspy says so to the user), so dialects with marks of their own are tried first.
    """
    fields = request.demanded_fields or output_fields(request.system_text)
    return make_ask("json", fields) if fields else None


def render_reply(intent: Move, ask: Ask) -> Completion:
    """Return the fields as one object, unescaped where JSON allows it."""
    return Completion(content=JSON.render_reply(JSON.render_pieces(fill_fields(intent, ask))))


def parse_reply(completion: Completion, schemas: Mapping[str, JsonObject]) -> JsonObject:
    """Return the values of the object.

    >>> from react_tck.dialects.json import parse_reply
    >>> from react_tck.model.lm import Completion
    >>> parse_reply(Completion(content='{"answer": 5}'), {"answer": {"type": "integer"}})
    {'answer': 5}
    >>> parse_reply(Completion(content='{"answer": 5'), {"answer": {"type": "integer"}})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    react_tck.dialects.fields.ParseError: the reply is not JSON: ...

    Raises:
        ParseError: if the content isn't one JSON object, has a key twice, or a field is missing or doesn't fit.
    """
    try:
        values = strict_json(completion.content or "")
    except ValueError as error:
        raise ParseError(f"the reply is not JSON: {error}") from error
    if not isinstance(values, dict):
        raise ParseError(f"the reply is a JSON {type(values).__name__}, not an object")
    return check_fields(values, schemas)
