"""Violations of what becomes of a malformed reply that a good one follows (ERR-006)."""

from typing import Any

import dspy

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct


class _Noticing(ReAct):
    """Notices which replies of a turn can't be read."""

    _failed = False

    def _reading_adapter(self, predictor: Any) -> dspy.Adapter:
        adapter = super()._reading_adapter(predictor)
        read = adapter.parse
        self._failed = False

        def parse(signature: Any, completion: str) -> Any:
            self._failed = True
            fields = read(signature, completion)
            self._failed = False
            return fields

        adapter.parse = parse
        return adapter


@mutant("retries-counted-as-steps", "ERR-006")
class RetriesCountedAsSteps(ReAct):
    """Asks for a step again in the next turn, as if the malformed reply had been one."""

    def _reading_adapter(self, predictor: Any) -> dspy.Adapter:
        adapter = super()._reading_adapter(predictor)
        adapter.use_json_adapter_fallback = predictor is not self.react
        return adapter


@mutant("failed-attempt-on-record", "ERR-006")
class FailedAttemptOnRecord(_Noticing):
    """Records the attempt that failed as a step of its own beside the one that didn't."""

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        event = yield from super()._step(state, inputs)
        self._attempts = (loop.Step(thought="", tool="", args={}, observation="Error: malformed"),) * self._failed
        return event

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        if isinstance(event, loop.ToolReturned) and self._attempts:
            return following.model_copy(update={"steps": (*self._attempts, *following.steps)})
        return following


@mutant("retried-step-run-twice", "ERR-006")
class RetriedStepRunTwice(_Noticing):
    """Runs the tool for each attempt at its step."""

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        if self._failed:
            yield from super()._use(call)
        return (yield from super()._use(call))


@mutant("recovered-thought-lost", "ERR-006")
class RecoveredThoughtLost(_Noticing):
    """Forgets the thought of a step it had to ask for again."""

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        event = yield from super()._step(state, inputs)
        lost = isinstance(event, loop.StepChosen) and self._failed
        return event.model_copy(update={"thought": ""}) if lost else event


@mutant("extraction-not-retried", "ERR-006")
class ExtractionNotRetried(ReAct):
    """Retries steps, and gives up where the answer can't be read."""

    def _reading_adapter(self, predictor: Any) -> dspy.Adapter:
        adapter = super()._reading_adapter(predictor)
        adapter.use_json_adapter_fallback = predictor is self.react
        return adapter
