"""The entries as the JSON messages that callers hold and files keep, and back (TRN-010)."""

from collections.abc import Iterable

from pydantic import TypeAdapter

from react_tck.model.base import JsonObject
from react_tck.reference.loop.entries import Entries

_ENTRIES: TypeAdapter[Entries] = TypeAdapter(Entries)


def dump_entries(entries: Entries) -> list[JsonObject]:
    """Return the entries as JSON objects, one for each; to be read back when the history goes on."""
    made: list[JsonObject] = _ENTRIES.dump_python(entries, mode="json")
    return made


def load_entries(messages: Iterable[object]) -> Entries:
    """Return the entries of such JSON.

    Raises:
        ValueError: if it isn't one.
    """
    return _ENTRIES.validate_python(tuple(messages))
