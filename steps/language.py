"""Pieces of sentences: JSON values and lists of quoted names."""

import json
import re
from typing import Any

from parse import with_pattern
from pydantic import JsonValue

from react_tck.model.signature import Form


@with_pattern(r"\{.*\}")
def json_object(text: str) -> Any:
    """`{"a": 2}`."""
    return json.loads(text)


@with_pattern(r".+")
def json_value(text: str) -> Any:
    """Any JSON value; what is not JSON is a mistake in the feature."""
    value: JsonValue = json.loads(text)
    return value


@with_pattern(r'"[^"]+"(?:(?:, | and )"[^"]+")*')
def names(text: str) -> tuple[str, ...]:
    """`"add"`, `"add" and "search"`, `"a", "b" and "c"`."""
    return tuple(re.findall(r'"([^"]+)"', text))


@with_pattern(r'[^"]*')
def quoted(text: str) -> str:
    """What stands between quotes."""
    return text


@with_pattern(r".*")
def text(text: str) -> str:
    """Whatever stands there, quotes included."""
    return text


@with_pattern("arrow string|signature class|signature value")
def form(text: str) -> Form:
    """A form of the signature."""
    return {"arrow string": Form.ARROW, "signature class": Form.CLASS, "signature value": Form.VALUE}[text]


#: For `parsers.parse(..., extra_types=TYPES)`.
TYPES = {"Object": json_object, "Json": json_value, "Names": names, "Quoted": quoted, "Text": text, "Form": form}
