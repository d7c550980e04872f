"""Violations of the tool loop (LOOP-…)."""

import json
from collections.abc import Callable
from typing import Any

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct
from react_tck.reference.signatures import TRAJECTORY
from react_tck.reference.trajectory import as_text

Steps = tuple[loop.Step, ...]


def _finishes(event: loop.Event) -> bool:
    return isinstance(event, loop.StepChosen) and event.tool == loop.FINISH


def _observed(step: loop.Step, observation: Any) -> loop.Step:
    return step.model_copy(update={"observation": observation})


def _shown(steps: Steps, edit: Callable[[Steps], Steps]) -> dict[str, str]:
    return {TRAJECTORY: as_text(edit(steps))}


@mutant("tool-run-twice", "LOOP-001")
class ToolRunTwice(ReAct):
    """Runs every tool twice and reports the second result."""

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        yield from super()._use(call)
        return (yield from super()._use(call))


@mutant("args-dropped", "LOOP-001")
class ArgsDropped(ReAct):
    """Runs tools without the args the LM gave."""

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        return super()._use(call.model_copy(update={"args": {}}))


@mutant("observation-a-step-late", "LOOP-002")
class ObservationAStepLate(ReAct):
    """Shows a step's observation one step later than it was made."""

    def _step_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        return super()._step_inputs(state, inputs) | _shown(state.steps, self._late)

    @staticmethod
    def _late(steps: Steps) -> Steps:
        return (*steps[:-1], *(_observed(step, "(running)") for step in steps[-1:]))


@mutant("only-the-last-observation", "LOOP-002")
class OnlyTheLastObservation(ReAct):
    """Shows the step predictor no step but the last one."""

    def _step_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        return super()._step_inputs(state, inputs) | _shown(state.steps, lambda steps: steps[-1:])


@mutant("one-observation-a-tool", "LOOP-002")
class OneObservationATool(ReAct):
    """Keeps observations by tool name, so that a later call rewrites those of earlier ones."""

    def _step_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        return super()._step_inputs(state, inputs) | _shown(state.steps, self._by_tool)

    @staticmethod
    def _by_tool(steps: Steps) -> Steps:
        latest = {step.tool: step.observation for step in steps}
        return tuple(_observed(step, latest[step.tool]) for step in steps)


@mutant("observations-under-the-wrong-step", "LOOP-002")
class ObservationsUnderTheWrongStep(ReAct):
    """Shows the observations in reverse, each under a step that didn't bring it."""

    def _step_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        return super()._step_inputs(state, inputs) | _shown(state.steps, self._reversed)

    @staticmethod
    def _reversed(steps: Steps) -> Steps:
        observations = reversed([step.observation for step in steps])
        return tuple(_observed(step, one) for step, one in zip(steps, observations, strict=True))


@mutant("finish-does-not-stop", "LOOP-003")
class FinishDoesNotStop(ReAct):
    """Records `finish` like any step and goes on until the steps run out."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        on = _finishes(event) and len(following.steps) < following.max_steps
        return following.model_copy(update={"action": loop.AskStep()}) if on else following


@mutant("finish-runs-the-last-tool-again", "LOOP-003")
class FinishRunsTheLastToolAgain(ReAct):
    """Calls the tool of the step before once more when `finish` is selected."""

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        event = yield from super()._step(state, inputs)
        if _finishes(event) and state.steps:
            last = state.steps[-1]
            yield from self._use(loop.RunTool(thought=last.thought, tool=last.tool, args=last.args))
        return event


@mutant("calls-batched", "LOOP-005")
class CallsBatched(ReAct):
    """Gathers the calls until `finish` is selected and runs them then, sorted."""

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:  # noqa: ARG002 - the args are run later
        return loop.ToolReturned(observation="scheduled")
        yield

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        event = yield from super()._step(state, inputs)
        if _finishes(event):
            for step in sorted(state.steps, key=lambda step: (step.tool, json.dumps(step.args))):
                call = loop.RunTool(thought=step.thought, tool=step.tool, args=step.args)
                yield from super()._use(call)
        return event


@mutant("latest-step-first", "LOOP-005")
class LatestStepFirst(ReAct):
    """Passes the trajectory on with the latest step first."""

    def _extraction_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        return super()._extraction_inputs(state, inputs) | _shown(state.steps, lambda steps: steps[::-1])


@mutant("thought-asked-for-separately", "LOOP-006")
class ThoughtAskedForSeparately(ReAct):
    """Makes two requests a step and acts on the second reply."""

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        yield from super()._step(state, inputs)
        return (yield from super()._step(state, inputs))


@mutant("step-reply-cached", "LOOP-006")
class StepReplyCached(ReAct):
    """Caches the step predictor's reply by the user's inputs alone, without the trajectory."""

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        if state.steps:
            first = state.steps[0]
            return loop.StepChosen(thought=first.thought, tool=first.tool, args=first.args)
        return (yield from super()._step(state, inputs))


@mutant("finish-needs-a-tool-first", "LOOP-007")
class FinishNeedsAToolFirst(ReAct):
    """Asks again when `finish` is selected before any tool ran."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        return state if _finishes(event) and not state.steps else super()._advance(state, event)


@mutant("first-tool-run-unasked", "LOOP-007")
class FirstToolRunUnasked(ReAct):
    """Runs its first tool when `finish` is selected before any tool ran, so that there is something to extract."""

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        event = yield from super()._step(state, inputs)
        if _finishes(event) and not state.steps:
            yield from self._use(loop.RunTool(thought="", tool=next(iter(self.tools)), args={}))
        return event


@mutant("breaks-without-tools", "LOOP-007")
class BreaksWithoutTools(ReAct):
    """Shows the first tool as an example, and breaks if there is none."""

    def _step_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        return super()._step_inputs(state, inputs) | {"example": list(self.tools)[0]}  # noqa: RUF015


@mutant("finish-args-to-the-last-tool", "LOOP-010")
class FinishArgsToTheLastTool(ReAct):
    """Gives the arguments of `finish` to the tool that ran last."""

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        event = yield from super()._step(state, inputs)
        if isinstance(event, loop.StepChosen) and _finishes(event) and event.args and state.steps:
            call = loop.RunTool(thought=event.thought, tool=state.steps[-1].tool, args=event.args)
            yield from self._use(call)
        return event


@mutant("finish-with-args-goes-on", "LOOP-010")
class FinishWithArgsGoesOn(ReAct):
    """Refuses `finish` with arguments, and asks for another step."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        refused = isinstance(event, loop.StepChosen) and _finishes(event) and event.args
        return state if refused else super()._advance(state, event)


class _FinishFails(ReAct):
    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        if not (isinstance(event, loop.StepChosen) and _finishes(event) and self._fails(event)):
            return following
        failed = _observed(following.steps[-1], "Execution error in finish.")
        return following.model_copy(update={"steps": (*following.steps[:-1], failed)})

    def _fails(self, event: loop.StepChosen) -> bool:
        raise NotImplementedError


@mutant("finish-args-are-an-error", "LOOP-010")
class FinishArgsAreAnError(_FinishFails):
    """Tells the extraction that `finish` failed, because it was given arguments."""

    def _fails(self, event: loop.StepChosen) -> bool:
        return bool(event.args)


@mutant("finish-is-an-unknown-tool", "LOOP-010")
class FinishIsAnUnknownTool(_FinishFails):
    """Looks `finish` up among the user's tools, and tells the extraction that it isn't there."""

    def _fails(self, event: loop.StepChosen) -> bool:  # noqa: ARG002 - whatever its args
        return True
