"""A Python implementation as a subject: a manifest, and a function that builds an agent."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from react_tck.adapter.agent import tell_parse_error
from react_tck.adapter.values import as_json_value
from react_tck.model.case import Options
from react_tck.model.manifest import Manifest
from react_tck.model.protocol import Parsed, Parsing
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool
from react_tck.subjects.api import ConstructionError, Endpoints, HarnessBroken, Instance, raising

#: Reads a reply; raises what the parser raises.
Read = Callable[[Parsing], Mapping[str, Any]]


def run_parser(read: Read, parsing: Parsing, typed: Sequence[str]) -> Parsed:
    """Return what the parser makes of a reply; an error goes by the first of its classes that is typed."""
    try:
        return Parsed(fields=as_json_value(dict(read(parsing))))
    except HarnessBroken:
        raise
    except Exception as error:
        return Parsed.model_validate(tell_parse_error(error, typed))


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
