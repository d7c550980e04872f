"""Texts that nobody wrote as a reply, by what they are (PRS-002)."""

from collections.abc import Callable, Iterable, Mapping

from pydantic import JsonValue

from react_tck.dialects.markup import MARKUPS
from react_tck.fakes.corpus import ODD_TEXTS
from react_tck.model.base import JsonObject
from react_tck.play.parsing.properties import Schemas, encode
from react_tck.play.parsing.timing import SHAPES

#: Deeper than any parser's stack, and digits more than any number has.
_MUCH = 20_000

_OTHERS: tuple[JsonValue, ...] = (None, [], {}, "words", 5, [[{}]])
_SAMPLES: JsonObject = {"string": "words", "integer": 7, "number": 0.5, "boolean": True, "array": [], "object": {}}


def _reply(dialect: str, schemas: Schemas) -> str:
    values = {name: _SAMPLES[str(schema["type"])] for name, schema in schemas.items()}
    return encode(dialect, values).content or ""


def _nothing(_: str, __: Schemas) -> Iterable[str]:
    return ("", " ", "\n\n", "\x00")


def _prose(_: str, __: Schemas) -> Iterable[str]:
    return (text for texts in ODD_TEXTS.values() for text in texts)


def _truncated(dialect: str, schemas: Schemas) -> Iterable[str]:
    whole = _reply(dialect, schemas)
    return (whole[:at] for at in range(len(whole)))


def _others(_: str, schemas: Schemas) -> Iterable[str]:
    return (_reply(other, schemas) for other in MARKUPS)


def _shaped(*shapes: str) -> Callable[[str, Schemas], Iterable[str]]:
    return lambda dialect, schemas: (SHAPES[shape](_MUCH, dialect, schemas) for shape in shapes)


def _mistyped(dialect: str, schemas: Schemas) -> Iterable[str]:
    for name in schemas:
        for value in _OTHERS:
            values = {other: _SAMPLES[str(schema["type"])] for other, schema in schemas.items()}
            yield encode(dialect, {**values, name: value}).content or ""


WHOLE_TEXTS: Mapping[str, Callable[[str, Schemas], Iterable[str]]] = {
    "nothing": _nothing,
    "prose": _prose,
    "a reply cut off anywhere": _truncated,
    "replies in other dialects": _others,
    "fields of other types": _mistyped,
    "brackets nested deeply": _shaped("opening brackets", "opening braces", "open objects", "open elements"),
    "a very long number": _shaped("digits"),
    "marks and nothing else": _shaped("many marks", "halves of marks", "one field many times"),
}
