"""The subject's parser: what it makes of replies that are written for it (PRS-001, PRS-002)."""

from collections.abc import Iterator
from random import Random

from pydantic import JsonValue
from pytest_bdd import given, parsers, then, when

from react_tck.dialects.carriage import carries
from react_tck.dialects.markup import MARKUPS
from react_tck.fakes.corpus.near_misses import fields, near_reply
from react_tck.fakes.corpus.odd_texts import ODD_TEXTS
from react_tck.judges.verdict import Unsupported, check
from react_tck.model.base import JsonObject
from react_tck.play.parsing.properties import (
    Schemas,
    encode,
    field_sets,
    neither_fields_nor_typed_error,
    not_as_written,
    read_back,
    read_text,
)
from react_tck.play.parsing.timing import slower_than_linear
from react_tck.play.parsing.whole_texts import WHOLE_TEXTS
from react_tck.steps.world import World
from react_tck.subjects.api import HarnessBroken, Parser

#: Values of the types that aren't text, where the text alone is what is odd.
_OTHERS: JsonObject = {"integer": 7, "number": 0.5, "boolean": True}


@given("the parser of its replies")
def has_parser(world: World) -> None:
    """Offered by subjects with the operation `parse`."""
    world.needs("parse")


@when(parsers.parse("fields with {kind} are written in each of its dialects"))
def odd_fields_written(world: World, kind: str) -> None:
    """Each text of the kind in every field, as far as the dialect can carry it."""
    for dialect, schemas in _asked(world):
        for text in ODD_TEXTS[kind]:
            if all(carries(dialect, value) for value in _all(text, schemas).values()):
                world.readings.append(read_back(_parser(world), dialect, _all(text, schemas), schemas))


@when(parsers.parse("{count:d} sets of odd fields are written in each of its dialects"))
def many_fields_written(world: World, count: int) -> None:
    """Each from a source of chance of its own, so that they are the same every time."""
    for dialect, schemas in _asked(world):
        for number in range(count):
            values = fields(Random(f"{world.case_id} {dialect} {number}"), dialect, schemas)
            world.readings.append(read_back(_parser(world), dialect, values, schemas))


@when(parsers.parse("it reads {what}, in each of its dialects"))
def reads_texts(world: World, what: str) -> None:
    """Texts that nobody wrote as a reply."""
    for dialect, schemas in _asked(world):
        for text in WHOLE_TEXTS[what](dialect, schemas):
            world.readings.append(read_text(_parser(world), dialect, text, schemas))


@when(parsers.parse("it reads {count:d} texts near the grammar of each of its dialects"))
def reads_many_texts(world: World, count: int) -> None:
    """Replies broken, cut, spliced and repeated, the same every time."""
    for dialect, schemas in _asked(world):
        for number in range(count):
            text = near_reply(Random(f"{world.case_id} {dialect} {number}"), dialect, schemas)
            world.readings.append(read_text(_parser(world), dialect, text, schemas))


@when("it reads replies of each of its dialects with one field left out")
def reads_incomplete(world: World) -> None:
    """Each field in its turn; all else is as it should be."""
    for dialect, schemas in _asked(world):
        for left_out in schemas:
            values = {name: value for name, value in _all("words", schemas).items() if name != left_out}
            text = encode(dialect, values).content or ""
            world.readings.append(read_text(_parser(world), dialect, text, schemas))


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


@then("each gives the fields or a typed parse error")
def fields_or_typed_error(world: World) -> None:
    """Nothing else, whatever the text.

    Raises:
        Violation: at the first that gives something else.
    """
    for reading in world.readings:
        if violation := neither_fields_nor_typed_error(reading, world.manifest):
            raise violation


@then("each gives a typed parse error")
def typed_error(world: World) -> None:
    """A field that isn't there can't be given."""
    fields_or_typed_error(world)
    for reading in world.readings:
        given_ = reading.parsed.fields
        check(given_ is None, f"a parse error of {reading.parsing.reply.content!r}", f"the fields {given_}")


@then(parsers.parse("the time it takes for {shape} is linear in their length, in each of its dialects"))
def takes_linear_time(world: World, shape: str) -> None:
    """Measured on doubled texts; see `react_tck.play.parsing.timing`.

    Raises:
        Violation: if it grows faster.
    """
    for dialect in _dialects(world):
        schemas = field_sets(world.manifest, dialect)[0]
        if violation := slower_than_linear(_parser(world), dialect, shape, schemas):
            raise violation


def _parser(world: World) -> Parser:
    if not isinstance(world.subject, Parser):
        raise HarnessBroken("the manifest declares 'parse', and there is no such operation")
    return world.subject


def _dialects(world: World) -> tuple[str, ...]:
    """Those of text: a native reply is the provider's to write."""
    return tuple(dialect for dialect in world.manifest.dialects if dialect in MARKUPS)


def _asked(world: World) -> Iterator[tuple[str, Schemas]]:
    for dialect in _dialects(world):
        for schemas in field_sets(world.manifest, dialect):
            yield dialect, schemas


def _all(text: str, schemas: Schemas) -> JsonObject:
    """The text in every field that can hold it."""
    return {name: _holding(text, schema) for name, schema in schemas.items()}


def _holding(text: str, schema: JsonObject) -> JsonValue:
    inside: dict[str, JsonValue] = {
        "string": text,
        "array": [text, text],
        "object": {"query": text, text: [None, {"deep": text}]},
        **_OTHERS,
    }
    return inside[str(schema["type"])]
