"""Violations of what calls on one instance owe each other and their caller (ISO-001, ISO-003)."""

from collections.abc import Callable, Iterable
from typing import Any

import dspy

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct
from react_tck.reference.signatures import SignatureType, history_field


@mutant("trajectory-kept-between-calls", "ISO-001")
class TrajectoryKeptBetweenCalls(ReAct):
    """Begins a call with the steps of the one before."""

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        state, inputs = super()._begin(inputs)
        return state.model_copy(update={"steps": getattr(self, "_kept", ())}), inputs

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        self._kept = tuple(step for step in state.steps if step.tool != loop.FINISH)
        return super()._prediction(state, reply)


@mutant("steps-counted-over-all-calls", "ISO-001")
class StepsCountedOverAllCalls(ReAct):
    """Has max_steps for the instance, not for a call."""

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        state, inputs = super()._begin(inputs)
        left = max(state.max_steps - getattr(self, "_taken", 0), 1)
        return state.model_copy(update={"max_steps": left}), inputs

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        self._taken = getattr(self, "_taken", 0) + isinstance(event, loop.StepChosen)
        return super()._advance(state, event)


@mutant("step-kept-by-tool-and-args", "ISO-001")
class StepKeptByToolAndArgs(ReAct):
    """Doesn't run a tool again that an earlier call ran with the same args."""

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        known: dict[str, loop.Event] = self.__dict__.setdefault("_known", {})
        key = f"{call.tool} {call.args}"
        if key not in known:
            known[key] = yield from super()._use(call)
        return known[key]


@mutant("first-inputs-kept", "ISO-001")
class FirstInputsKept(ReAct):
    """Asks every extraction with the inputs of the first call."""

    def _extraction_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        first: dict[str, Any] = self.__dict__.setdefault("_first", dict(inputs))
        return super()._extraction_inputs(state, {**inputs, **first})


@mutant("failed-trajectory-kept", "ISO-001")
class FailedTrajectoryKept(ReAct):
    """Takes up the trajectory of a call that failed in the one after it."""

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        state, inputs = super()._begin(inputs)
        return state.model_copy(update={"steps": self.__dict__.pop("_kept", ())}), inputs

    def _extraction(self, state: loop.State, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        try:
            return (yield from super()._extraction(state, inputs))
        except Exception:
            self._kept = tuple(step for step in state.steps if step.tool != loop.FINISH)
            raise


@mutant("inputs-changed", "ISO-003")
class InputsChanged(ReAct):
    """Notes in a list of the caller's that it was used."""

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        for value in inputs.values():
            if isinstance(value, list):
                value.append("(used)")
        return super()._begin(inputs)


@mutant("history-extended", "ISO-003")
class HistoryExtended(ReAct):
    """Adds the turn just taken to the history it was given."""

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        state, inputs = super()._begin(inputs)
        self._history = inputs.get(history_field(self.signature) or "")
        return state, inputs

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        prediction = super()._prediction(state, reply)
        if self._history is not None:
            self._history.messages.append({"question": "what was asked", "answer": str(reply.get("answer"))})
        return prediction


@mutant("tools-used-up", "ISO-003")
class ToolsUsedUp(ReAct):
    """Takes tools off the caller's list when they run."""

    def __init__(self, signature: str | SignatureType, tools: Iterable[Callable[..., Any]], **options: Any) -> None:
        super().__init__(signature, tools, **options)
        self._of_caller = tools

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        if isinstance(self._of_caller, list) and len(self._of_caller) > 1:
            self._of_caller.pop()
        return (yield from super()._use(call))


@mutant("signature-class-changed", "ISO-003")
class SignatureClassChanged(ReAct):
    """Writes its own instructions into the caller's signature class."""

    def _user_signature(self, signature: str | SignatureType) -> SignatureType:
        self._given = signature
        return super()._user_signature(signature)

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        if not isinstance(self._given, str):
            self._given.__doc__ = f"{self._given.__doc__} Use the tools."
        return super()._begin(inputs)
