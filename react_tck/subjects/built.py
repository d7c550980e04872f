"""An in-process subject made of a manifest and a function that builds an instance."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from react_tck.model.case import Options
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Failure
from react_tck.model.protocol import Parsed, Parsing
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool
from react_tck.subjects.api import ConstructionError, Endpoints, HarnessBroken, Instance
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


Build = Callable[[Signature, Options, Endpoints], Instance]


class BuiltSubject:
    """Whatever the build function raises is a refusal to be constructed. `read` is its parser, if it has one."""

    def __init__(self, manifest: Manifest, build: Build, read: Read | None = None) -> None:
        self._manifest = manifest
        self._build = build
        self._read = read

    def initialize(self) -> Manifest:
        """The manifest."""
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
            raise ConstructionError(f"{type(error).__name__}: {error}") from error

    def parse(self, parsing: Parsing) -> Parsed:
        """Read a reply.

        Raises:
            HarnessBroken: if there is no parser, although the manifest declares `parse`.
        """
        if self._read is None:
            raise HarnessBroken(f"{self._manifest.name} declares 'parse', and has no parser")
        return parsed(self._read, parsing, self._manifest.parse_errors)
