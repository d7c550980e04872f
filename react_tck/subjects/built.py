"""An in-process subject made of a manifest and a function that builds an instance."""

from collections.abc import Callable

from react_tck.model.case import Options
from react_tck.model.manifest import Manifest
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool
from react_tck.subjects.protocol import ConstructionError, Doors, Instance

Build = Callable[[Signature, Options, Doors], Instance]


class BuiltSubject:
    """Whatever the build function raises is a refusal to be constructed."""

    def __init__(self, manifest: Manifest, build: Build) -> None:
        self._manifest = manifest
        self._build = build

    def initialize(self) -> Manifest:
        """The manifest."""
        return self._manifest

    def construct(
        self,
        signature: Signature,
        tools: tuple[Tool, ...],  # noqa: ARG002 - Python subjects read the tools off the callables
        options: Options,
        doors: Doors,
    ) -> Instance:
        """Build the instance.

        Raises:
            ConstructionError: whatever the build function raises.
        """
        try:
            return self._build(signature, options, doors)
        except Exception as error:
            raise ConstructionError(f"{type(error).__name__}: {error}") from error
