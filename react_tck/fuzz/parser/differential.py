"""Compares what a parser makes of a text with what ours makes of it, and sorts the differences.

A requirement is broken where a parser makes fields up, loses text or gives another value. What it reads besides, such
as repaired JSON, marks in another case or with blank space around them, is a choice.
"""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pydantic import JsonValue

from react_tck.dialects import find_dialect
from react_tck.dialects.fields import ParseError
from react_tck.dialects.markup import begins_mark
from react_tck.model.base import JsonObject
from react_tck.model.protocol import Parsed, Parsing
from react_tck.record.values import arrives_intact

Sort = Literal["broken", "choice"]


class Difference(NamedTuple):
    """One difference between a parser and the requirements, or our parser: of which sort, its class, its details."""

    sort: Sort
    kind: str
    detail: str


@dataclass(frozen=True)
class ParserFinding:
    """A class of differences: how often it was met, and the shortest text that shows it."""

    sort: Sort
    #: None for what no requirement is about.
    requirement_id: str | None
    dialect: str
    kind: str
    text: str
    detail: str
    schemas: Mapping[str, JsonObject]
    count: int = 1


_WORD = re.compile(r"\w+")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\.")


def compare_readings(parsing: Parsing, found: Parsed) -> Difference | None:
    """Return the difference between the parser's reading of a text and ours, if there is any."""
    ours = _parse_ourselves(parsing)
    if found.fields is None:
        return None if ours is None else Difference("choice", "refuses what our parser reads", str(ours))
    if ours is None:
        return _judge_refused_reply(parsing, found.fields)
    names = (name for name, value in ours.items() if not _is_same(parsing, name, value, found.fields.get(name)))
    name = next(names, None)
    return None if name is None else _classify_difference(parsing, name, ours[name], found.fields.get(name))


def _parse_ourselves(parsing: Parsing) -> JsonObject | None:
    try:
        return find_dialect(parsing.dialect).parse_reply(parsing.reply, parsing.fields)
    except ParseError:
        return None


def _is_same(parsing: Parsing, name: str, value: JsonValue, other: JsonValue) -> bool:
    return arrives_intact(value, other, parsing.fields[name])


def _judge_refused_reply(parsing: Parsing, fields: JsonObject) -> Difference:
    """Return a reply that we refuse: what was read of it must at least stand in it."""
    text = parsing.reply.content or ""
    unnamed = next((name for name in fields if name.lower() not in text.lower()), None)
    if unnamed is not None:
        return Difference("broken", "makes fields up", f"{unnamed!r} isn't named in the text")
    words = frozenset(_WORD.findall(f"{text} {html.unescape(text)} {_replace_escapes(text)}"))
    texts = (value for value in fields.values() if isinstance(value, str))
    invented = next((word for value in texts for word in _WORD.findall(value) if word not in words), None)
    if invented is not None and invented not in "".join(words):
        return Difference("broken", "makes fields up", f"{invented!r} doesn't stand in the text")
    return Difference("choice", "reads what our parser refuses", str(fields))


def _classify_difference(parsing: Parsing, name: str, ours: JsonValue, theirs: JsonValue) -> Difference:
    shown = f"{name}: {ours!r} became {theirs!r}"
    if not isinstance(ours, str) or not isinstance(theirs, str):
        return Difference("broken", "gives another value", shown)
    if ours.split() == theirs.split():
        return Difference("choice", "changes blank space", shown)
    if begins_mark(parsing.dialect, ours) or begins_mark(parsing.dialect, theirs):
        return Difference("choice", "reads other marks", shown)
    return Difference("broken", "loses text" if theirs in ours else "gives another value", shown)


def _replace_escapes(text: str) -> str:
    return _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)) if escape[1] else " ", text)
