"""Violations that only those meet who await the agent (ASY-001)."""

from typing import Any

import dspy

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct


class _Otherwise(ReAct):
    """Knows whether it is awaited."""

    _is_awaited = False

    async def aforward(self, **inputs: Any) -> dspy.Prediction:
        self._is_awaited = True
        try:
            return await super().aforward(**inputs)
        finally:
            self._is_awaited = False


@mutant("async-skips-the-last-observation", "ASY-001")
class AsyncSkipsTheLastObservation(_Otherwise):
    """Asks for the next step without the latest one, if awaited."""

    def _step_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        shown = state.model_copy(update={"steps": state.steps[:-1]}) if self._is_awaited else state
        return super()._step_inputs(shown, inputs)


@mutant("async-takes-a-step-less", "ASY-001")
class AsyncTakesAStepLess(_Otherwise):
    """Stops a step early, if awaited."""

    def _own_options(self, inputs: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        max_steps, inputs = super()._own_options(inputs)
        return max_steps - self._is_awaited, inputs


@mutant("async-loses-the-adapter", "ASY-001")
class AsyncLosesTheAdapter(_Otherwise):
    """Asks under the global adapter instead of the module's own, if awaited."""

    def _internal_adapter(self, predictor: Any) -> dspy.Adapter | None:
        return None if self._is_awaited else super()._internal_adapter(predictor)


@mutant("async-lets-tool-errors-through", "ASY-001")
class AsyncLetsToolErrorsThrough(_Otherwise):
    """Raises what a tool raises, if awaited."""

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        event = yield from super()._use(call)
        if self._is_awaited and isinstance(event, loop.ToolFailed):
            raise RuntimeError(event.reason)
        return event


@mutant("async-swallows-lm-faults", "ASY-001")
class AsyncSwallowsLmFaults(_Otherwise):
    """Gives empty outputs where the LM fails, if awaited."""

    def _episode(self, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        try:
            return (yield from super()._episode(inputs))
        except Exception:
            if not self._is_awaited:
                raise
            return dspy.Prediction(trajectory={}, **dict.fromkeys(self.signature.output_fields, ""))
