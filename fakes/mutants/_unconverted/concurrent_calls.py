"""Violations that show when an instance is called by several at once (ISO-002)."""

from typing import Any

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct


@mutant("inputs-on-the-instance", "ISO-002")
class InputsOnTheInstance(ReAct):
    """Keeps the inputs of the call under way on the instance."""

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        state, self._inputs = super()._begin(inputs)
        return state, self._inputs

    def _step_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002 - its own
        return super()._step_inputs(state, self._inputs)


@mutant("pending-call-on-the-instance", "ISO-002")
class PendingCallOnTheInstance(ReAct):
    """Keeps the tool call under way on the instance, and records it from there."""

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        self._pending = call
        return (yield from super()._use(call))

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        if isinstance(event, loop.ToolReturned):
            state = state.model_copy(update={"action": self._pending})
        return super()._advance(state, event)


@mutant("thoughts-on-the-instance", "ISO-002")
class ThoughtsOnTheInstance(ReAct):
    """Collects the thoughts of a call on the instance, and shows them with its last step."""

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        self._thoughts: list[str] = []
        return super()._begin(inputs)

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        self._thoughts.append(call.thought)
        return (yield from super()._use(call))

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        if not isinstance(event, loop.ToolReturned):
            return following
        last = following.steps[-1].model_copy(update={"thought": " ".join(self._thoughts[-2:])})
        return following.model_copy(update={"steps": (*following.steps[:-1], last)})
