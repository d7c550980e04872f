"""`xml`: every field in an element of its name."""

from collections.abc import Mapping
from xml.etree import ElementTree

from react_tck.dialects.fields import (
    ParseError,
    ask_for,
    output_fields,
    read,
    reply_structure,
    said,
)
from react_tck.dialects.markup import XML
from react_tck.model.base import JsonObject
from react_tck.model.intent import Move
from react_tck.model.lm import Ask, Completion, LMRequest


def classify(request: LMRequest) -> Ask | None:
    """A system message that lists output fields and shows an element for each."""
    fields = output_fields(request.system)
    structure = reply_structure(request.system)
    if not fields or not all(f"<{name}>" in structure for name in fields):
        return None
    return ask_for("xml", fields)


def render(intent: Move, ask: Ask) -> Completion:
    """The fields in their elements; objects and lists as JSON text inside."""
    return Completion(content=XML.reply(XML.pieces(said(intent, ask))))


def parse(completion: Completion, schemas: Mapping[str, JsonObject]) -> JsonObject:
    """The text of each element, its surrounding blank space dropped.

    Raises:
        ParseError: if the content isn't well-formed, or a field is missing, comes twice or doesn't fit.
    """
    try:
        root = ElementTree.fromstring(f"<reply>{completion.content or ''}</reply>")
    except ElementTree.ParseError as error:
        raise ParseError(f"the reply is not well-formed XML: {error}") from error
    names = [child.tag for child in root]
    if twice := next((name for name in schemas if names.count(name) > 1), None):
        raise ParseError(f"the reply has the field {twice!r} twice")
    return read({child.tag: "".join(child.itertext()).strip() for child in root}, schemas)
