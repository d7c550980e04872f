"""Violations of what becomes of args that don't fit the tool (ERR-004)."""

import json
import re
from typing import Any

from react_tck.fakes.mutants.mutant import mutant
from react_tck.fakes.mutants.rebound import Rebound, rebuilt
from react_tck.model.base import JsonObject
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct
from react_tck.reference.tools import ArgsRefused, BoundTool


class _Fitted(BoundTool):
    """A tool that has misfitting args changed until they fit; `_fitting` says how."""

    def _converted(self, args: JsonObject) -> dict[str, Any]:
        try:
            return super()._converted(args)
        except ArgsRefused:
            return super()._converted(self._fitting(args))

    def _fitting(self, args: JsonObject) -> JsonObject:
        raise NotImplementedError


class _Filled(_Fitted):
    def _fitting(self, args: JsonObject) -> JsonObject:
        return dict.fromkeys(self.args, 0) | args


@mutant("missing-args-filled", "ERR-004")
class MissingArgsFilled(Rebound):
    """Fills in a zero for what is missing, a default that nobody declared."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_Filled, tool)


class _Cut(_Fitted):
    def _fitting(self, args: JsonObject) -> JsonObject:
        return {name: value for name, value in args.items() if name in self.args}


@mutant("extra-args-dropped", "ERR-004")
class ExtraArgsDropped(Rebound):
    """Drops args the tool doesn't have, and runs it with the rest."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_Cut, tool)


class _Counting(_Fitted):
    def _fitting(self, args: JsonObject) -> JsonObject:
        return {name: int(value) if isinstance(value, bool) else value for name, value in args.items()}


@mutant("true-becomes-one", "ERR-004")
class TrueBecomesOne(Rebound):
    """Takes `true` for the number 1."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_Counting, tool)


class _Zeroed(BoundTool):
    def _converted(self, args: JsonObject) -> dict[str, Any]:
        fits = {n: isinstance(v, int) or self.args[n].get("type") != "integer" for n, v in args.items()}  # type: ignore[union-attr]
        return super()._converted({name: value if fits[name] else 0 for name, value in args.items()})


@mutant("misfits-become-zero", "ERR-004")
class MisfitsBecomeZero(Rebound):
    """Takes everything that is no whole number for zero where one is wanted."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_Zeroed, tool)


class _Lowered(_Fitted):
    def _fitting(self, args: JsonObject) -> JsonObject:
        return {name.lower(): value for name, value in args.items()}


@mutant("keys-matched-by-letter", "ERR-004")
class KeysMatchedByLetter(Rebound):
    """Takes `A` for the parameter `a`."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_Lowered, tool)


class _Floored(_Fitted):
    def _fitting(self, args: JsonObject) -> JsonObject:
        return {name: int(value) if isinstance(value, float) else value for name, value in args.items()}


@mutant("fractions-cut-off", "ERR-004")
class FractionsCutOff(Rebound):
    """Cuts fractions off where a whole number is wanted."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_Floored, tool)


class _Digging(_Fitted):
    def _fitting(self, args: JsonObject) -> JsonObject:
        return {name: self._number(value) for name, value in args.items()}

    def _number(self, value: Any) -> Any:
        found = re.search(r"\d+", value) if isinstance(value, str) else None
        return int(found[0]) if found else value


@mutant("numbers-found-in-texts", "ERR-004")
class NumbersFoundInTexts(Rebound):
    """Takes the first number in a text where a number is wanted."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_Digging, tool)


class _Rounded(BoundTool):
    def _converted(self, args: JsonObject) -> dict[str, Any]:
        converted = super()._converted(args)
        return {name: int(float(value)) if type(value) is int else value for name, value in converted.items()}


@mutant("numbers-rounded", "ERR-004")
class NumbersRounded(Rebound):
    """Carries whole numbers as floating-point ones, which rounds large ones."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_Rounded, tool)


@mutant("values-of-a-repeated-key-joined", "ERR-004")
class ValuesOfARepeatedKeyJoined(ReAct):
    """Joins the values of a key that stands twice."""

    def _args(self, said: Any) -> JsonObject:
        try:
            return super()._args(said)
        except ValueError:
            args: JsonObject = json.loads(said, object_pairs_hook=self._joined)
            return args

    @staticmethod
    def _joined(members: list[tuple[str, Any]]) -> JsonObject:
        joined: JsonObject = {}
        for name, value in members:
            joined[name] = f"{joined[name]}{value}" if name in joined else value
        return joined


@mutant("mismatch-breaks-off", "ERR-004")
class MismatchBreaksOff(ReAct):
    """Lets the error of a call with the wrong args out."""

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        event = yield from super()._use(call)
        if isinstance(event, loop.ArgsMismatched):
            raise TypeError(f"{call.tool}() got the wrong args")
        return event


class _Exact(BoundTool):
    def _converted(self, args: JsonObject) -> dict[str, Any]:
        converted = super()._converted(args)
        if changed := next((name for name, value in converted.items() if type(value) is not type(args[name])), None):
            raise ArgsRefused(f"{changed} is of the wrong type")
        return converted


@mutant("schema-mismatch-extracts", "ERR-004")
class SchemaMismatchExtracts(Rebound):
    """Refuses what could be made to fit and goes to the extraction, and declares that it makes it fit."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_Exact, tool)

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        state, inputs = super()._begin(inputs)
        policy = state.policy.model_copy(update={"schema_mismatch": "extract"})
        return state.model_copy(update={"policy": policy}), inputs
