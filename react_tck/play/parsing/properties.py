"""The two properties of a parser: it undoes the encoding, and it makes fields or a typed error of any text."""

from collections.abc import Mapping
from typing import NamedTuple

from react_tck.dialects import native
from react_tck.dialects.fields import REASONING, THOUGHT, TOOL_ARGS, TOOL_NAME
from react_tck.dialects.markup import MARKUPS
from react_tck.judges.verdict import Violation
from react_tck.model.base import JsonObject
from react_tck.model.intent import CallTool
from react_tck.model.lm import Ask, Completion
from react_tck.model.manifest import Manifest
from react_tck.model.protocol import Parsed, Parsing
from react_tck.record.values import same
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
    """The sets of fields that the subject can be asked for in a dialect."""
    if dialect == "native":
        return (_STEP,)
    return (_ANSWER, _STEP, _TYPED) if "typed-fields" in manifest.capabilities else (_ANSWER,)


def encode(dialect: str, values: JsonObject) -> Completion:
    """The reply of these fields."""
    if dialect == "native":
        step = CallTool.model_validate(
            {"tool": values[TOOL_NAME], "args": values[TOOL_ARGS], "thought": values[THOUGHT]}
        )
        return native.render(step, Ask(phase="step", dialect=dialect, fields=tuple(_STEP)))
    markup = MARKUPS[dialect]
    return Completion(content=markup.reply(markup.pieces(values)))


#: Characters of a text that a message shows.
_SHOWN = 400


class ParserReading(NamedTuple):
    """A reply that a parser was given to read, what it made of it, and the fields that were written, if any were."""

    parsing: Parsing
    parsed: Parsed
    written: JsonObject | None = None


def read_back(parser: Parser, dialect: str, values: JsonObject, schemas: Schemas) -> ParserReading:
    """Let the parser read the reply of these fields."""
    parsing = Parsing(dialect=dialect, reply=encode(dialect, values), fields=dict(schemas))
    return ParserReading(parsing, parser.parse(parsing), values)


def read_text(parser: Parser, dialect: str, text: str, schemas: Schemas) -> ParserReading:
    """Let the parser read a text."""
    parsing = Parsing(dialect=dialect, reply=Completion(content=text), fields=dict(schemas))
    return ParserReading(parsing, parser.parse(parsing))


def not_as_written(reading: ParserReading) -> Violation | None:
    """PRS-001: the fields come back as they were written."""
    values, found = reading.written or {}, reading.parsed.fields
    if found is None:
        return Violation(_is_read(reading), f"the parser raised {_error(reading.parsed)}")
    missing = next((name for name in values if name not in found), None)
    if missing is not None:
        return Violation(_is_read(reading), f"there is no {missing!r} in what it read: {cut(found)}")
    changed = next((name for name in values if not same(values[name], found[name])), None)
    if changed is None:
        return None
    return Violation(
        f"{changed!r}, written in {reading.parsing.dialect}, is read as it was written: {cut(values[changed])}",
        f"it was read as {cut(found[changed])}",
    )


def neither_fields_nor_typed_error(reading: ParserReading, manifest: Manifest) -> Violation | None:
    """PRS-002: whatever the text, there are exactly the fields asked for, or a parse error of a declared type."""
    parsing, found = reading.parsing, reading.parsed
    outcomes = f"the fields {', '.join(parsing.fields)}, or an error ({', '.join(manifest.parse_errors)})"
    expected = f"{outcomes}, of this {parsing.dialect}: {_text(parsing)}"
    if found.fields is None:
        crashed = found.error is None or found.error.type not in manifest.parse_errors
        return Violation(expected, f"the parser raised {_error(found)}") if crashed else None
    if found.fields.keys() != parsing.fields.keys():
        return Violation(expected, f"the fields {', '.join(found.fields) or '(none)'}")
    return _made_of_nothing(reading, found.fields, expected)


def cut(value: object) -> str:
    """A value as a message shows it."""
    shown = ascii(value) if isinstance(value, str) else repr(value)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}… ({len(shown)} characters)"


def _made_of_nothing(reading: ParserReading, fields: Mapping[str, object], expected: str) -> Violation | None:
    """None stands for a field that isn't there, unless the text says so itself: then the type is all that is wrong."""
    says_so = any(word in (reading.parsing.reply.content or "").lower() for word in ("null", "none"))
    empty = next((name for name, value in fields.items() if value is None), None)
    return Violation(expected, f"{empty!r} is None, which the text doesn't say") if empty and not says_so else None


def _is_read(reading: ParserReading) -> str:
    fields = ", ".join(reading.written or {})
    return f"the fields {fields} are read from this {reading.parsing.dialect}: {_text(reading.parsing)}"


def _text(parsing: Parsing) -> str:
    calls = "".join(f" {call.name}({call.arguments})" for call in parsing.reply.tool_calls)
    return cut((parsing.reply.content or "") + calls)


def _error(found: Parsed) -> str:
    return f"{found.error.type}: {cut(found.error.message)}" if found.error else "nothing, and gave no fields"
