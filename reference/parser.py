"""The reference's parser: reads a reply with the module of its dialect."""

from react_tck.dialects import find_dialect
from react_tck.model.base import JsonObject
from react_tck.model.protocol import Parsing


class ReferenceParser:
    """Strict: a reply that is no reply to what was asked for is refused, never repaired."""

    def read(self, parsing: Parsing) -> JsonObject:
        """Return the fields asked for.

        Raises:
            ParseError: if one is missing, comes twice, or doesn't fit its schema.
        """
        return find_dialect(parsing.dialect).parse_reply(parsing.reply, parsing.fields)
