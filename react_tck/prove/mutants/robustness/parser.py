"""Violations of the parser's requirements (PRS-001, PRS-002)."""

import html
import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from pydantic import JsonValue

from react_tck.dialects.fields import ParseError
from react_tck.model.base import JsonObject
from react_tck.model.protocol import Parsing
from react_tck.prove.mutants.mutant import mutant
from react_tck.reference.parser import ReferenceParser

_SAMPLES: Mapping[str, JsonValue] = {"integer": 0, "number": 0.0, "boolean": False, "array": [], "object": {}}

_Read = Callable[[Parsing], JsonObject]


def _parser(operator: Callable[[_Read, Parsing], JsonObject]) -> type[ReferenceParser]:
    """Return a parser that reads otherwise than the reference's, whose way of reading it is given."""

    class Made(ReferenceParser):
        def read(self, parsing: Parsing) -> JsonObject:
            return operator(super().read, parsing)

    return Made


def _before(change: Callable[[Parsing], Parsing]) -> type[ReferenceParser]:
    """Change what is to be read."""
    return _parser(lambda read, parsing: read(change(parsing)))


def _changing(change: Callable[[str], JsonValue]) -> type[ReferenceParser]:
    """Change texts once they are read."""

    def changed(read: _Read, parsing: Parsing) -> JsonObject:
        return {name: change(value) if isinstance(value, str) else value for name, value in read(parsing).items()}

    return _parser(changed)


def _lenient(instead: Callable[[Parsing, str, Callable[[], JsonObject]], JsonObject]) -> type[ReferenceParser]:
    """Has something to say instead of the error that a field is missing; the other fields can be asked for."""

    def lenient(read: _Read, parsing: Parsing) -> JsonObject:
        try:
            return read(parsing)
        except ParseError as error:
            found = re.match("the reply has no field '(.*)'", str(error))
            if found is None:
                raise
        missing = found[1]
        others = {name: schema for name, schema in parsing.fields.items() if name != missing}
        return instead(parsing, missing, lambda: lenient(read, parsing.model_copy(update={"fields": others})))

    return _parser(lenient)


def _content(parsing: Parsing) -> str:
    return parsing.reply.content or ""


def _with_content(parsing: Parsing, content: str) -> Parsing:
    return parsing.model_copy(update={"reply": parsing.reply.model_copy(update={"content": content})})


def _without_empty(read: _Read, parsing: Parsing) -> JsonObject:
    fields = read(parsing)
    if empty := next((name for name, value in fields.items() if value == ""), None):
        raise ParseError(f"the reply has no field {empty!r}")
    return fields


def _decoded(text: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(text)
    except ValueError:
        return text
    return value


def _marks_in_values(parsing: Parsing) -> Parsing:
    content = re.sub(r"(?<=\S) (\[\[ ## \w+ ## \]\])", r"\n\1\n", _content(parsing))
    return _with_content(parsing, content) if parsing.dialect == "chat" else parsing


def _first_line(parsing: Parsing) -> Parsing:
    first = _content(parsing).splitlines()[0]
    return parsing if first else _with_content(parsing, _content(parsing).lstrip())


def _json_first(parsing: Parsing) -> Parsing:
    with suppress(ValueError):
        json.loads(_content(parsing))
    return parsing


def _made_up(parsing: Parsing, missing: str, others: Callable[[], JsonObject]) -> JsonObject:
    kind = str(parsing.fields[missing].get("type"))
    return {**others(), missing: _SAMPLES.get(kind, "")}


def _again_and_again(read: _Read, parsing: Parsing) -> JsonObject:
    content = _content(parsing)
    marks = sum(content.count("[[ ## never ## ]]", at) for at in range(0, len(content), 16))
    return read(parsing) if marks == 0 else {}


def _stripped(read: _Read, parsing: Parsing) -> JsonObject:
    fields: dict[str, Any] = read(parsing)
    return {name: value.strip() if value else value for name, value in fields.items()}


def _from_each_blank(read: _Read, parsing: Parsing) -> JsonObject:
    content = _content(parsing)
    rest = sum(content.count("\0", at) for at in range(0, len(content), 16) if content[at] in " [")
    return read(parsing) if rest == 0 else {}


MUTANTS = {
    "parser-drops-empty-texts": mutant(
        "PRS-001", "Takes a field with an empty text for one that isn't there.", parser=_parser(_without_empty)
    ),
    "parser-breaks-lines-anywhere": mutant(
        "PRS-001",
        "Makes a line feed of everything that Python breaks lines on.",
        parser=_changing(lambda text: "\n".join(text.splitlines())),
    ),
    "parser-drops-control-characters": mutant(
        "PRS-001",
        "Leaves out whatever can't be printed.",
        parser=_changing(lambda text: re.sub(r"[\x00-\x08\x0e-\x1f\x7f]", "", text)),
    ),
    "parser-decodes-json-in-texts": mutant(
        "PRS-001", "Reads a text that happens to be JSON as what it says.", parser=_changing(_decoded)
    ),
    "parser-unescapes-twice": mutant(
        "PRS-001", "Resolves entities in texts that have none left.", parser=_changing(html.unescape)
    ),
    "parser-takes-marks-in-values": mutant(
        "PRS-001",
        "Takes a mark in the middle of a line for the beginning of a field.",
        parser=_before(_marks_in_values),
    ),
    "parser-cuts-long-texts": mutant(
        "PRS-001", "Keeps the first thousand characters of a text.", parser=_changing(lambda text: text[:1000])
    ),
    "parser-crashes-on-nothing": mutant(
        "PRS-002", "Looks at the first line of a reply, and breaks if there is none.", parser=_before(_first_line)
    ),
    "parser-crashes-on-deep-nesting": mutant(
        "PRS-002",
        "Reads JSON first, and isn't prepared for more brackets than Python's stack holds.",
        parser=_before(_json_first),
    ),
    "parser-makes-missing-fields-up": mutant(
        "PRS-002", "Fills a field that is missing with an empty value of its type.", parser=_lenient(_made_up)
    ),
    "parser-takes-quadratic-time": mutant(
        "PRS-002",
        "Looks at the rest of the text again for every 16 characters of it.",
        parser=_parser(_again_and_again),
        is_timed=True,
    ),
    "parser-crashes-on-other-types": mutant(
        "PRS-002", "Strips every field, whatever its type.", parser=_parser(_stripped)
    ),
    "parser-walks-back-over-blanks": mutant(
        "PRS-002",
        "Looks for the end of a text from each of its blanks, and of its brackets.",
        parser=_parser(_from_each_blank),
        is_timed=True,
    ),
}
