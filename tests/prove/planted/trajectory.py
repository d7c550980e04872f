"""Faults of `ReAct` in what it records."""

from itertools import pairwise
from typing import Any

from react_tck.reference import ReAct, loop
from react_tck.reference.seams import Site
from tests.prove.planted.means import Counting, Recording, Steps, changed, failed
from tests.prove.planted.values import composed, without_nulls


class ThoughtsLostOnSecondCall(Counting, Recording, ReAct):
    """On a second call of an instance, the recorded thoughts are empty."""

    def recorded(self, state: loop.State) -> Steps:
        return tuple(changed(step, thought="") if self.calls > 1 else step for step in state.steps)


class UnknownToolNotRecorded(Recording, ReAct):
    """The step that named an unknown tool is shown to the LM, and missing from the returned trajectory."""

    def recorded(self, state: loop.State) -> Steps:
        return tuple(step for step in state.steps if not step.tool or step.tool in self.tools or step.tool == "finish")


class UnknownToolNameless(Recording, ReAct):
    """The recorded step of an unknown tool doesn't say which name the LM had given."""

    def recorded(self, state: loop.State) -> Steps:
        known = {*self.tools, "finish"}
        return tuple(step if step.tool in known else changed(step, tool="") for step in state.steps)


class ThoughtLostWithNull(Recording, ReAct):
    """Where a tool returned null, the recorded thought is empty."""

    def recorded(self, state: loop.State) -> Steps:
        return tuple(changed(step, thought="") if step.observation is None else step for step in state.steps)


class EqualThoughtRecordedOnce(Recording, ReAct):
    """A thought that the step before had word for word is recorded as empty."""

    def recorded(self, state: loop.State) -> Steps:
        repeated = (
            changed(step, thought="") if step.thought == last.thought else step for last, step in pairwise(state.steps)
        )
        return (*state.steps[:1], *repeated)


class ThoughtsFirstLineOnly(Recording, ReAct):
    """Of a thought of several lines the first is recorded."""

    def recorded(self, state: loop.State) -> Steps:
        return tuple(changed(step, thought=step.thought.partition("\n")[0]) for step in state.steps)


class FinishThoughtNotRecorded(Recording, ReAct):
    """The thought of the step that finishes isn't recorded, when tools have run before it."""

    def recorded(self, state: loop.State) -> Steps:
        *earlier, last = state.steps or (None,)
        if last is None or last.tool != "finish" or not earlier:
            return state.steps
        return (*state.steps[:-1], changed(last, thought=""))


class EmptyArgsRecordedAsPrevious(Recording, ReAct):
    """A call without args is recorded with those of the step before."""

    def recorded(self, state: loop.State) -> Steps:
        taken = list(state.steps[:1])
        for step in state.steps[1:]:
            taken.append(step if step.args or step.tool == "finish" else changed(step, args=taken[-1].args))
        return tuple(taken)


class AsyncFailureLosesArgs(Recording, ReAct):
    """In an async call, a step whose tool raised is recorded without args."""

    mode = "sync"

    def _make_site(self, mode: Any, inputs: dict[str, Any]) -> Site:
        self.mode = mode
        return super()._make_site(mode, inputs)

    def recorded(self, state: loop.State) -> Steps:
        if self.mode == "sync":
            return state.steps
        return tuple(changed(step, args={}) if failed(step) else step for step in state.steps)


class ObservationsStrippedInRecord(Recording, ReAct):
    """White space around an observation is not recorded."""

    def recorded(self, state: loop.State) -> Steps:
        return tuple(
            changed(step, observation=step.observation.strip()) if isinstance(step.observation, str) else step
            for step in state.steps
        )


class NestedNullNotRecorded(Recording, ReAct):
    """Keys of an object a tool returned are not recorded where they are null."""

    def recorded(self, state: loop.State) -> Steps:
        return tuple(changed(step, observation=without_nulls(step.observation)) for step in state.steps)


class LeftOutTwiceNotRecorded(Recording, ReAct):
    """When more than one step was left out of the prompts, the trajectory lacks them too."""

    def recorded(self, state: loop.State) -> Steps:
        return state.shown_steps if state.left_out > 1 else state.steps


class AsyncExhaustionLosesLastStep(AsyncFailureLosesArgs):
    """In an async call whose steps ran out, the last step isn't recorded."""

    def recorded(self, state: loop.State) -> Steps:
        ran_out = self.mode == "async" and not state.finished
        return state.steps[:-1] if ran_out else state.steps


class ObservationsComposedInRecord(Recording, ReAct):
    """Text that a tool returned is recorded in composed characters."""

    def recorded(self, state: loop.State) -> Steps:
        return tuple(changed(step, observation=composed(step.observation)) for step in state.steps)
