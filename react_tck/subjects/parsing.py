"""The operation `parse` of a subject in Python, made of its parser as a function."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from react_tck.model.outcome import Failure
from react_tck.model.parsing import Parsed, Parsing
from react_tck.subjects.plain import plain

#: Reads a reply; raises what the parser raises.
Read = Callable[[Parsing], Mapping[str, Any]]


def parsed(read: Read, parsing: Parsing, typed: Iterable[str]) -> Parsed:
    """What the parser makes of a reply; an error goes by the first of its classes that is among the typed ones."""
    try:
        return Parsed(fields=plain(dict(read(parsing))))
    except Exception as error:
        return Parsed(error=Failure(type=_name(error, frozenset(typed)), message=str(error)))


def _name(error: Exception, typed: frozenset[str]) -> str:
    names = [ancestor.__name__ for ancestor in type(error).__mro__]
    return next((name for name in names if name in typed), names[0])
