"""`xml`: every field in an element of its name."""

from collections.abc import Mapping
from xml.parsers import expat

from react_tck.dialects.field_lists import output_fields, reply_structure
from react_tck.dialects.fields import ParseError, fill_fields, make_ask, read_fields
from react_tck.dialects.markup import XML
from react_tck.model.base import JsonObject
from react_tck.model.intent import Move
from react_tck.model.lm import Ask, Completion, LMRequest

#: How deep the fields are: directly below the root.
_FIELD = 2


def classify_request(request: LMRequest) -> Ask | None:
    """Return a system message that lists output fields and shows an element for each."""
    system = request.system_text
    fields, structure = output_fields(system), reply_structure(system)
    if not fields or not all(f"<{name}>" in structure for name in fields):
        return None
    return make_ask("xml", fields)


def render_reply(intent: Move, ask: Ask) -> Completion:
    """Return the fields in their elements; objects and lists as JSON text inside."""
    return Completion(content=XML.render_reply(XML.render_pieces(fill_fields(intent, ask))))


def parse_reply(completion: Completion, schemas: Mapping[str, JsonObject]) -> JsonObject:
    """Return the text of each element, its surrounding blank space dropped.

    Raises:
        ParseError: if it isn't well-formed, or a field is missing, comes twice, has elements in it or doesn't fit.
    """
    reader = _Reader()
    try:
        reader.parser.Parse(f"<reply>{completion.content or ''}</reply>", True)
    except (expat.ExpatError, UnicodeEncodeError) as error:
        raise ParseError(f"the reply is not well-formed XML: {error}") from error
    texts = reader.texts
    if twice := next((name for name in schemas if len(texts.get(name, ())) > 1), None):
        raise ParseError(f"the reply has the field {twice!r} twice")
    if within := next((name for name in schemas if name in reader.parents), None):
        raise ParseError(f"the field {within!r} has an element in it; text is to be escaped")
    return read_fields({name: "".join(parts[0]).strip() for name, parts in texts.items()}, schemas)


class _Reader:
    """Collects the texts of the elements directly below the root; a tree of them all would cost more than it says."""

    def __init__(self) -> None:
        #: By name, the pieces of each of its elements' text.
        self.texts: dict[str, list[list[str]]] = {}
        #: The names of those that have elements in them.
        self.parents: set[str] = set()
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start_element
        self.parser.EndElementHandler = self._end_element
        self.parser.CharacterDataHandler = self._add_text
        self._depth = 0
        self._name = ""

    def _start_element(self, name: str, _: Mapping[str, str]) -> None:
        self._depth += 1
        if self._depth == _FIELD:
            self._name = name
            self.texts.setdefault(name, []).append([])
        elif self._depth > _FIELD:
            self.parents.add(self._name)

    def _end_element(self, _: str) -> None:
        self._depth -= 1

    def _add_text(self, data: str) -> None:
        if self._depth == _FIELD:
            self.texts[self._name][-1].append(data)
