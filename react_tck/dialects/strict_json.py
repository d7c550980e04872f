"""JSON as its standard has it: what Python reads besides is refused."""

import json
import math
from collections import Counter

from pydantic import JsonValue

from react_tck.model.base import JsonObject


def read_json(text: str) -> JsonValue:
    """The value of a JSON text.

    Raises:
        ValueError: if it isn't JSON, has a key twice in one object, a number too large, or is nested too deeply.
    """
    try:
        value: JsonValue = _DECODER.decode(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return value


def _object(members: list[tuple[str, JsonValue]]) -> JsonObject:
    made = dict(members)
    if len(made) < len(members):
        twice = Counter(name for name, _ in members).most_common(1)[0][0]
        raise ValueError(f"it has the key {twice!r} twice in one object")
    return made


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text[:20]} is too large")
    return value


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_finite, parse_constant=_no_constant)
