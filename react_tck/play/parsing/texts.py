"""Texts that a parser is given: replies of some fields, texts of a shape and any length, texts nobody wrote."""

from collections.abc import Callable, Iterable, Mapping

from pydantic import JsonValue

from react_tck.dialects import native
from react_tck.dialects.fields import REASONING, THOUGHT, TOOL_ARGS, TOOL_NAME
from react_tck.dialects.markup import MARKUPS, find_markup
from react_tck.fakes.corpus import ODD_TEXTS
from react_tck.model.base import JsonObject
from react_tck.model.intent import CallTool
from react_tck.model.lm import Ask, Completion
from react_tck.model.manifest import Manifest

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


def _write_reply(dialect: str, schemas: Schemas) -> str:
    values = {name: _SAMPLES[str(schema["type"])] for name, schema in schemas.items()}
    return encode_fields(dialect, values).content or ""


def _list_empty_texts(_: str, __: Schemas) -> Iterable[str]:
    return ("", " ", "\n\n", "\x00")


def _list_prose(_: str, __: Schemas) -> Iterable[str]:
    return (text for texts in ODD_TEXTS.values() for text in texts)


def _list_truncated_replies(dialect: str, schemas: Schemas) -> Iterable[str]:
    whole = _write_reply(dialect, schemas)
    return (whole[:at] for at in range(len(whole)))


def _list_other_dialects(_: str, schemas: Schemas) -> Iterable[str]:
    return (_write_reply(other, schemas) for other in MARKUPS)


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
