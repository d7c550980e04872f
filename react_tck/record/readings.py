"""What a text that holds one value, and nothing else, is read as."""

import ast
import math
import re
from collections.abc import Iterator
from contextlib import suppress

from pydantic import JsonValue

from react_tck.dialects.fields import finite_json
from react_tck.record.values import is_same_value

#: How languages write a value that isn't there.
NULLS = ("null", "None", "nil", "undefined", "<nil>")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
#: How a mark of the call ends that an observation is of, such as `[add(a=2, b=3)] `.
_MARK_ENDS = re.compile(r"\)\] ?")
#: Text that is worth the attempt to read it as a Python literal.
_LITERAL = 100_000


def holds_value(told: JsonValue, value: JsonValue) -> bool:
    """Tell whether what stands in a place is the value, white space included, however a text there writes it."""
    if is_same_value(told, value):
        return True
    return isinstance(told, str) and any(is_same_value(read, value) for read in yield_readings(told))


def wraps_value(told: JsonValue, value: JsonValue) -> bool:
    """Tell whether an object, written as a text or not, has the value inside it, as a library's own wrapping does."""
    read = yield_readings(told) if isinstance(told, str) else (told,)
    return any(_is_inside(value, each) for each in read)


def _is_inside(value: JsonValue, told: JsonValue) -> bool:
    match told:
        case dict():
            return any(holds_value(each, value) or _is_inside(value, each) for each in told.values())
        case list():
            return any(_is_inside(value, each) for each in told)
    return False


def strip_mark(told: JsonValue, tool: str | None) -> Iterator[JsonValue]:
    """Yield what is told of a call, as it is; and what is left of it behind a mark of the call that it is of.

    The mark stands on the first line. A text may begin so, and args may hold what looks like its end.
    """
    yield told
    if tool and isinstance(told, str) and told.lstrip().startswith(f"[{tool}("):
        mark, _, _ = told.lstrip().partition("\n")
        yield from (told.lstrip()[found.end() :] for found in _MARK_ENDS.finditer(mark))


def is_readable(text: str) -> bool:
    """Tell whether the text writes a value in a notation that is known here: JSON, or a Python literal."""
    return any(True for _ in yield_readings(text))


def yield_readings(text: str) -> Iterator[JsonValue]:
    """Yield every value that the text may write."""
    written = text.strip()
    if written in NULLS:
        yield None
    if _NUMBER.fullmatch(written) and math.isfinite(number := float(written)):
        yield number
    with suppress(ValueError):
        yield finite_json(written)
    if len(written) < _LITERAL:
        with suppress(ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            yield _make_plain(ast.literal_eval(written))


def _make_plain(literal: object) -> JsonValue:
    match literal:
        case None | bool() | int() | str():
            return literal
        case float() if math.isfinite(literal):
            return literal
        case list() | tuple():
            return [_make_plain(item) for item in literal]
        case dict():
            return {str(key): _make_plain(value) for key, value in literal.items()}
    raise ValueError(f"JSON has no {type(literal).__name__}")
