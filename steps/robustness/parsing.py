"""The subject's parser: what it makes of replies that are written for it (PRS-001, PRS-002)."""

import re
from collections.abc import Iterator
from random import Random

from parse import with_pattern
from pydantic import JsonValue
from pytest_bdd import given, parsers, then, when

from react_tck.dialects.markup import can_carry, has_markup
from react_tck.fakes.corpus import LOST_TEXTS, LOST_VALUES, ODD_TEXTS, make_fields, near_reply
from react_tck.judges.verdict import Unsupported, check
from react_tck.model.base import JsonObject
from react_tck.model.intent import CallTool
from react_tck.play.parsing import (
    WHOLE_TEXTS,
    Schemas,
    encode_fields,
    field_sets,
    neither_fields_nor_typed_error,
    not_as_written,
    read_back,
    read_text,
    slower_than_linear,
)
from react_tck.steps.language import sentence
from react_tck.steps.world import World
from react_tck.subjects.api import HarnessBroken, Parser

#: Values of the types that aren't text, where the text alone is what is odd.
_OTHERS: JsonObject = {"integer": 7, "number": 0.5, "boolean": True}


@given("the parser of its replies")
def has_parser(world: World) -> None:
    """Offered by subjects with the operation `parse`."""
    world.needs("parse")


@when(parsers.re(r"(?:fields with (?P<kind>.+)|(?P<count>\d+) sets of odd fields) are written in each of its dialects"))
def fields_written(world: World, kind: str | None, count: str | None) -> None:
    """Each text of a kind in every field, as far as the dialect can carry it, or fields made by chance."""
    for dialect, schemas in _list_questions(world):
        for values in (
            _of_kind(kind, dialect, schemas) if kind else _by_chance(world, int(count or 0), dialect, schemas)
        ):
            world.readings.append(read_back(_require_parser(world), dialect, values, schemas))


@when(sentence("it reads {what}, in each of its dialects"))
def reads_texts(world: World, what: str) -> None:
    """Texts that nobody wrote as a reply, or a reply that lacks a field."""
    for dialect, schemas in _list_questions(world):
        for text in _make_texts(world, what, dialect, schemas):
            world.readings.append(read_text(_require_parser(world), dialect, text, schemas))


@then("they are read as they were written")
def read_as_written(world: World) -> None:
    """Name by name, value by value.

    Raises:
        Violation: at the first that isn't.
    """
    if not world.readings:
        raise Unsupported(f"no dialect of {world.manifest.name} can carry such fields")
    for reading in world.readings:
        if violation := not_as_written(reading):
            raise violation


@with_pattern("(?:the fields or )?")
def or_fields(text: str) -> bool:
    """Whether the fields will do as well."""
    return bool(text)


@then(sentence("each gives {fields:OrFields}a typed parse error", OrFields=or_fields))
def typed_error(world: World, fields: bool) -> None:
    """Nothing else, whatever the text; a field that isn't there can't be given.

    Raises:
        Violation: at the first that gives something else.
    """
    for reading in world.readings:
        if violation := neither_fields_nor_typed_error(reading, world.manifest):
            raise violation
        found = reading.parsed.fields
        check(fields or found is None, f"a parse error of {reading.parsing.reply.content!r}", f"the fields {found}")


@then(sentence("the time it takes for {shape} is linear in their length, in each of its dialects"))
def takes_linear_time(world: World, shape: str) -> None:
    """Measured on doubled texts; see `react_tck.play.parsing`.

    Raises:
        Violation: if it grows faster.
    """
    for dialect in _list_text_dialects(world):
        schemas = field_sets(world.manifest, dialect)[0]
        if violation := slower_than_linear(_require_parser(world), dialect, shape, schemas):
            raise violation


@given(sentence('the LM calls "{tool}" with each value that a language loses'))
def lm_calls_with_lost_values(world: World, tool: str) -> None:
    """A step for each, with the value under a key of the arg `value`."""
    for value, _ in LOST_VALUES.values():
        step = CallTool(tool=tool, args={"value": {"it": value}}, thought=world.make_thought())
        world.arrangement.steps.append(step)


@when("it is called with the texts that a language loses")
def called_with_lost_texts(world: World) -> None:
    """All of them, a line each, as the question."""
    world.call({"question": "\n".join(LOST_TEXTS)})


def _of_kind(kind: str, dialect: str, schemas: Schemas) -> Iterator[JsonObject]:
    for text in ODD_TEXTS[kind]:
        values = _fill_fields(text, schemas)
        if all(can_carry(dialect, value) for value in values.values()):
            yield values


def _by_chance(world: World, count: int, dialect: str, schemas: Schemas) -> Iterator[JsonObject]:
    for number in range(count):
        yield make_fields(_make_random(world, dialect, number), dialect, schemas)


def _make_texts(world: World, what: str, dialect: str, schemas: Schemas) -> Iterator[str]:
    near = re.fullmatch(r"(\d+) texts near the grammar", what)
    if near:
        yield from (
            near_reply(_make_random(world, dialect, number), dialect, schemas) for number in range(int(near[1]))
        )
    elif what == "replies with one field left out":
        for left_out in schemas:
            values = {name: value for name, value in _fill_fields("words", schemas).items() if name != left_out}
            yield encode_fields(dialect, values).content or ""
    else:
        yield from WHOLE_TEXTS[what](dialect, schemas)


def _make_random(world: World, dialect: str, number: int) -> Random:
    """A source of its own for each, so that they are the same every time."""
    return Random(f"{world.case_id} {dialect} {number}")


def _require_parser(world: World) -> Parser:
    if not isinstance(world.subject, Parser):
        raise HarnessBroken("the manifest declares 'parse', and there is no such operation")
    return world.subject


def _list_text_dialects(world: World) -> tuple[str, ...]:
    """Those of text: a native reply is the provider's to write."""
    return tuple(filter(has_markup, world.manifest.dialects))


def _list_questions(world: World) -> Iterator[tuple[str, Schemas]]:
    for dialect in _list_text_dialects(world):
        for schemas in field_sets(world.manifest, dialect):
            yield dialect, schemas


def _fill_fields(text: str, schemas: Schemas) -> JsonObject:
    """The text in every field that can hold it."""
    return {name: _fill_value(text, schema) for name, schema in schemas.items()}


def _fill_value(text: str, schema: JsonObject) -> JsonValue:
    inside: dict[str, JsonValue] = {
        "string": text,
        "array": [text, text],
        "object": {"query": text, text: [None, {"deep": text}]},
        **_OTHERS,
    }
    return inside[str(schema["type"])]
