"""Violations that no scenario need be about: the sanitizers find them in any episode (SAN-…)."""

import threading
import time
from itertools import count
from typing import Any, ClassVar

import dspy

from react_tck.fakes.mutants.mutant import mutant
from react_tck.model.base import JsonObject
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct
from react_tck.reference.signatures import TRAJECTORY
from react_tck.reference.tools import BoundTool


@mutant("extra-tool-run", "SAN-001")
class ExtraToolRun(ReAct):
    """Runs the last tool once more, to be sure, when the LM finishes."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        if isinstance(following.action, loop.AskExtraction) and state.steps:
            self._check_again(state.steps[-1])
        return following

    def _check_again(self, step: loop.Step) -> None:
        if step.tool in self.tools:
            self.tools[step.tool].function(**step.args)


class _Stringly(BoundTool):
    """A tool that gets everything as text."""

    def _converted(self, args: JsonObject) -> dict[str, Any]:
        return {name: str(value) for name, value in super()._converted(args).items()}


@mutant("args-coerced-to-strings", "SAN-002")
class ArgsCoercedToStrings(ReAct):
    """Makes texts of all args."""

    def _bind(self, tools: Any) -> dict[str, BoundTool]:
        bound = super()._bind(tools).items()
        return {name: _Stringly(t.name, t.description, t.args, t.function) for name, t in bound}


@mutant("asked-call-skipped", "SAN-003")
class AskedCallSkipped(ReAct):
    """Doesn't run a tool again that it has run with the same args: it gives the result it knows."""

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        self._known: dict[str, loop.Event] = {}
        return super()._begin(inputs)

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        key = f"{call.tool} {call.args}"
        if key not in self._known:
            self._known[key] = yield from super()._use(call)
        return self._known[key]


@mutant("call-repeated", "SAN-003")
class CallRepeated(ReAct):
    """Runs a tool again that returned an empty result or raised."""

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        event = yield from super()._use(call)
        if isinstance(event, loop.ToolReturned) and event.observation:
            return event
        return (yield from super()._use(call))


@mutant("observation-hidden", "SAN-004")
class ObservationHidden(ReAct):
    """Shows the LM every observation but the latest."""

    def _step_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        return super()._step_inputs(_unobserved(state), inputs)

    def _extraction_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        return super()._extraction_inputs(_unobserved(state), inputs)


def _unobserved(state: loop.State) -> loop.State:
    latest = [step.model_copy(update={"observation": "..."}) for step in state.steps[-1:]]
    return state.model_copy(update={"steps": (*state.steps[:-1], *latest)})


@mutant("unbounded-requests", "SAN-005")
class UnboundedRequests(ReAct):
    """Asks for steps for as long as the LM doesn't finish."""

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        state, inputs = super()._begin(inputs)
        return state.model_copy(update={"max_steps": 10_000}), inputs


@mutant("late-tool-run", "SAN-006")
class LateToolRun(ReAct):
    """Leaves a thread behind that runs the last tool after the call has come back."""

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        used = [step for step in state.steps if step.tool in self.tools]
        if used:
            threading.Thread(target=self._run_late, args=(used[-1],)).start()
        return super()._prediction(state, reply)

    def _run_late(self, step: loop.Step) -> None:
        time.sleep(0.01)
        self.tools[step.tool].function(**step.args)


class _Answering(ReAct):
    """Reports outputs of its own; `_output` says which for a field."""

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        prediction = super()._prediction(state, reply)
        for name in self.signature.output_fields:
            prediction[name] = self._output(reply, name)
        return prediction

    def _output(self, reply: dspy.Prediction, name: str) -> Any:
        raise NotImplementedError


@mutant("answer-made-up", "SAN-007")
class AnswerMadeUp(_Answering):
    """Reports success with an answer of its own."""

    def _output(self, reply: dspy.Prediction, name: str) -> Any:  # noqa: ARG002 - whatever the LM said
        return "All done."


@mutant("none-as-success", "SAN-007")
class NoneAsSuccess(_Answering):
    """Reports success with outputs of None."""

    def _output(self, reply: dspy.Prediction, name: str) -> Any:  # noqa: ARG002 - whatever the LM said
        return None


@mutant("prose-as-success", "SAN-007")
class ProseAsSuccess(_Answering):
    """Reports the LM's reasoning for its answer."""

    def _output(self, reply: dspy.Prediction, name: str) -> Any:
        return reply.get("reasoning", reply[name])


@mutant("output-left-out", "SAN-007")
class OutputLeftOut(ReAct):
    """Reports success without the last output."""

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        last = list(self.signature.output_fields)[-1]
        prediction = super()._prediction(state, reply)
        return dspy.Prediction(**{name: value for name, value in prediction.items() if name != last})


@mutant("input-hidden", "SAN-008")
class InputHidden(ReAct):
    """Shows the LM the first input only after the first step."""

    def _step_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        shown = super()._step_inputs(state, inputs)
        first = next(iter(inputs), None)
        return shown if state.steps or first is None else {**shown, first: "..."}


@mutant("tool-descriptions-hidden", "SAN-008")
class ToolDescriptionsHidden(ReAct):
    """Tells the LM the tools' names and parameters, and not what they are for."""

    def _bind(self, tools: Any) -> dict[str, BoundTool]:
        bound = super()._bind(tools).items()
        return {name: BoundTool(t.name, "a tool", t.args, t.function) for name, t in bound}


class _Noting(ReAct):
    """Shows the LM a note of its own above the trajectory; `_note` makes it."""

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        self._noted = self._note(inputs)
        return super()._begin(inputs)

    def _step_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        shown = super()._step_inputs(state, inputs)
        return {**shown, TRAJECTORY: f"({self._noted})\n{shown[TRAJECTORY]}"}

    def _note(self, inputs: dict[str, Any]) -> str:
        raise NotImplementedError


@mutant("state-kept-between-instances", "SAN-009")
class StateKeptBetweenInstances(_Noting):
    """Numbers the runs of all instances, and shows the LM the number."""

    _runs: ClassVar = count(1)

    def _note(self, inputs: dict[str, Any]) -> str:  # noqa: ARG002 - whatever was asked
        return f"run {next(self._runs)}"


@mutant("earlier-case-remembered", "SAN-009")
class EarlierCaseRemembered(_Noting):
    """Shows the LM what was asked before, if that was something else."""

    _asked: ClassVar[list[str]] = []

    def _note(self, inputs: dict[str, Any]) -> str:
        asked = str(inputs)
        if asked not in self._asked[-1:]:
            self._asked.append(asked)
        return f"asked before: {' '.join(self._asked[-2:-1])}"


@mutant("hash-in-prompt", "SAN-009")
class HashInPrompt(_Noting):
    """Names the run by a hash that differs from process to process."""

    def _note(self, inputs: dict[str, Any]) -> str:
        return f"run {hash(str(inputs))}"
