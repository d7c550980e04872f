"""Violations of how args reach the tools (TOOL-001)."""

import json
from typing import Any

from react_tck.fakes.mutants.mutant import mutant
from react_tck.fakes.mutants.rebound import Rebound, declares, rebuilt
from react_tck.model.base import JsonObject
from react_tck.reference.tools import ArgsRefused, BoundTool


class _Unconverted(BoundTool):
    """A tool that takes whatever comes."""

    def _converted(self, args: JsonObject) -> dict[str, Any]:
        return args


@mutant("args-not-converted", "TOOL-001")
class ArgsNotConverted(Rebound):
    """Passes the args on as the LM gave them, whether they fit or not."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_Unconverted, tool)


class _Flat(BoundTool):
    """A tool that gets lists and objects as their JSON text."""

    def _converted(self, args: JsonObject) -> dict[str, Any]:
        nested = {name: json.dumps(value) for name, value in args.items() if isinstance(value, dict | list)}
        return super()._converted(args) | nested


@mutant("nested-args-as-text", "TOOL-001")
class NestedArgsAsText(Rebound):
    """Passes lists and objects on as JSON text."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_Flat, tool)


class _Plain(BoundTool):
    """A tool that gets numbers and truth values as text."""

    def _converted(self, args: JsonObject) -> dict[str, Any]:
        scalars = {name: json.dumps(value) for name, value in args.items() if isinstance(value, int | float)}
        return super()._converted(args) | scalars


@mutant("scalar-args-as-text", "TOOL-001")
class ScalarArgsAsText(Rebound):
    """Leaves numbers and truth values as the text the LM wrote."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_Plain, tool)


class _RequiredOnly(BoundTool):
    """A tool that never gets what it doesn't need."""

    def _converted(self, args: JsonObject) -> dict[str, Any]:
        given = super()._converted(args)
        return {name: value for name, value in given.items() if not declares(self.args[name], "default")}


@mutant("given-options-dropped", "TOOL-001")
class GivenOptionsDropped(Rebound):
    """Passes on only args without a default."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_RequiredOnly, tool)


class _Filled(BoundTool):
    """A tool that gets a null for what is left out."""

    def _converted(self, args: JsonObject) -> dict[str, Any]:
        return dict.fromkeys(self.args) | super()._converted(args)


@mutant("left-out-options-made-up", "TOOL-001")
class LeftOutOptionsMadeUp(Rebound):
    """Passes a null for every option the LM left out, whatever its default."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_Filled, tool)


class _Replacing(BoundTool):
    """A tool that gets nulls for args that don't fit."""

    def _converted(self, args: JsonObject) -> dict[str, Any]:
        try:
            return super()._converted(args)
        except ArgsRefused:
            return dict.fromkeys(args)


@mutant("misfits-replaced", "TOOL-001")
class MisfitsReplaced(Rebound):
    """Runs the tool with nulls if the args don't fit."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_Replacing, tool)


class _Shallow(BoundTool):
    """A tool whose objects need only be objects."""

    def _converted(self, args: JsonObject) -> dict[str, Any]:
        try:
            return super()._converted(args)
        except ArgsRefused:
            if all(isinstance(value, dict) for value in args.values()):
                return args
            raise


@mutant("nested-misfits-let-through", "TOOL-001")
class NestedMisfitsLetThrough(Rebound):
    """Doesn't look inside objects when it checks the args."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_Shallow, tool)


def _is_untyped(schema: Any) -> bool:
    return not any(declares(schema, key) for key in ("type", "anyOf", "enum"))


class _Textual(BoundTool):
    """A tool whose untyped parameters are taken for texts."""

    def _converted(self, args: JsonObject) -> dict[str, Any]:
        given = super()._converted(args)
        return {name: str(value) if _is_untyped(self.args[name]) else value for name, value in given.items()}


@mutant("unannotated-args-as-text", "TOOL-001")
class UnannotatedArgsAsText(Rebound):
    """Takes parameters without annotation for texts."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_Textual, tool)


class _Read(BoundTool):
    """A tool whose untyped texts are read as JSON."""

    def _converted(self, args: JsonObject) -> dict[str, Any]:
        return {name: self._read(name, value) for name, value in super()._converted(args).items()}

    def _read(self, name: str, value: Any) -> Any:
        return json.loads(value) if _is_untyped(self.args[name]) and isinstance(value, str) else value


@mutant("unannotated-texts-read", "TOOL-001")
class UnannotatedTextsRead(Rebound):
    """Makes numbers of the texts it is given for parameters without annotation."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_Read, tool)
