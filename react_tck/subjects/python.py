"""A Python implementation as a subject: a manifest, and a function that builds an agent.

A class of a user's is made one of these by `react_tck.subject`.
"""

import math
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

from react_tck.model.case import Options
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Failure
from react_tck.model.protocol import Parsed, Parsing
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool
from react_tck.subjects.api import ConstructionError, Endpoints, HarnessBroken, Instance, raising

#: Characters shown of a value that is wrong.
_SHOWN = 60


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


def _convert_value(value: Any, place: str, convert_odd: Callable[[str, Any], Any]) -> Any:
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else str(value)
        case dict():
            inside = ((str(key), inner) for key, inner in value.items())
            return {key: _convert_value(inner, f"{place}[{key!r}]", convert_odd) for key, inner in inside}
        case list() | tuple():
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


#: Reads a reply; raises what the parser raises.
Read = Callable[[Parsing], Mapping[str, Any]]


def run_parser(read: Read, parsing: Parsing, typed: Iterable[str]) -> Parsed:
    """Return what the parser makes of a reply; an error goes by the first of its classes that is typed."""
    try:
        return Parsed(fields=as_json_value(dict(read(parsing))))
    except HarnessBroken:
        raise
    except Exception as error:
        names = [ancestor.__name__ for ancestor in type(error).__mro__]
        known = frozenset(typed)
        name = next((name for name in names if name in known), names[0])
        return Parsed(error=Failure(type=name, message=str(error)))


#: Builds an instance; raises what the subject refuses the case with.
Construct = Callable[[Signature, Options, Endpoints], Instance]


class BuiltSubject:
    """Whatever the build function raises is a refusal to be constructed. `read` is its parser, if it has one."""

    def __init__(self, manifest: Manifest, build: Construct, read: Read | None = None) -> None:
        self._manifest = manifest
        self._build = build
        self._read = read

    def initialize(self) -> Manifest:
        """Return the manifest that the subject was built with."""
        return self._manifest

    def construct(
        self,
        signature: Signature,
        tools: tuple[Tool, ...],  # noqa: ARG002 - Python subjects read the tools off the callables
        options: Options,
        endpoints: Endpoints,
    ) -> Instance:
        """Build the instance.

        Raises:
            ConstructionError: whatever the build function raises.
        """
        try:
            return self._build(signature, options, endpoints)
        except Exception as error:
            raising.get()(error)
            raise ConstructionError(f"{type(error).__name__}: {error}") from error

    def parse(self, parsing: Parsing) -> Parsed:
        """Read a reply.

        Raises:
            HarnessBroken: if there is no parser, although the manifest declares `parse`.
        """
        if self._read is None:
            raise HarnessBroken(f"{self._manifest.name} declares 'parse', and has no parser")
        return run_parser(self._read, parsing, self._manifest.parse_errors)

    def clock(self) -> float:
        """Of the processor: what others do on it meanwhile is no time of the parser's."""
        return time.process_time()
