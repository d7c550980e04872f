"""`label`: a line for every field, `field: value`; a value may go on over further lines."""

import re
from collections.abc import Mapping

from react_tck.dialects.field_lists import output_fields, reply_structure
from react_tck.dialects.fields import ParseError, fill_fields, make_ask, read_fields
from react_tck.dialects.markup import LABEL
from react_tck.model.base import JsonObject
from react_tck.model.intent import Move
from react_tck.model.lm import Ask, Completion, LMRequest

#: How a system message asks for it.
_FORM = "`field name: value` pair per line"


def classify_request(request: LMRequest) -> Ask | None:
    """Return a system message that lists output fields and asks for a `field name: value` pair per line."""
    fields = output_fields(request.system_text)
    return make_ask("label", fields) if fields and _FORM in reply_structure(request.system_text) else None


def render_reply(intent: Move, ask: Ask) -> Completion:
    """Return a line for every field; whatever isn't text is JSON."""
    return Completion(content=LABEL.render_reply(LABEL.render_pieces(fill_fields(intent, ask))))


def parse_reply(completion: Completion, schemas: Mapping[str, JsonObject]) -> JsonObject:
    """Return what is behind each label, up to the next one, its surrounding blank space dropped.

    Raises:
        ParseError: if a field is missing, comes twice, or doesn't fit its schema.
    """
    labels = "|".join(map(re.escape, schemas))
    # With one capturing group, split gives: prologue, name, text, name, text ...
    pieces = re.split(rf"^({labels}):", completion.content or "", flags=re.MULTILINE)
    names, texts = pieces[1::2], [text.strip() for text in pieces[2::2]]
    if twice := next((name for name in schemas if names.count(name) > 1), None):
        raise ParseError(f"the reply has the field {twice!r} twice")
    return read_fields(dict(zip(names, texts, strict=True)), schemas)
