"""Pieces of sentences: JSON values, lists of quoted names, and words that may be left away."""

import json
import re
from collections.abc import Callable, Mapping
from functools import cached_property
from types import NoneType
from typing import Any, TypeVar

import parse
from parse import with_pattern
from pydantic import JsonValue
from pytest_bdd.parsers import StepParser

from react_tck.adapter.declare import Capability
from react_tck.model.signature import Form

#: Names in quotes, one or several.
NAMES = r'"[^"]+"(?:(?:, | and | or )"[^"]+")*'
_FORMS = {"arrow string": Form.ARROW, "signature class": Form.CLASS, "signature value": Form.VALUE}
_TEXT = r'"(?:[^"\\]|\\.)*"'
#: Types of values that nobody can change: they are read once for a text.
_IMMUTABLE = (str, int, float, NoneType)

Asking = TypeVar("Asking", bound=Callable[..., Any])


#: What a subject has to declare, by the function of the sentence, or the value in one, that asks for it.
_NEEDS: dict[Callable[..., Any], tuple[Capability, ...]] = {}


def needing(*capabilities: Capability) -> Callable[[Asking], Asking]:
    """Mark what can be asked only of a subject that declares these: that is decided before anything is played."""

    def mark(asking: Asking) -> Asking:
        _NEEDS[asking] = capabilities
        return asking

    return mark


def find_needs(*asked: Any) -> tuple[Capability, ...]:
    """The capabilities without which a sentence with these values can't be asked."""
    return tuple(capability for each in asked if callable(each) for capability in _NEEDS.get(each, ()))


class Sentence(StepParser):
    """A text with values in it; `{name:Type}` marks the place of each, as the library `parse` has it."""

    def __init__(self, text: str, types: Mapping[str, Callable[[str], Any]], example: str = "") -> None:
        super().__init__(text)
        #: A use of it, where it is for other people's features and the kit's own have none.
        self.example = example
        #: What reads the values, by the names that they have in the text.
        self.types = types
        self._known: dict[str, dict[str, Any]] = {}

    def is_matching(self, name: str) -> bool:
        """Whether the step's text is this sentence."""
        return self.parse_arguments(name) is not None

    def parse_arguments(self, name: str) -> dict[str, Any] | None:
        """The values in the step's text; None if it isn't this sentence.

        Lists and objects are read anew each time: a step that is given one may change it.
        """
        if not name.startswith(self.prefix):
            return None
        if name in self._known:
            return self._known[name]
        try:
            found = self._parser.parse(name)
        except ValueError:
            return None
        if not found:
            return None
        values: dict[str, Any] = found.named
        if all(isinstance(value, _IMMUTABLE) for value in values.values()):
            self._known[name] = values
        return values

    @cached_property
    def prefix(self) -> str:
        """The text before the first value; a step that begins otherwise needs no parser."""
        return self.name.partition("{")[0]

    @cached_property
    def _parser(self) -> parse.Parser:
        return parse.compile(self.name, extra_types=dict(self.types), case_sensitive=True)


def sentence(text: str, example: str = "", **types: Any) -> Sentence:
    """A sentence with the pieces of this module in it, and those of `types`."""
    return Sentence(text, {**_TYPES, **types}, example)


@with_pattern(r"\{.*\}")
def json_object(text: str) -> Any:
    """A JSON object: `{"a": 2}`."""
    return json.loads(text)


@with_pattern(r".+")
def json_value(text: str) -> Any:
    """A JSON value; what is not JSON is a mistake in the feature."""
    value: JsonValue = json.loads(text)
    return value


@with_pattern(rf"{_TEXT}|-?\d[\d.]*|\[.*\]|\{{.*\}}|true|false|null")
def read_literal(text: str) -> Any:
    """A JSON value: a text in quotes, a number, a list, an object, `true`, `false` or `null`."""
    return json_value(text)


@with_pattern(_TEXT)
def json_text(text: str) -> str:
    """A text as JSON, quotes included; what JSON would have escaped may stand there as it is."""
    value: str = json.loads(text, strict=False)
    return value


@with_pattern(NAMES)
def read_names(text: str) -> tuple[str, ...]:
    """Names in quotes: `"add"`, `"add" and "search"`, `"a", "b" or "c"`."""
    return tuple(re.findall(r'"([^"]+)"', text))


@with_pattern(rf"tools? {NAMES}")
def read_tools(text: str) -> tuple[str, ...]:
    """`tool "add"`, `tools "add" and "search"`."""
    found: tuple[str, ...] = read_names(text)
    return found


@with_pattern(rf"(?: with the tools? {NAMES})?")
def read_with_tools(text: str) -> tuple[str, ...]:
    """` with the tool "add"`, or nothing."""
    found: tuple[str, ...] = read_names(text)
    return found


@with_pattern(r'[^"]*')
def read_quoted(text: str) -> str:
    """Any text without quotes in it."""
    return text


@with_pattern(r".*")
def any_text(text: str) -> str:
    """Any text, with quotes in it or without."""
    return text


@with_pattern("|".join(_FORMS))
def read_form(text: str) -> Form:
    """A form of the signature."""
    return _FORMS[text]


@with_pattern(rf"(?:the (?:{'|'.join(_FORMS)}) )?")
def read_in_form(text: str) -> Form | None:
    """`the arrow string `, `the signature class `, `the signature value `, or nothing where any form will do."""
    return _FORMS[text.removeprefix("the ").strip()] if text else None


@with_pattern("step|answer|extraction")
def read_phase(text: str) -> str:
    """What the LM is asked for."""
    return "step" if text == "step" else "extraction"


@with_pattern(r"(?:it refused (?:to be constructed|before it asked the LM), or )?")
def or_refused(text: str) -> bool:
    """Whether the subject may refuse instead."""
    return bool(text)


#: By the names they have in `sentence(...)`.
_TYPES = {
    "Object": json_object,
    "Json": json_value,
    "Literal": read_literal,
    "JsonText": json_text,
    "Names": read_names,
    "Tools": read_tools,
    "WithTools": read_with_tools,
    "Quoted": read_quoted,
    "Text": any_text,
    "Form": read_form,
    "InForm": read_in_form,
    "Phase": read_phase,
    "OrRefused": or_refused,
}
