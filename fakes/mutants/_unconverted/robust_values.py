"""Violations of the way of values through prompt, args, observation and outputs (ERR-010)."""

import codecs
import html
import re
import unicodedata
from typing import Any

import dspy

from react_tck.fakes.mutants.mutant import mutant
from react_tck.fakes.mutants.rebound import Rebound
from react_tck.model.base import JsonObject
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct
from react_tck.reference.tools import BoundTool

#: More than any prompt needs, somebody thought.
_ENOUGH = 10_000


def _ascii(text: str) -> str:
    return text.encode("ascii", "ignore").decode()


def _unescaped(text: str) -> str:
    return codecs.decode(_ascii(text), "unicode_escape") if re.search(r"\\[nu]", text) else text


class _Altered(ReAct):
    """Alters texts on their way; `alter` says how."""

    def _text(self, value: Any) -> Any:
        return self.alter(value) if isinstance(value, str) else value

    def alter(self, text: str) -> str:
        raise NotImplementedError


class _AlteredArgs(Rebound):
    """Alters the texts among the args."""

    def alter(self, text: str) -> str:
        raise NotImplementedError

    def _rebound(self, tool: BoundTool) -> BoundTool:
        alter = self.alter

        class Altering(BoundTool):
            def _converted(self, args: JsonObject) -> dict[str, Any]:
                converted = super()._converted(args)
                return {name: alter(v) if isinstance(v, str) else v for name, v in converted.items()}

        return Altering(tool.name, tool.description, tool.args, tool.function)


@mutant("args-stripped-to-ascii", "ERR-010")
class ArgsStrippedToAscii(_AlteredArgs):
    """Drops from args whatever isn't ASCII."""

    def alter(self, text: str) -> str:
        return _ascii(text)


@mutant("args-normalised", "ERR-010")
class ArgsNormalised(_AlteredArgs):
    """Composes the characters in args."""

    def alter(self, text: str) -> str:
        return unicodedata.normalize("NFC", text)


@mutant("control-characters-dropped", "ERR-010")
class ControlCharactersDropped(_AlteredArgs):
    """Drops control characters from args, line ends and tabs apart."""

    def alter(self, text: str) -> str:
        return re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", "", text)


@mutant("entities-unescaped", "ERR-010")
class EntitiesUnescaped(_AlteredArgs):
    """Reads entities in args as HTML does."""

    def alter(self, text: str) -> str:
        return html.unescape(text)


@mutant("escapes-unescaped", "ERR-010")
class EscapesUnescaped(_AlteredArgs):
    """Reads escapes in args once more."""

    def alter(self, text: str) -> str:
        return _unescaped(text)


@mutant("args-cut-at-ten-thousand", "ERR-010")
class LongArgsCut(_AlteredArgs):
    """Cuts texts in args that are longer than anybody needs."""

    def alter(self, text: str) -> str:
        return text[:_ENOUGH]


class _AlteredObservations(_Altered):
    """Alters the texts that tools return."""

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        event = yield from super()._use(call)
        if isinstance(event, loop.ToolReturned):
            return event.model_copy(update={"observation": self._text(event.observation)})
        return event


@mutant("observations-stripped-to-ascii", "ERR-010")
class ObservationsStrippedToAscii(_AlteredObservations):
    """Drops from results whatever isn't ASCII."""

    def alter(self, text: str) -> str:
        return _ascii(text)


@mutant("observation-tags-dropped", "ERR-010")
class ObservationTagsDropped(_AlteredObservations):
    """Drops from results what looks like a tag."""

    def alter(self, text: str) -> str:
        return re.sub(r"<[^>]*>", "", text)


@mutant("observations-cut-at-ten-thousand", "ERR-010")
class LongObservationsCut(_AlteredObservations):
    """Cuts results that are longer than anybody needs."""

    def alter(self, text: str) -> str:
        return text[:_ENOUGH]


class _AlteredOutputs(_Altered):
    """Alters the texts of the answer."""

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        for name in self.signature.output_fields:
            reply[name] = self._text(reply[name])
        return super()._prediction(state, reply)


@mutant("outputs-stripped-to-ascii", "ERR-010")
class OutputsStrippedToAscii(_AlteredOutputs):
    """Drops from outputs whatever isn't ASCII."""

    def alter(self, text: str) -> str:
        return _ascii(text)


@mutant("outputs-by-lines", "ERR-010")
class OutputsByLines(_AlteredOutputs):
    """Makes plain line ends of all that may end a line."""

    def alter(self, text: str) -> str:
        return "\n".join(text.splitlines())


@mutant("outputs-quoted-away", "ERR-010")
class OutputsQuotedAway(_AlteredOutputs):
    """Drops quotes around outputs."""

    def alter(self, text: str) -> str:
        return text.strip('"')


class _AlteredInputs(_Altered):
    """Alters the texts among the inputs where they are shown."""

    def _step_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        return super()._step_inputs(state, {name: self._text(value) for name, value in inputs.items()})


@mutant("inputs-stripped-to-ascii", "ERR-010")
class InputsStrippedToAscii(_AlteredInputs):
    """Drops from inputs whatever isn't ASCII."""

    def alter(self, text: str) -> str:
        return _ascii(text)


@mutant("inputs-filled-in", "ERR-010")
class InputsFilledIn(_AlteredInputs):
    """Takes braces in inputs for places to fill in."""

    def alter(self, text: str) -> str:
        return re.sub(r"\{\w*\}", "", text)


@mutant("nested-args-flattened", "ERR-010")
class NestedArgsFlattened(Rebound):
    """Passes objects inside objects on as texts."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        class Flattening(BoundTool):
            def _converted(self, args: JsonObject) -> dict[str, Any]:
                return {name: _flat(value) for name, value in super()._converted(args).items()}

        return Flattening(tool.name, tool.description, tool.args, tool.function)


def _flat(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: str(inner) if isinstance(inner, dict) else inner for name, inner in value.items()}
