"""Whether a text shows a value, however its author chose to write it."""

import json
import re

from pydantic import JsonValue


def shows(text: str, value: JsonValue) -> bool:
    """Whether the text contains the value: as it is, as JSON, or as Python writes it; blank space apart.

    Of an object or a list, every key and every item must be there.
    """
    folded = _fold(text)
    return all(_shows_scalar(folded, leaf) for leaf in _leaves(value))


def names(text: str, name: str) -> bool:
    """Whether the text has the name in its own right: `add` isn't named by `address`."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _leaves(value: JsonValue) -> list[JsonValue]:
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in (key, *_leaves(inner))]
    if isinstance(value, list):
        return [leaf for inner in value for leaf in _leaves(inner)]
    return [value]


def _shows_scalar(folded: str, value: JsonValue) -> bool:
    return any(_fold(spelling) in folded for spelling in _spellings(value))


def _spellings(value: JsonValue) -> list[str]:
    if not isinstance(value, str):
        return [json.dumps(value), repr(value)]
    # A text inside JSON or a Python literal may itself be inside JSON: one more level of escapes.
    once = [json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1], repr(value)[1:-1]]
    twice = [json.dumps(spelling)[1:-1] for spelling in once]
    return [value, *once, *twice, _escaped_xml(value)]


def _escaped_xml(value: str) -> str:
    return value.replace("&", "&amp;").replace("<", "&lt;")


def _fold(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
