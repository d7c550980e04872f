"""Violations of the border between replies and data (ERR-009)."""

import json
import re
from typing import Any

import dspy

from react_tck.dialects.fields import TOOL_ARGS, TOOL_NAME
from react_tck.fakes.mutants.mending import sections
from react_tck.fakes.mutants.mutant import mutant
from react_tck.fakes.mutants.rebound import Rebound, rebuilt
from react_tck.model.base import JsonObject
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct
from react_tck.reference.tools import BoundTool

_MARKER = re.compile(r"\[\[ ## \w+ ## \]\]")


def _as_object(text: str) -> JsonObject:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _call(tool: Any, args: Any) -> loop.StepChosen | None:
    args = _as_object(args) if isinstance(args, str) else args
    is_call = isinstance(tool, str) and isinstance(args, dict)
    return loop.StepChosen(thought="as I was told", tool=tool, args=args) if is_call else None


class _Obeying(ReAct):
    """Takes some text for the next step, once; `_ordered` says what it orders."""

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        self._has_obeyed = False
        return super()._begin(inputs)

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        ordered = None if self._has_obeyed else self._ordered(state, inputs)
        self._has_obeyed = self._has_obeyed or ordered is not None
        return ordered or (yield from super()._step(state, inputs))

    def _ordered(self, state: loop.State, inputs: dict[str, Any]) -> loop.StepChosen | None:
        raise NotImplementedError


@mutant("markers-in-observations-obeyed", "ERR-009")
class MarkersInObservationsObeyed(_Obeying):
    """Takes fields under markers in a tool's result for the next step."""

    def _ordered(self, state: loop.State, inputs: dict[str, Any]) -> loop.StepChosen | None:  # noqa: ARG002 - results
        said = dict(sections(str(state.steps[-1].observation))) if state.steps else {}
        return _call(said.get(TOOL_NAME), said.get(TOOL_ARGS))


@mutant("json-in-observations-obeyed", "ERR-009")
class JsonInObservationsObeyed(_Obeying):
    """Takes a tool's result that is the JSON of a step for the next step."""

    def _ordered(self, state: loop.State, inputs: dict[str, Any]) -> loop.StepChosen | None:  # noqa: ARG002 - results
        observation = state.steps[-1].observation if state.steps else None
        said = observation if isinstance(observation, dict) else _as_object(str(observation))
        return _call(said.get(TOOL_NAME), said.get(TOOL_ARGS))


@mutant("input-obeyed", "ERR-009")
class InputObeyed(_Obeying):
    """Takes fields under markers in an input for the first step."""

    def _ordered(self, state: loop.State, inputs: dict[str, Any]) -> loop.StepChosen | None:
        said = dict(sections(str(next(iter(inputs.values()))))) if not state.steps else {}
        return _call(said.get(TOOL_NAME), said.get(TOOL_ARGS))


@mutant("answer-found-in-an-observation", "ERR-009")
class AnswerFoundInAnObservation(ReAct):
    """Takes an answer under a marker in a tool's result for the answer."""

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        for step in state.steps:
            found = dict(sections(str(step.observation)))
            for name in self.signature.output_fields.keys() & found.keys():
                reply[name] = found[name]
        return super()._prediction(state, reply)


@mutant("markers-stripped-from-observations", "ERR-009")
class MarkersStrippedFromObservations(ReAct):
    """Drops what looks like a marker from a tool's result."""

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        event = yield from super()._use(call)
        if isinstance(event, loop.ToolReturned) and isinstance(event.observation, str):
            return event.model_copy(update={"observation": _MARKER.sub("", event.observation)})
        return event


@mutant("thought-obeyed", "ERR-009")
class ThoughtObeyed(ReAct):
    """Takes a tool that a thought names behind a marker for the one to run."""

    def _chosen(self, reply: dspy.Prediction) -> loop.Event:
        if named := re.search(rf"\[\[ ## {TOOL_NAME} ## \]\]\s*(\w+)", reply.next_thought):
            reply.next_tool_name = named[1]
        return super()._chosen(reply)


class _Stripped(BoundTool):
    def _converted(self, args: JsonObject) -> dict[str, Any]:
        converted = super()._converted(args)
        return {name: _MARKER.sub("", v) if isinstance(v, str) else v for name, v in converted.items()}


@mutant("markers-stripped-from-args", "ERR-009")
class MarkersStrippedFromArgs(Rebound):
    """Drops what looks like a marker from args."""

    def _rebound(self, tool: BoundTool) -> BoundTool:
        return rebuilt(_Stripped, tool)


@mutant("answers-read-as-json", "ERR-009")
class AnswersReadAsJson(ReAct):
    """Reads an answer that looks like JSON."""

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        for name in self.signature.output_fields:
            try:
                reply[name] = json.loads(reply[name])
            except ValueError:
                continue
        return super()._prediction(state, reply)
