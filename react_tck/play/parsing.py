"""What is demanded of a parser: it undoes the encoding, makes fields or a typed error of any text, in linear time.

Time: a text of a shape is doubled until the parser takes long enough to be timed, or the text is long enough. Each
time is the least of several, as nothing makes a parser faster than it is. Over the last eightfold growth a linear
parser takes 8 times as long and a quadratic one 64 times; the line is drawn between them. A shape is called worse than
linear only if it is so in each of the last doublings as well, as a text that outgrows a cache makes one jump, and in
every one of several measurements, so that a busy machine doesn't decide. Each of these goes on to longer texts than the
one before: memory that was never touched, and a processor that others share, make long texts dearer by some factor,
which once reached doesn't grow.
"""

import gc
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from time import sleep
from typing import NamedTuple

from pydantic import JsonValue

from react_tck.dialects import native
from react_tck.dialects.fields import REASONING, THOUGHT, TOOL_ARGS, TOOL_NAME
from react_tck.dialects.markup import MARKUPS, find_markup
from react_tck.fakes.corpus import ODD_TEXTS
from react_tck.judges.verdict import Violation
from react_tck.model.base import JsonObject
from react_tck.model.intent import CallTool
from react_tck.model.lm import Ask, Completion
from react_tck.model.manifest import Manifest
from react_tck.model.protocol import Parsed, Parsing
from react_tck.record.values import is_same_value
from react_tck.subjects.api import Parser

Schemas = Mapping[str, JsonObject]

_TEXT: JsonObject = {"type": "string"}
_STEP: Schemas = {THOUGHT: _TEXT, TOOL_NAME: _TEXT, TOOL_ARGS: {"type": "object"}}
_ANSWER: Schemas = {REASONING: _TEXT, "answer": _TEXT}
_TYPED: Schemas = {
    REASONING: _TEXT,
    "answer": _TEXT,
    "count": {"type": "integer"},
    "score": {"type": "number"},
    "sure": {"type": "boolean"},
    "sources": {"type": "array", "items": _TEXT},
}


def field_sets(manifest: Manifest, dialect: str) -> tuple[Schemas, ...]:
    """Return the sets of fields that the subject can be asked for in a dialect."""
    if dialect == "native":
        return (_STEP,)
    return (_ANSWER, _STEP, _TYPED) if "typed-fields" in manifest.capabilities else (_ANSWER,)


def encode_fields(dialect: str, values: JsonObject) -> Completion:
    """Return the reply of these fields."""
    if dialect == "native":
        step = CallTool.model_validate(
            {"tool": values[TOOL_NAME], "args": values[TOOL_ARGS], "thought": values[THOUGHT]}
        )
        return native.render_reply(step, Ask(phase="step", dialect=dialect, fields=tuple(_STEP)))
    marks = find_markup(dialect)
    return Completion(content=marks.render_reply(marks.render_pieces(values)))


Shape = Callable[[int, str, Schemas], str]


def _open_mark(dialect: str, name: str) -> str:
    return find_markup(dialect).render_opening(name)


