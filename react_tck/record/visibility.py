"""Whether a text of unknown form shows a value, however its author chose to write it."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pydantic import JsonValue

from react_tck.dialects.fields import FINISH
from react_tck.dialects.markup import as_text
from react_tck.dialects.notations import bare_name, is_nothing
from react_tck.model.base import JsonObject, read_number
from react_tck.model.case import Case
from react_tck.record.reactions import NULLS, holds_value, is_readable
from react_tck.record.values import is_same_value

#: Texts of which it is known what they come to: an episode's judges look into the same ones again and again.
_KEPT = 256
#: A number in its own right; in JSON inside JSON, the letter of an escape may stand before it.
_NUMBER = re.compile(r"(?<![\w.])-?\d{1,1000}(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\w)")
#: JSON's, however often JSON inside JSON escapes its backslash.
_ESCAPE = re.compile(r"(?<!\\)\\+u([0-9a-fA-F]{4})")
_ESCAPED_SPACE = re.compile(r"(?<!\\)\\+[nrt]")
#: Whatever notation it stands in, it stands there as it is.
_PLAIN = re.compile(r"[ !#-%(-;=-\[\]-~]*")


def text_shows(text: str, value: JsonValue) -> bool:
    """Tell whether the text contains the value: as it is, as JSON, or as Python writes it; blank space apart.

    Of an object or a list, every key and every item must be there. What is too small to be found is not shown.
    """
    found = _find_leaves(text, value)
    return bool(found) and all(found)


def hides_value(text: str, value: JsonValue) -> bool:
    """Tell whether a part of the value that would be found is not in the text.

    Of what is too small to be found (`0 false "" [] {}`) nobody knows; it has to be looked for in its place.
    """
    return not all(_find_leaves(text, value))


def tells_value(told: JsonValue, value: JsonValue) -> bool:
    """Tell whether a place tells the value: it holds it, or all of an object or a list in a notation unknown here."""
    if holds_value(told, value):
        return True
    is_unread = isinstance(value, dict | list) and isinstance(told, str) and not is_readable(told)
    return is_unread and text_shows(str(told), value)


def tells_args(told: JsonValue, args: JsonObject) -> bool:
    """Whether a place tells the args; those that are empty as the LM may have written them (choice `empty-args`)."""
    return tells_value(told, args) or (not args and is_nothing(as_text(told)))


def count_times(text: str, value: str) -> int:
    """Return how often the text contains a text, in the spelling in which it does most often."""
    folded = _fold_text(text)
    return max(folded.count(spelling) for spelling in _folded_spellings(value))


def is_small(value: JsonValue) -> bool:
    """Tell whether the value can't be told from the text around it."""
    return not list(_walk_leaves(value))


def is_unusual(value: JsonValue) -> bool:
    """Tell whether a text in the value has characters beyond those of plain ASCII."""
    return any(isinstance(leaf, str) and not (leaf.isascii() and leaf.isprintable()) for leaf in _walk_leaves(value))


def names_whole_word(text: str, name: str) -> bool:
    """Tell whether the text has the name in its own right: `add` isn't named by `address`."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def list_spellings(value: str) -> list[str]:
    """How a text may stand in a text: as it is, or inside JSON or a Python literal, which may itself be inside JSON."""
    if _PLAIN.fullmatch(value):
        return [value]
    once = [json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1], repr(value)[1:-1]]
    twice = [json.dumps(spelling, ensure_ascii=ascii_)[1:-1] for spelling in once for ascii_ in (True, False)]
    return [value, *once, *twice, _escape_xml(value)]


def _find_leaves(text: str, value: JsonValue) -> list[bool]:
    folded = _fold_text(text)
    return [_shows_scalar(folded, leaf) for leaf in _walk_leaves(value)]


def _walk_leaves(value: JsonValue) -> Iterator[JsonValue]:
    """Yield the parts of a value that can be found in a text."""
    match value:
        case dict():
            for key, inner in value.items():
                yield from (*_walk_leaves(key), *_walk_leaves(inner))
        case list():
            for inner in value:
                yield from _walk_leaves(inner)
        case str():
            if value.strip():
                yield value
        case _ if value is None or value:  # neither 0 nor false
            yield value


def _shows_scalar(folded: str, value: JsonValue) -> bool:
    match value:
        case str():
            return any(spelling in folded for spelling in _folded_spellings(value))
        case None:
            return any(null in folded for null in NULLS)
        case bool():
            return any(word in folded for word in (json.dumps(value), str(value)))
    numbers = _NUMBER.findall(_ESCAPED_SPACE.sub(" ", folded))
    return any(is_same_value(_parse_number(number), value) for number in numbers)


@lru_cache(maxsize=_KEPT)
def _folded_spellings(value: str) -> tuple[str, ...]:
    # Whose escaped blanks have been read, as `\\u000a`, may have the rest as JSON has it.
    written = (*list_spellings(value), *list_spellings(" ".join(value.split())))
    return tuple(dict.fromkeys(map(_fold_text, written)))


def _parse_number(written: str) -> float | int | None:
    return read_number(written) if written.lstrip("-").isdigit() else float(written)


def _escape_xml(value: str) -> str:
    return value.replace("&", "&amp;").replace("<", "&lt;")


@lru_cache(maxsize=_KEPT)
def _fold_text(text: str) -> str:
    return " ".join(_replace_escapes(text).split())


def _replace_escapes(text: str) -> str:
    """Return the text with the characters that it has as `\\u003c`: each library decides for itself which."""
    if "\\u" not in text:
        return text
    read = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
    # Two halves of a surrogate pair are a character.
    return read.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


#: Near misses: with quotes or blank space around it, or in other letters too, where exactly one tool fits.
Match = Literal["exact", "near miss", "other letters", "unknown"]


@dataclass(frozen=True)
class ToolName:
    """A name, and the tool that it may be taken for.

    What an LM puts around a name leaves no doubt which is meant, nor do other letters where only one tool fits: a near
    miss is that tool, or none, by the choice `tool-name-matching`.
    """

    written: str
    tool: str | None

    @property
    def match(self) -> Match:
        if self.tool is None:
            return "unknown"
        if self.tool == self.written:
            return "exact"
        return "near miss" if self.tool == self.bare else "other letters"

    @property
    def bare(self) -> str:
        """The name without the blank space, quotes or backticks around it."""
        return bare_name(self.written)


def read_name(written: str, known: Iterable[str]) -> ToolName:
    """Return the name, read against those that there are."""
    names, bare = tuple(dict.fromkeys(known)), bare_name(written)
    alike = [name for name in names if name.lower() == bare.lower()]
    meant = (written, bare, *(alike if len(alike) == 1 else ()))
    return ToolName(written, next((name for name in meant if name in names), None))


def read_case_name(written: str, case: Case) -> ToolName:
    """Return the name, read against the tools of a case and `finish`."""
    return read_name(written, (FINISH, *(tool.name for tool in case.tools)))
