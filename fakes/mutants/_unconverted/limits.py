"""Violations of the limit on steps (LOOP-004, LOOP-008, LOOP-009)."""

import sys
from typing import Any, ClassVar

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import DEFAULT_MAX_STEPS, EpisodeFailed, ReAct


def _finishes(event: loop.Event) -> bool:
    return isinstance(event, loop.StepChosen) and event.tool == loop.FINISH


@mutant("one-step-too-many", "LOOP-004")
class OneStepTooMany(ReAct):
    """Checks the limit after the step, not before it."""

    def _own_options(self, inputs: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        max_steps, inputs = super()._own_options(inputs)
        return max_steps + 1, inputs


@mutant("one-step-short", "LOOP-004")
class OneStepShort(ReAct):
    """Stops a step before the limit."""

    def _own_options(self, inputs: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        max_steps, inputs = super()._own_options(inputs)
        return max_steps - 1, inputs


@mutant("max-steps-ignored", "LOOP-004")
class MaxStepsIgnored(ReAct):
    """Takes the default number of steps whatever max_steps was given."""

    def _own_options(self, inputs: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return DEFAULT_MAX_STEPS, super()._own_options(inputs)[1]


@mutant("max-steps-zero-is-the-default", "LOOP-004")
class MaxStepsZeroIsTheDefault(ReAct):
    """Takes a max_steps of 0 for one that wasn't given."""

    def _own_options(self, inputs: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        max_steps, inputs = super()._own_options(inputs)
        return max_steps or DEFAULT_MAX_STEPS, inputs


@mutant("max-steps-is-an-error", "LOOP-004")
class MaxStepsIsAnError(ReAct):
    """Raises an error when the steps run out."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        if isinstance(following.action, loop.AskExtraction) and not _finishes(event):
            raise EpisodeFailed("the steps have run out")
        return following


@mutant("extraction-skipped-at-max-steps", "LOOP-004")
class ExtractionSkippedAtMaxSteps(ReAct):
    """Returns outputs of None when the steps run out, without extraction."""

    def _extraction(self, state: loop.State, inputs: dict[str, Any]) -> Episode[Any]:
        if state.steps and state.steps[-1].tool == loop.FINISH:
            return (yield from super()._extraction(state, inputs))
        return dict.fromkeys(self.signature.output_fields)


@mutant("last-step-must-not-finish", "LOOP-004")
class LastStepMustNotFinish(ReAct):
    """Looks whether the steps have run out before it looks whether the last one is `finish`."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        if _finishes(event) and len(state.steps) + 1 == state.max_steps:
            raise EpisodeFailed("the steps have run out")
        return super()._advance(state, event)


@mutant("endless-by-default", "LOOP-008")
class EndlessByDefault(ReAct):
    """Has no limit unless one is given."""

    def _own_options(self, inputs: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        max_steps, inputs = super()._own_options(inputs)
        return sys.maxsize if max_steps == DEFAULT_MAX_STEPS else max_steps, inputs


@mutant("default-not-as-documented", "LOOP-008")
class DefaultNotAsDocumented(ReAct):
    """Stops after other than the documented number of steps where no limit is given."""

    def _own_options(self, inputs: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        max_steps, inputs = super()._own_options(inputs)
        return DEFAULT_MAX_STEPS // 2 if max_steps == DEFAULT_MAX_STEPS else max_steps, inputs


@mutant("max-steps-capped-at-the-default", "LOOP-008")
class MaxStepsCappedAtTheDefault(ReAct):
    """Never takes more steps than the default."""

    def _own_options(self, inputs: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        max_steps, inputs = super()._own_options(inputs)
        return min(max_steps, DEFAULT_MAX_STEPS), inputs


@mutant("max-steps-of-all-instances", "LOOP-008")
class MaxStepsOfAllInstances(ReAct):
    """Keeps the smallest max_steps that any instance was given, for all of them."""

    _smallest: ClassVar[int] = DEFAULT_MAX_STEPS

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        type(self)._smallest = min(self._smallest, self.max_steps)

    def _own_options(self, inputs: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return self._smallest, super()._own_options(inputs)[1]


@mutant("call-max-steps-ignored", "LOOP-009")
class CallMaxStepsIgnored(ReAct):
    """Takes max_steps at the call, and ignores it."""

    def _own_options(self, inputs: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return self.max_steps, super()._own_options(inputs)[1]


@mutant("call-max-steps-only-lowers", "LOOP-009")
class CallMaxStepsOnlyLowers(ReAct):
    """Takes the smaller of the constructed max_steps and the call's."""

    def _own_options(self, inputs: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        max_steps, inputs = super()._own_options(inputs)
        return min(max_steps, self.max_steps), inputs


@mutant("call-max-steps-sticks", "LOOP-009")
class CallMaxStepsSticks(ReAct):
    """Keeps the max_steps of one call for those after it."""

    def _own_options(self, inputs: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.max_steps, inputs = super()._own_options(inputs)
        return self.max_steps, inputs
