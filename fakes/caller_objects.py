"""The caller's objects: what a subject in this process is handed, and whether it is left as it was (ISO-003)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic import BaseModel, JsonValue


class Alteration(NamedTuple):
    """An object that isn't what it was when it was handed over."""

    what: str
    before: JsonValue
    after: JsonValue


@dataclass
class Caller:
    """Remembers how every object looked when it was handed over."""

    _handed: list[tuple[str, Any, JsonValue]] = field(default_factory=list)

    def note_object(self, what: str, value: Any) -> None:
        """Remember an object that the subject is given."""
        self._handed.append((what, value, portray_value(value)))

    def find_changes(self) -> Iterator[Alteration]:
        """Yield the objects that look different now."""
        for what, value, before in self._handed:
            if (after := portray_value(value)) != before:
                yield Alteration(what, before, after)


def portray_value(value: Any) -> Any:
    """Return a value, class or function as JSON, with all that a subject could change about it."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case dict():
            return {str(key): portray_value(inner) for key, inner in value.items()}
        case list() | tuple():
            return [portray_value(inner) for inner in value]
        case BaseModel():
            # Some iterate over what they hold, not over their fields.
            return portray_value({**value.__dict__, **(value.model_extra or {})})
        case type():
            return [value.__name__, value.__doc__, repr(getattr(value, "model_fields", value.__annotations__))]
    members = {name: repr(inner) for name, inner in getattr(value, "__dict__", {}).items()}
    return {"type": type(value).__name__, "name": getattr(value, "__name__", ""), "doc": value.__doc__, **members}
