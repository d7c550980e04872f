"""Whether a value arrived as it was given, or converted without loss to what its schema declares."""

import json
import re
from collections.abc import Callable, Mapping

from jsonschema import Draft202012Validator
from jsonschema.validators import extend
from pydantic import JsonValue

from react_tck.dialects.fields import finite_json
from react_tck.model.base import JsonObject

#: JSON Schema takes 2.0 for a whole number; where types tell the two apart, as in Python, an agent need not.
_AsWritten: type[Draft202012Validator] = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    ),
)


#: All that ends a line somewhere.
_LINE_END = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
#: Up to here every whole number is a double of its own.
EXACT = 2**53


def round_to_double(whole: float) -> float:
    """Return the number as a double has it; one too large for any stays what it is."""
    try:
        return float(whole)
    except OverflowError:
        return whole


def has_doubles_only(value: JsonValue) -> bool:
    """Tell whether every whole number in it is one that all languages tell apart (choice `integer-range`)."""
    match value:
        case dict():
            return all(map(has_doubles_only, value.values()))
        case list():
            return all(map(has_doubles_only, value))
    return not isinstance(value, int) or abs(value) < EXACT


def write_canonical(value: JsonValue) -> str:
    """Return the one JSON text of a value: keys in order, and 2.0 written as 2."""
    return json.dumps(_normalise_numbers(value), sort_keys=True, ensure_ascii=False)


def _normalise_numbers(value: JsonValue) -> JsonValue:
    match value:
        case float() if value.is_integer():
            return int(value)
        case dict():
            return {name: _normalise_numbers(inner) for name, inner in value.items()}
        case list():
            return [_normalise_numbers(inner) for inner in value]
    return value


def fits_as_written(args: JsonObject, schema: JsonObject) -> bool:
    """Tell whether the args fit their schema with nothing to convert, not even 2.0 to 2."""
    return bool(_AsWritten(schema).is_valid(args))


def is_same_value(one: JsonValue, other: JsonValue) -> bool:
    """Equal as JSON: true is not 1, yet 2 is 2.0, and from 2^53 on numbers are equal that have one double.

    Whether such a number arrives as it is, is the choice `integer-range`.

    >>> from react_tck.record.values import is_same_value
    >>> is_same_value({"a": 2, "b": [3]}, {"b": [3.0], "a": 2.0}), is_same_value(1, True), is_same_value(2, "2")
    (True, False, False)
    """
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    match one, other:
        case (int() | float(), int() | float()) if min(abs(one), abs(other)) >= EXACT:
            return round_to_double(one) == round_to_double(other)
        case dict(), dict():
            return one.keys() == other.keys() and all(is_same_value(one[name], other[name]) for name in one)
        case list(), list():
            return len(one) == len(other) and all(map(is_same_value, one, other))
    return one == other


def strip_texts(value: JsonValue) -> JsonValue:
    """Return the value, without the blank space around its texts (no source speaks of it; ERR-022, ERR-023)."""
    return _change_texts(value, str.strip)


def unify_line_ends(value: JsonValue) -> JsonValue:
    """Return the value with one line end for all (which one a text has, no source says; ERR-010, ERR-023)."""
    return _change_texts(value, lambda text: _LINE_END.sub("\n", text))


def _change_texts(value: JsonValue, change: Callable[[str], str]) -> JsonValue:
    match value:
        case str():
            return change(value)
        case list():
            return [_change_texts(item, change) for item in value]
        case dict():
            return {name: _change_texts(inner, change) for name, inner in value.items()}
    return value


def is_same_number(one: JsonValue, other: JsonValue) -> bool:
    """Equal as JSON, or as the numbers that truths stand for: true is 1, false is 0."""
    return is_same_value(*(int(each) if isinstance(each, bool) else each for each in (one, other)))


#: When two values, both read if they are texts, say the same.
Sameness = Callable[[JsonValue, JsonValue], bool]


def arrives_intact(
    given: JsonValue, value: JsonValue, schema: JsonValue, says_the_same: Sameness = is_same_value
) -> bool:
    """Tell whether `value` is `given`, with declared defaults added and lossless conversions made inside it."""
    declared = schema if isinstance(schema, dict) else {}
    members = declared.get("anyOf")
    if isinstance(members, list):
        return any(arrives_intact(given, value, member, says_the_same) for member in members)
    match given, value:
        case dict(), dict():
            return _has_object_arrived(given, value, declared, says_the_same)
        case list(), list():
            items = declared.get("items")
            return len(given) == len(value) and all(
                arrives_intact(*pair, items, says_the_same) for pair in zip(given, value, strict=True)
            )
    return is_same_value(given, value) or _is_converted(given, value, declared, says_the_same)


def select_declared(args: JsonObject, schema: JsonObject) -> JsonObject:
    """Return the args that a tool of this schema declares: all of them, if it takes others besides."""
    properties = schema.get("properties")
    if schema.get("additionalProperties") or not isinstance(properties, dict):
        return args
    return {name: value for name, value in args.items() if name in properties}


def coerce_args(args: JsonObject, schema: JsonObject) -> JsonObject:
    """Return the args with the texts read that stand where the schema wants something else: "2" for a number is 2."""
    properties = schema.get("properties")
    schemas = properties if isinstance(properties, dict) else {}
    return {name: _coerce_value(value, schemas.get(name)) for name, value in args.items()}


def _coerce_value(value: JsonValue, schema: JsonValue) -> JsonValue:
    declared = schema if isinstance(schema, dict) else {}
    return _read_json(value) if not Draft202012Validator(declared).is_valid(value) else value


def _has_object_arrived(
    given: Mapping[str, JsonValue],
    value: Mapping[str, JsonValue],
    schema: Mapping[str, JsonValue],
    says_the_same: Sameness,
) -> bool:
    properties = schema.get("properties")
    schemas = properties if isinstance(properties, dict) else {}
    others = schema.get("additionalProperties")
    return (
        given.keys() <= value.keys()
        and all(arrives_intact(given[name], value[name], schemas.get(name, others), says_the_same) for name in given)
        and all(is_default(schema, name, value[name]) for name in value.keys() - given.keys())
    )


def is_default(schema: Mapping[str, JsonValue], name: str, value: JsonValue) -> bool:
    """Tell whether a tool of that schema has the value by itself, where it isn't given one of that name."""
    properties, required = schema.get("properties"), schema.get("required")
    declared = properties.get(name) if isinstance(properties, dict) else None
    if isinstance(declared, dict) and "default" in declared:
        return is_same_value(declared["default"], value)
    # An optional parameter without a default has to be called something where it is left out.
    return declared is not None and value is None and not (isinstance(required, list) and name in required)


def _is_converted(given: JsonValue, value: JsonValue, schema: Mapping[str, JsonValue], says_the_same: Sameness) -> bool:
    """Tell whether a value of the declared type was made of one that isn't, and says the same."""
    fits = Draft202012Validator(schema).is_valid
    return not fits(given) and fits(value) and says_the_same(_read_json(given), _read_json(value))


def _read_json(value: JsonValue) -> JsonValue:
    if not isinstance(value, str):
        return value
    for text in (value, value.lower()):  # Python's True is no JSON
        try:
            return finite_json(text)
        except ValueError:
            continue
    return value