def _write_one_value(size: int, dialect: str, schemas: Schemas) -> str:
    return _open_mark(dialect, next(iter(schemas))) + "word " * (size // 5)


def _write_marks(size: int, dialect: str, _: Schemas) -> str:
    mark = _open_mark(dialect, "other")
    return f"{mark}\n" * (size // len(mark))


def _different_marks(size: int, dialect: str, _: Schemas) -> str:
    marks = find_markup(dialect)
    return marks.render_reply((f"other_{number}", '"x"') for number in range(size // 30))


def _the_same_mark(size: int, dialect: str, schemas: Schemas) -> str:
    marks, name = find_markup(dialect), next(iter(schemas))
    return marks.render_reply((name, '"x"') for _ in range(size // 30))


def _write_blanks(size: int, dialect: str, schemas: Schemas) -> str:
    return f"{_open_mark(dialect, next(iter(schemas)))}{' ' * size}x"


def _repeat_piece(piece: str) -> Shape:
    return lambda size, _, __: piece * (size // len(piece))


SHAPES: Mapping[str, Shape] = {
    "one long value": _write_one_value,
    "many marks": _write_marks,
    "many fields": _different_marks,
    "one field many times": _the_same_mark,
    "much blank space": _write_blanks,
    "many line feeds": _repeat_piece("\n"),
    "halves of marks": _repeat_piece("[[ ## <a "),
    "opening brackets": _repeat_piece("["),
    "opening braces": _repeat_piece("{"),
    "open objects": _repeat_piece('{"a":'),
    "open elements": _repeat_piece("<a>"),
    "quotes": _repeat_piece('"'),
    "backslashes": _repeat_piece("\\"),
    "ampersands": _repeat_piece("&amp;&"),
    "digits": _repeat_piece("9"),
    "fences": _repeat_piece("```json\n"),
}


#: Deeper than any parser's stack, and digits more than any number has.
_MUCH = 20_000

_OTHERS: tuple[JsonValue, ...] = (None, [], {}, "words", 5, [[{}]])
_SAMPLES: JsonObject = {"string": "words", "integer": 7, "number": 0.5, "boolean": True, "array": [], "object": {}}


def _write_broken_reply(dialect: str, schemas: Schemas) -> str:
    values = {name: _SAMPLES[str(schema["type"])] for name, schema in schemas.items()}
    return encode_fields(dialect, values).content or ""


def _list_empty_texts(_: str, __: Schemas) -> Iterable[str]:
    return ("", " ", "\n\n", "\x00")


def _list_prose(_: str, __: Schemas) -> Iterable[str]:
    return (text for texts in ODD_TEXTS.values() for text in texts)


def _list_truncated_replies(dialect: str, schemas: Schemas) -> Iterable[str]:
    whole = _write_broken_reply(dialect, schemas)
    return (whole[:at] for at in range(len(whole)))


def _list_other_dialects(_: str, schemas: Schemas) -> Iterable[str]:
    return (_write_broken_reply(other, schemas) for other in MARKUPS)


def _make_shapes(*shapes: str) -> Callable[[str, Schemas], Iterable[str]]:
    return lambda dialect, schemas: (SHAPES[shape](_MUCH, dialect, schemas) for shape in shapes)


def _list_mistyped_replies(dialect: str, schemas: Schemas) -> Iterable[str]:
    for name in schemas:
        for value in _OTHERS:
            values = {other: _SAMPLES[str(schema["type"])] for other, schema in schemas.items()}
            yield encode_fields(dialect, {**values, name: value}).content or ""


WHOLE_TEXTS: Mapping[str, Callable[[str, Schemas], Iterable[str]]] = {
    "nothing": _list_empty_texts,
    "prose": _list_prose,
    "a reply cut off anywhere": _list_truncated_replies,
    "replies in other dialects": _list_other_dialects,
    "fields of other types": _list_mistyped_replies,
    "brackets nested deeply": _make_shapes("opening brackets", "opening braces", "open objects", "open elements"),
    "a very long number": _make_shapes("digits"),
    "marks and nothing else": _make_shapes("many marks", "halves of marks", "one field many times"),
}


#: Characters of a text that a message shows.
_SHOWN = 400


class ParserReading(NamedTuple):
    """A reply that a parser was given to read, what it made of it, and the fields that were written, if any were."""

    parsing: Parsing
    parsed: Parsed
    written: JsonObject | None = None


def read_back(parser: Parser, dialect: str, values: JsonObject, schemas: Schemas) -> ParserReading:
    """Let the parser read the reply of these fields."""
    parsing = Parsing(dialect=dialect, reply=encode_fields(dialect, values), fields=dict(schemas))
    return ParserReading(parsing, parser.parse(parsing), values)


def read_text(parser: Parser, dialect: str, text: str, schemas: Schemas) -> ParserReading:
    """Let the parser read a text."""
    parsing = Parsing(dialect=dialect, reply=Completion(content=text), fields=dict(schemas))
    return ParserReading(parsing, parser.parse(parsing))


def not_as_written(reading: ParserReading) -> Violation | None:
    """PRS-001: the fields come back as they were written."""
    values, found = reading.written or {}, reading.parsed.fields
    if found is None:
        return Violation(_expect_fields(reading), f"the parser raised {_describe_error(reading.parsed)}")
    missing = next((name for name in values if name not in found), None)
    if missing is not None:
        return Violation(_expect_fields(reading), f"there is no {missing!r} in what it read: {shorten_value(found)}")
    changed = next((name for name in values if not is_same_value(values[name], found[name])), None)
    if changed is None:
        return None
    return Violation(
        f"{changed!r}, written in {reading.parsing.dialect}, is read as it was written: "
        f"{shorten_value(values[changed])}",
        f"it was read as {shorten_value(found[changed])}",
    )


def neither_fields_nor_typed_error(reading: ParserReading, manifest: Manifest) -> Violation | None:
    """PRS-002: whatever the text, there are exactly the fields asked for, or a parse error of a declared type."""
    parsing, found = reading.parsing, reading.parsed
    outcomes = f"the fields {', '.join(parsing.fields)}, or an error ({', '.join(manifest.parse_errors)})"
    expected = f"{outcomes}, of this {parsing.dialect}: {_write_reply(parsing)}"
    if found.fields is None:
        crashed = found.error is None or found.error.type not in manifest.parse_errors
        return Violation(expected, f"the parser raised {_describe_error(found)}") if crashed else None
    if found.fields.keys() != parsing.fields.keys():
        return Violation(expected, f"the fields {', '.join(found.fields) or '(none)'}")
    return _made_of_nothing(reading, found.fields, expected)


def shorten_value(value: object) -> str:
    """Return a value as a message shows it."""
    shown = ascii(value) if isinstance(value, str) else repr(value)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}… ({len(shown)} characters)"


def _made_of_nothing(reading: ParserReading, fields: Mapping[str, object], expected: str) -> Violation | None:
    """None stands for a field that isn't there, unless the text says so itself: then the type is all that is wrong."""
    says_so = any(word in (reading.parsing.reply.content or "").lower() for word in ("null", "none"))
    empty = next((name for name, value in fields.items() if value is None), None)
    return Violation(expected, f"{empty!r} is None, which the text doesn't say") if empty and not says_so else None


def _expect_fields(reading: ParserReading) -> str:
    fields = ", ".join(reading.written or {})
    return f"the fields {fields} are read from this {reading.parsing.dialect}: {_write_reply(reading.parsing)}"


def _write_reply(parsing: Parsing) -> str:
    calls = "".join(f" {call.name}({call.arguments})" for call in parsing.reply.tool_calls)
    return shorten_value((parsing.reply.content or "") + calls)


def _describe_error(found: Parsed) -> str:
    return f"{found.error.type}: {shorten_value(found.error.message)}" if found.error else "nothing, and gave no fields"


_FIRST, _LAST = 256, 2**19
#: Seconds: a text that takes longer is long enough, and one that takes less can't be timed.
_ENOUGH, _MEASURABLE = 0.03, 0.015
#: Time grows with this power of the length: 1 is linear, 2 quadratic. A doubling takes 2 or 4 times as long.
_LINE, _DOUBLING = 1.65, 2.8
_REPEATS = 3
#: A doubling that takes so many times as long needs no longer text, which might take for ever.
_STEEP = 16
#: Seconds before each measurement, in which whatever else keeps the machine busy passes.
_PAUSES = (0.0, 0.2, 0.8)


def slower_than_linear(parser: Parser, dialect: str, shape: str, schemas: Schemas) -> Violation | None:
    """Return what is wrong if the time grows faster than the text, in longer and longer texts."""
    times: dict[int, float] = {}
    for doublings, pause in enumerate(_PAUSES):
        sleep(pause)
        with _without_collection():
            again = dict(_measure_times(parser, dialect, SHAPES[shape], schemas, doublings))
        times = {size: min(took, times.get(size, took)) for size, took in again.items()}
        if not _is_worse(times):
            return None
    return _describe_growth(times, f"{shape} in {dialect}")


def _is_worse(times: Mapping[int, float]) -> bool:
    last = max(times)
    if times[last] < _MEASURABLE or last // 8 not in times:
        return False
    doublings = times[last] / times[last // 2], times[last // 2] / times[last // 4]
    return _measure_power(times) >= _LINE and min(doublings) >= _DOUBLING


def _measure_power(times: Mapping[int, float]) -> float:
    last = max(times)
    return math.log(times[last] / times[last // 8]) / math.log(8)


def _describe_growth(times: Mapping[int, float], what: str) -> Violation:
    last = max(times)
    return Violation(
        f"the time for {what} grows as the text does, with the power 1 of its length",
        f"with the power {_measure_power(times):.1f}: {times[last // 8] * 1000:.1f} ms for {last // 8} characters, "
        f"{times[last] * 1000:.1f} ms for {last}",
    )


def _measure_times(
    parser: Parser, dialect: str, shape: Shape, schemas: Schemas, doublings: int
) -> Iterator[tuple[int, float]]:
    """Sizes, so many doublings longer than would do, and the seconds that each takes."""
    size, before = _FIRST, math.inf
    while size <= _LAST << doublings:
        parsing = Parsing(
            dialect=dialect, reply=Completion(content=shape(size, dialect, schemas)), fields=dict(schemas)
        )
        took = min(_measure_seconds(parser, parsing) for _ in range(_REPEATS))
        yield size, took
        if took > _ENOUGH * 4**doublings or (took > _ENOUGH and took > before * _STEEP):
            return
        size, before = size * 2, took


@contextmanager
def _without_collection() -> Iterator[None]:
    """Leave the garbage of earlier scenarios for later: it isn't this parser's to wait for."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _measure_seconds(parser: Parser, parsing: Parsing) -> float:
    start = parser.clock()
    parser.parse(parsing)
    return parser.clock() - start
