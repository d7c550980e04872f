"""Values as faults make them."""

import unicodedata
from collections.abc import Iterable
from typing import Any


def without_nulls(value: Any) -> Any:
    """The value without the keys that are null."""
    if isinstance(value, dict):
        return {key: without_nulls(inner) for key, inner in value.items() if inner is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def as_numbers(value: Any, *, inside: bool = False) -> Any:
    """The value with numbers for the truth values inside it."""
    if isinstance(value, list):
        return [as_numbers(item, inside=True) for item in value]
    return int(value) if inside and isinstance(value, bool) else value


def composed(value: Any) -> Any:
    """The value with its texts in composed characters."""
    if isinstance(value, list):
        return [composed(item) for item in value]
    return unicodedata.normalize("NFC", value) if isinstance(value, str) else value


def once(value: Any) -> Any:
    """A list without what it has twice; anything else as it is."""
    items: Iterable[Any] = value if isinstance(value, list) else ()
    kept = [item for number, item in enumerate(items) if item not in value[:number]]
    return kept if isinstance(value, list) else value
