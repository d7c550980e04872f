"""Faults of `ReAct` in what it shows to the LM."""

from itertools import pairwise
from typing import Any

import dspy

from react_tck.reference import ReAct, loop
from react_tck.reference.seams import Beginning, Prompt, Site
from tests.prove.planted.means import Showing, Steps, changed, failed, started_with


class RepeatedObservationAbridged(Showing, ReAct):
    """An observation equal to that of the step before is shown as "(as before)"."""

    def visible(self, state: loop.State, prompt: Prompt) -> Steps:
        abridged = (
            changed(step, observation="(as before)") if step.observation == last.observation else step
            for last, step in pairwise(state.shown_steps)
        )
        return (*state.shown_steps[:1], *abridged)


class FalsyResultsShownBlank(Showing, ReAct):
    """A result of 0, false, "" or [] is shown as nothing."""

    def visible(self, state: loop.State, prompt: Prompt) -> Steps:
        return tuple(step if step.observation else changed(step, observation="") for step in state.shown_steps)


class ExtractionWithoutFailedLastStep(Showing, ReAct):
    """When the last tool failed and no step is left, the extraction isn't shown that step."""

    def visible(self, state: loop.State, prompt: Prompt) -> Steps:
        cut = prompt.phase == "extraction" and state.shown_steps and failed(state.shown_steps[-1])
        return state.shown_steps[:-1] if cut else state.shown_steps


class MalformedReplyHidesStepBefore(Showing, ReAct):
    """The step before a reply that couldn't be read is no longer shown."""

    def visible(self, state: loop.State, prompt: Prompt) -> Steps:
        followed = (*state.shown_steps[1:], None)
        return tuple(
            step for step, after in zip(state.shown_steps, followed, strict=True) if after is None or after.tool
        )


class ThoughtOfFailureNotShown(Showing, ReAct):
    """Of a step whose tool failed the thought is not shown in the extraction."""

    def visible(self, state: loop.State, prompt: Prompt) -> Steps:
        if prompt.phase == "step":
            return state.shown_steps
        return tuple(changed(step, thought="") if failed(step) else step for step in state.shown_steps)


class LongInputCutInExtraction(ReAct):
    """An input of more than a thousand characters is cut in the extraction's request."""

    def _make_prompt(self, state: loop.State, action: loop.Action, inputs: dict[str, Any]) -> Prompt:
        prompt = super()._make_prompt(state, action, inputs)
        if prompt.phase == "step":
            return prompt
        cut = {
            name: value[:1000] if isinstance(value, str) and name in inputs else value
            for name, value in prompt.inputs.items()
        }
        return prompt._replace(inputs=cut)


class FalsyInputsLostInExtraction(ReAct):
    """An input of 0, false or [] is shown to the steps, and not to the extraction."""

    def _make_prompt(self, state: loop.State, action: loop.Action, inputs: dict[str, Any]) -> Prompt:
        prompt = super()._make_prompt(state, action, inputs)
        if prompt.phase == "step":
            return prompt
        blank = {name: value or "" if name in inputs else value for name, value in prompt.inputs.items()}
        return prompt._replace(inputs=blank)


class LeftOutOfNextCall(ReAct):
    """After a call whose prompt didn't fit, the next call leaves out as many steps from the start."""

    left_out = 0

    def _begin_run(self, inputs: dict[str, Any]) -> Beginning:
        return started_with(super()._begin_run(inputs), left_out=self.left_out)

    def _make_prediction(self, site: Site, answered: dict[str, Any]) -> dspy.Prediction:
        self.left_out = site.state.left_out
        return super()._make_prediction(site, answered)

    def truncate_trajectory(self, trajectory: dict[str, Any]) -> dict[str, Any]:
        """A step less, if there is any: the reference never leaves out the last one."""
        return dict(list(trajectory.items())[4:])
