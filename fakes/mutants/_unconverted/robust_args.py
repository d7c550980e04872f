"""Violations of what becomes of args that are no JSON, or no object (ERR-002, ERR-003)."""

import ast
import json
import re
from typing import Any, Literal

import dspy

from react_tck.fakes.mutants.mutant import mutant
from react_tck.model.base import JsonObject
from react_tck.reference import loop
from react_tck.reference.react import ReAct


class _Rereading(ReAct):
    """Reads args again that can't be read; `_reread` says how, and raises ValueError where that fails too."""

    def _args(self, said: Any) -> JsonObject:
        try:
            return super()._args(said)
        except ValueError:
            args = self._reread(said)
            if not isinstance(args, dict):
                raise
            return args

    def _reread(self, text: str) -> Any:
        raise NotImplementedError


@mutant("args-repaired", "ERR-002")
class ArgsRepaired(_Rereading):
    """Repairs args that aren't JSON, and runs the tool with what comes of it."""

    def _reread(self, text: str) -> Any:
        import json_repair

        repaired = json_repair.loads(text)
        return json_repair.loads(repaired) if isinstance(repaired, str) else repaired


@mutant("args-read-as-python", "ERR-002")
class ArgsReadAsPython(_Rereading):
    """Takes args that aren't JSON for a Python literal."""

    def _reread(self, text: str) -> Any:
        try:
            return ast.literal_eval(text)
        except (SyntaxError, ValueError):
            return None


@mutant("args-found-in-the-text", "ERR-002")
class ArgsFoundInTheText(_Rereading):
    """Looks for an object somewhere in args that aren't JSON."""

    def _reread(self, text: str) -> Any:
        found = re.search(r"\{[^{}]*\}", text)
        return json.loads(found[0]) if found else None


@mutant("unparsed-args-as-none-at-all", "ERR-002")
class UnparsedArgsAsNoneAtAll(_Rereading):
    """Runs the tool without args where they don't parse."""

    def _reread(self, text: str) -> Any:
        try:
            return json.loads(text)
        except ValueError:
            return {}


@mutant("last-good-args-again", "ERR-002")
class LastGoodArgsAgain(_Rereading):
    """Takes the args of an earlier step where those of a later one don't parse."""

    _last: JsonObject | None = None

    def _args(self, said: Any) -> JsonObject:
        self._last = super()._args(said)
        return self._last

    def _reread(self, text: str) -> Any:  # noqa: ARG002 - whatever it says
        return self._last


@mutant("malformed-args-break-off", "ERR-002")
class MalformedArgsBreakOff(ReAct):
    """Lets the decoder's error out where a mapping was expected."""

    def _args(self, said: Any) -> JsonObject:
        try:
            return super()._args(said)
        except ValueError as error:
            raise TypeError("the args are no mapping") from error


class _Declaring(ReAct):
    """Does something else about malformed args than it declares."""

    course: Literal["extract", "error"]

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        state, inputs = super()._begin(inputs)
        policy = state.policy.model_copy(update={"malformed_args": self.course})
        return state.model_copy(update={"policy": policy}), inputs


@mutant("malformed-args-extract", "ERR-002")
class MalformedArgsExtract(_Declaring):
    """Goes to the extraction where args don't parse, and declares that it goes on."""

    course = "extract"


@mutant("malformed-args-error", "ERR-003")
class MalformedArgsError(_Declaring):
    """Ends with an error where args are no object, and declares that it goes on."""

    course = "error"


class _Bending(ReAct):
    """Makes an object of JSON args that are none; `_bent` says how, for the tool."""

    def _chosen(self, reply: dspy.Prediction) -> loop.Event:
        event = super()._chosen(reply)
        if not isinstance(event, loop.ArgsMalformed):
            return event
        try:
            args = self._bent(json.loads(reply.next_tool_args), list(self.tools[event.tool].args))
        except ValueError:
            return event
        return event if args is None else loop.StepChosen(thought=event.thought, tool=event.tool, args=args)

    def _bent(self, said: Any, parameters: list[str]) -> JsonObject | None:
        raise NotImplementedError


@mutant("list-as-positional-args", "ERR-003")
class ListAsPositionalArgs(_Bending):
    """Takes a list for the args in their declared order."""

    def _bent(self, said: Any, parameters: list[str]) -> JsonObject | None:
        fits = isinstance(said, list) and len(said) == len(parameters)
        return dict(zip(parameters, said, strict=True)) if fits else None


@mutant("pairs-as-args", "ERR-003")
class PairsAsArgs(_Bending):
    """Takes a list of pairs for the args."""

    def _bent(self, said: Any, parameters: list[str]) -> JsonObject | None:  # noqa: ARG002 - names are in the pairs
        is_pairs = isinstance(said, list) and said and all(isinstance(x, list) and len(x) == 2 for x in said)
        return dict(said) if is_pairs else None


@mutant("only-item-unwrapped", "ERR-003")
class OnlyItemUnwrapped(_Bending):
    """Takes the only item of a list for the args."""

    def _bent(self, said: Any, parameters: list[str]) -> JsonObject | None:  # noqa: ARG002 - the item has the names
        is_only = isinstance(said, list) and len(said) == 1 and isinstance(said[0], dict)
        return said[0] if is_only else None


@mutant("scalar-as-the-only-arg", "ERR-003")
class ScalarAsTheOnlyArg(_Bending):
    """Takes a text or number for the only parameter there is."""

    def _bent(self, said: Any, parameters: list[str]) -> JsonObject | None:
        is_scalar = isinstance(said, str | int | float) and len(parameters) == 1
        return {parameters[0]: said} if is_scalar else None


@mutant("no-object-as-no-args", "ERR-003")
class NoObjectAsNoArgs(_Bending):
    """Takes null, false, zero, an empty list and an empty text for no args."""

    def _bent(self, said: Any, parameters: list[str]) -> JsonObject | None:  # noqa: ARG002 - there are none
        return None if said else {}


@mutant("double-encoded-args-as-text", "ERR-003")
class DoubleEncodedArgsAsText(_Bending):
    """Passes an object that is written as a JSON string on as that string."""

    def _bent(self, said: Any, parameters: list[str]) -> JsonObject | None:
        is_encoded = isinstance(said, str) and said.startswith("{")
        return dict.fromkeys(parameters, said) if is_encoded else None
