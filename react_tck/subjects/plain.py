"""What a subject returns, as JSON."""

from typing import Any


def plain(value: Any) -> Any:
    """The value as JSON; models by their fields, and what JSON can't hold as Python writes it."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case dict():
            return {str(key): plain(inner) for key, inner in value.items()}
        case list() | tuple():
            return [plain(inner) for inner in value]
    dump = getattr(value, "model_dump", None)
    return plain(dump()) if callable(dump) else repr(value)
