"""Violations that show when the provider fails (ERR-012)."""

from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct

#: For ever, as far as anybody waits for it.
_FOR_EVER = 1000


class _RunningAgain(ReAct):
    def _run_again(self, state: loop.State) -> Episode[None]:
        for step in state.steps:
            if step.tool in self.tools:
                yield from self._use(loop.RunTool(thought=step.thought, tool=step.tool, args=step.args))


@mutant("tools-rerun-after-an-lm-fault", "ERR-012")
class ToolsRerunAfterAnLmFault(_RunningAgain):
    """Runs all tools again where a step meets a fault, and asks again."""

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        try:
            return (yield from super()._step(state, inputs))
        except Exception:
            yield from self._run_again(state)
            return (yield from super()._step(state, inputs))


@mutant("tools-rerun-after-an-extraction-fault", "ERR-012")
class ToolsRerunAfterAnExtractionFault(_RunningAgain):
    """Runs all tools again where the extraction meets a fault, and asks again."""

    def _extraction(self, state: loop.State, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        try:
            return (yield from super()._extraction(state, inputs))
        except Exception:
            yield from self._run_again(state)
            return (yield from super()._extraction(state, inputs))


@mutant("recovered-step-runs-twice", "ERR-012")
class RecoveredStepRunsTwice(ReAct):
    """Asks again after a fault, and runs the tool for the first reply and for the second."""

    _has_failed = False

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        try:
            return (yield from super()._step(state, inputs))
        except Exception:
            self._has_failed = True
            return (yield from super()._step(state, inputs))

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        if self._has_failed:
            yield from super()._use(call)
        return (yield from super()._use(call))


@mutant("lm-fault-is-a-success", "ERR-012")
class LmFaultIsASuccess(ReAct):
    """Reports success with empty outputs where a step meets a fault."""

    def _episode(self, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        try:
            return (yield from super()._episode(inputs))
        except AdapterParseError:
            raise
        except Exception:
            return dspy.Prediction(trajectory={}, **dict.fromkeys(self.signature.output_fields, ""))


@mutant("extraction-fault-is-a-success", "ERR-012")
class ExtractionFaultIsASuccess(ReAct):
    """Reports success with outputs of None where the extraction meets a fault."""

    def _extraction(self, state: loop.State, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        try:
            return (yield from super()._extraction(state, inputs))
        except Exception:
            return dspy.Prediction(**dict.fromkeys(self.signature.output_fields))


@mutant("asks-a-dead-lm-for-ever", "ERR-012")
class AsksADeadLmForEver(ReAct):
    """Asks for a step again for as long as the LM fails."""

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        for _ in range(_FOR_EVER):
            try:
                return (yield from super()._step(state, inputs))
            except Exception:
                continue
        raise RuntimeError("the LM never answered")
