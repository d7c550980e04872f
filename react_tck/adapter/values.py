"""Values as JSON: what a subject returns, what a tool was given, and what it was handed and may have changed."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Iterator
from typing import Any, Callable, NamedTuple, NoReturn  # noqa: UP035 - Python 3.9

#: Characters shown of a value that is wrong.
_SHOWN = 60


class AdapterBroken(Exception):
    """A user's class did what no outcome describes, such as to return what is none; the message says what."""


class NotJson(ValueError):
    """A value can't be told as JSON; the message says where it stands and what it is."""


def as_json_value(value: Any) -> Any:
    """Return the value as JSON; models by their fields, and what can't be taken apart as Python writes it."""
    return _convert_value(value, "", lambda _, odd: repr(odd))


def as_plain_value(value: Any) -> Any:
    """Return the value, its models by their fields; what can't be taken apart stays as it is."""
    return _convert_value(value, "", lambda _, odd: odd)


def require_json_value(value: Any, place: str) -> Any:
    """Return the value as JSON, its models by their fields; it stands in that place.

    Raises:
        NotJson: if something in it is neither.
    """
    return _convert_value(value, place, _refuse_value)


def describe_error(error: BaseException) -> dict[str, str]:
    """Return an error by its type and message."""
    return {"type": type(error).__name__, "message": str(error)}


def _convert_value(value: Any, place: str, convert_odd: Callable[[str, Any], Any]) -> Any:
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, dict):
        inside = ((str(key), inner) for key, inner in value.items())
        return {key: _convert_value(inner, f"{place}[{key!r}]", convert_odd) for key, inner in inside}
    if isinstance(value, (list, tuple)):
        return [_convert_value(inner, f"{place}[{at}]", convert_odd) for at, inner in enumerate(value)]
    dump = getattr(value, "model_dump", None)
    if not callable(dump):
        return convert_odd(place, value)
    try:
        fields = dump()
    except Exception:  # a serializer of the library's own, given what it doesn't expect
        return convert_odd(place, value)
    return _convert_value(fields, place, convert_odd)


def _refuse_value(place: str, value: Any) -> NoReturn:
    text = repr(value)
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    raise NotJson(f"{place} is a {type(value).__name__}, {shown}, which is neither JSON nor has a `model_dump`")


#: Seconds granted to each thread that a call has left running.
_SETTLE = 0.05


class Alteration(NamedTuple):
    """An object that isn't what it was when it was handed over."""

    what: str
    before: Any
    after: Any


class Caller:
    """Remembers how every object looked when it was handed over."""

    def __init__(self) -> None:
        self._handed: list[tuple[str, Any, Any]] = []
        #: Who else sees changes: the other end of a wire.
        self.elsewhere: list[Callable[[], Iterable[Alteration]]] = []

    def note_object(self, what: str, value: Any) -> None:
        """Return the subject is handed this object."""
        self._handed.append((what, value, portray_value(value)))

    def find_changes(self) -> Iterator[Alteration]:
        """Return the objects that look different now."""
        for what, value, before in self._handed:
            if (after := portray_value(value)) != before:
                yield Alteration(what, before, after)
        for find_more in self.elsewhere:
            yield from find_more()


def portray_value(value: Any) -> Any:
    """Return a value, class or function as JSON, with all that a subject could change about it."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, dict):
        return {str(key): portray_value(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [portray_value(inner) for inner in value]
    if isinstance(value, type):
        fields = getattr(value, "model_fields", getattr(value, "__annotations__", {}))
        return [value.__name__, value.__doc__, repr(fields)]
    if hasattr(type(value), "model_fields"):
        # Some iterate over what they hold, not over their fields.
        return portray_value({**value.__dict__, **(value.model_extra or {})})
    members = {name: repr(inner) for name, inner in getattr(value, "__dict__", {}).items()}
    return {"type": type(value).__name__, "name": getattr(value, "__name__", ""), "doc": value.__doc__, **members}


def wait_for_threads(before: set[threading.Thread]) -> None:
    """Grant the threads that are left running since then a while, so that what they still do gets on record."""
    for thread in set(threading.enumerate()) - before:
        if not thread.daemon:
            thread.join(_SETTLE)
