"""`chat`: DSPy's default, every field under a `[[ ## name ## ]]` marker of its own line."""

import re
from collections.abc import Mapping

from react_tck.dialects.field_lists import output_fields, reply_structure
from react_tck.dialects.fields import ParseError, fill_fields, make_ask, read_fields
from react_tck.dialects.markup import CHAT
from react_tck.model.base import JsonObject
from react_tck.model.intent import Move
from react_tck.model.lm import Ask, Completion, LMRequest

_MARKER = re.compile(r"^\[\[ ## (\w+) ## \]\][^\S\n]*$", re.MULTILINE)
_COMPLETED = "completed"


def classify_request(request: LMRequest) -> Ask | None:
    """Return a system message that lists output fields and closes them with the `completed` marker."""
    system = request.system_text
    fields = output_fields(system)
    if not fields or f"[[ ## {_COMPLETED} ## ]]" not in reply_structure(system):
        return None
    return make_ask("chat", fields)


def render_reply(intent: Move, ask: Ask) -> Completion:
    """Return the fields under their markers, ending with `[[ ## completed ## ]]`."""
    return Completion(content=CHAT.render_reply(CHAT.render_pieces(fill_fields(intent, ask))))


def parse_reply(completion: Completion, schemas: Mapping[str, JsonObject]) -> JsonObject:
    """Return the text under each marker, its surrounding blank space dropped.

    Raises:
        ParseError: if a field is missing, comes twice or doesn't fit its schema, or the completed marker is missing:
            without it nobody can say whether the last field is whole.
    """
    content = completion.content or ""
    # With one capturing group, split gives: prologue, name, text, name, text ...
    pieces = _MARKER.split(content)
    names, texts = pieces[1::2], [text.strip() for text in pieces[2::2]]
    if twice := next((name for name in schemas if names.count(name) > 1), None):
        raise ParseError(f"the reply has the field {twice!r} twice")
    values = read_fields(dict(zip(names, texts, strict=True)), schemas)
    if _COMPLETED not in names:
        raise ParseError(f"the reply doesn't end with [[ ## {_COMPLETED} ## ]]")
    return values
