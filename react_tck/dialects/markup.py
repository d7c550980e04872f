"""How a text dialect marks the fields of a reply, in parts, so that a reply can also be written wrong.

And what it carries between its marks: they can't be escaped in every dialect, and blank space around a value is
nobody's. A value that a dialect can't carry is none that a parser could give back (PRS-001).
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from html import escape
from typing import NamedTuple

from pydantic import JsonValue

from react_tck.dialects.fields import FINAL_ANSWER, REASONING, STEPS, whole_answer
from react_tck.dialects.labels import REACT_TEXT, Labels, labels_of, plain_name

#: A field's name and its value as it stands in the reply.
Piece = tuple[str, str]


def as_text(value: JsonValue) -> str:
    """Return a field's value as text: texts as they are, everything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _as_json(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)


def _as_xml(value: JsonValue) -> str:
    return escape(as_text(value), quote=False)


class Markup(NamedTuple):
    """The marks around names, values and the whole reply."""

    before_name: str
    after_name: str
    #: What closes a field; `{name}` stands for its name.
    after_value: str = ""
    between: str = "\n"
    start: str = ""
    end: str = ""
    written: Callable[[JsonValue], str] = as_text
    #: What stands in the marks instead of a field's name; all outputs are one field if `FINAL_ANSWER` is among them.
    labels: Mapping[str, str] = {}

    def find_label(self, name: str) -> str:
        """Return what stands in the marks of a field."""
        return self.labels.get(name, name)

    def render_opening(self, name: str) -> str:
        """Return the mark that begins a field."""
        return f"{self.before_name}{self.find_label(name)}{self.after_name}"

    def gather_outputs(self, values: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
        """Return the fields, outputs as one where they have one mark; beside an action or an answer there are none."""
        if FINAL_ANSWER not in self.labels or {FINAL_ANSWER, *(names[1] for names in STEPS)} & values.keys():
            return values
        outputs = {name: value for name, value in values.items() if name not in self.labels}
        rest = {name: value for name, value in values.items() if name in self.labels}
        return {**rest, FINAL_ANSWER: whole_answer(outputs)} if outputs else rest

    def render_pieces(self, values: Mapping[str, JsonValue]) -> tuple[Piece, ...]:
        """Return the fields with their values as they stand in the reply."""
        return tuple((name, self.written(value)) for name, value in self.gather_outputs(values).items())

    def render_field(self, name: str, value: str) -> str:
        """Return a field between its marks."""
        return f"{self.render_opening(name)}{value}{self.after_value.replace('{name}', name)}"

    def render_reply(self, pieces: Iterable[Piece]) -> str:
        """Return a reply of these fields."""
        return self.wrap_body(self.between.join(self.render_field(*piece) for piece in pieces))

    def wrap_body(self, body: str) -> str:
        """Return a whole reply with this body."""
        return f"{self.start}{body}{self.end}"


CHAT = Markup("[[ ## ", " ## ]]\n", between="\n\n", end="\n\n[[ ## completed ## ]]\n")
JSON = Markup('"', '": ', between=", ", start="{", end="}", written=_as_json)
XML = Markup("<", ">\n", after_value="\n</{name}>", between="\n\n", written=_as_xml)
LABEL = Markup("", ": ")


def _build_labelled(labels: Labels) -> Markup:
    """Return the marks of `react-text`: each field of a step, and the answer, has a label by the dialect's name."""
    of_step = (labels.thought, labels.action, labels.action_input)
    named = {name: label for names in STEPS for name, label in zip(names, of_step, strict=True)}
    return Markup("", ": ", labels={**named, REASONING: labels.thought, FINAL_ANSWER: labels.final_answer})


#: By dialect; `native` has none.
MARKUPS: Mapping[str, Markup] = {
    **{"chat": CHAT, "machina": CHAT, "json": JSON, "xml": XML, "label": LABEL},
    REACT_TEXT: _build_labelled(Labels()),
}


@lru_cache(maxsize=64)
def find_markup(dialect: str) -> Markup:
    """Return the marks of a text dialect, with the labels that its name sets."""
    return _build_labelled(labels_of(dialect)) if plain_name(dialect) == REACT_TEXT else MARKUPS[dialect]


def has_markup(dialect: str) -> bool:
    """Tell whether the dialect marks fields in a text."""
    return plain_name(dialect) in MARKUPS


#: Whoever reads line by line takes such a line for a mark.
_CHAT_MARK = re.compile(r"^\s*\[\[ ## ", re.MULTILINE)
_LABEL_MARK = re.compile(r"^\s*\w+\s*:", re.MULTILINE)
#: XML 1.0 has no other characters, and turns carriage returns into line feeds.
_NO_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NO_UNICODE = re.compile("[\ud800-\udfff]")
_HALF_ESCAPED = re.compile(
    rb"(\\\\|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})|\\u[dD][89a-fA-F][\da-fA-F]{2}"
)
#: Halves of surrogate pairs, and NUL: what becomes of them is ERR-017's affair.
NO_ENCODING = re.compile("[\x00\ud800-\udfff]")


def can_carry(dialect: str, value: JsonValue) -> bool:
    """Tell whether a value survives being written as a field in this dialect and read again."""
    written = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if _NO_UNICODE.search(written):
        return False
    if dialect in ("json", "native"):
        return True  # everything stands in quotes there
    if isinstance(value, str) and value != value.strip():
        return False
    return _NO_XML.search(written) is None if dialect == "xml" else not begins_mark(dialect, written)


def is_encodable(value: JsonValue) -> bool:
    """Tell whether every text in the value can be carried by any encoding there is."""
    match value:
        case str():
            return NO_ENCODING.search(value) is None
        case dict():
            return all(map(is_encodable, (*value, *value.values())))
        case list():
            return all(map(is_encodable, value))
    return True


def replace_half_pairs(json_text: bytes) -> bytes:
    """Return the JSON with U+FFFD for each half of a surrogate pair: JSON may write one, not every parser reads it."""
    return _HALF_ESCAPED.sub(lambda found: found[1] or rb"\ufffd", json_text)


def begins_mark(dialect: str, text: str) -> bool:
    """Tell whether a line of the text may be taken for a mark of the dialect."""
    mark = _build_mark(dialect)
    # Every character on which some language breaks a line is a line feed here.
    return mark is not None and mark.search("\n".join(text.splitlines())) is not None


@lru_cache(maxsize=64)
def _build_mark(dialect: str) -> re.Pattern[str] | None:
    if plain_name(dialect) != REACT_TEXT:
        return {"chat": _CHAT_MARK, "machina": _CHAT_MARK, "label": _LABEL_MARK}.get(dialect)
    # Its readers look for the labels anywhere.
    return re.compile(rf"(?:{'|'.join(map(re.escape, labels_of(dialect).in_replies))})\s*\d*\s*:", re.IGNORECASE)
