"""Violations of what is done about a prompt that doesn't fit (CTX-001, CTX-002)."""

from typing import Any

from dspy.utils.exceptions import ContextWindowExceededError

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct
from react_tck.reference.trajectory import as_text


@mutant("newest-step-dropped", "CTX-001")
class NewestStepDropped(ReAct):
    """Drops the newest steps instead of the oldest."""

    def _trajectory_text(self, state: loop.State) -> str:
        return as_text(state.steps[: len(state.shown)])


@mutant("half-a-step-dropped", "CTX-001")
class HalfAStepDropped(ReAct):
    """Drops the observations of the oldest steps and keeps the rest of them."""

    def _trajectory_text(self, state: loop.State) -> str:
        emptied = (step.model_copy(update={"observation": ""}) for step in state.steps[: state.left_out])
        return as_text((*emptied, *state.shown))


@mutant("nothing-dropped", "CTX-001")
class NothingDropped(ReAct):
    """Makes the same prompt again."""

    def _trajectory_text(self, state: loop.State) -> str:
        return as_text(state.steps)


@mutant("all-steps-dropped", "CTX-001")
class AllStepsDropped(ReAct):
    """Drops every step at once."""

    def _trajectory_text(self, state: loop.State) -> str:
        return "" if state.left_out else super()._trajectory_text(state)


@mutant("overflow-given-up", "CTX-001")
class OverflowGivenUp(ReAct):
    """Gives up as soon as a prompt doesn't fit."""

    def _too_long(self, state: loop.State, error: ContextWindowExceededError) -> loop.Event:  # noqa: ARG002 - so it is
        raise error


@mutant("one-shortening-only", "CTX-001")
class OneShorteningOnly(ReAct):
    """Gives up when a prompt doesn't fit that was made shorter already."""

    def _too_long(self, state: loop.State, error: ContextWindowExceededError) -> loop.Event:
        if state.shortenings:
            raise error
        return super()._too_long(state, error)


@mutant("truncation-unbounded", "CTX-001")
class TruncationUnbounded(ReAct):
    """Goes on dropping until there is nothing left to drop."""

    def _too_long(self, state: loop.State, error: ContextWindowExceededError) -> loop.Event:
        return super()._too_long(_unbounded(state), error)

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        return super()._advance(_unbounded(state), event)


def _unbounded(state: loop.State) -> loop.State:
    return state.model_copy(update={"shortenings": 0})


@mutant("dropped-steps-not-told", "CTX-001")
class DroppedStepsNotTold(ReAct):
    """Returns all steps without telling which of them were dropped."""

    def _left_out(self, state: loop.State) -> dict[str, Any]:  # noqa: ARG002 - so it is
        return {}


@mutant("overflow-is-any-error", "CTX-002")
class OverflowIsAnyError(ReAct):
    """Raises an error that doesn't say that the prompt was too long."""

    def _too_long(self, state: loop.State, error: ContextWindowExceededError) -> loop.Event:
        if not state.can_be_shortened:
            raise RuntimeError("the call failed") from error
        return super()._too_long(state, error)


@mutant("overflow-asked-for-ever", "CTX-002")
class OverflowAskedForEver(ReAct):
    """Makes a prompt again that can't be made shorter, until it fits."""

    def _too_long(self, state: loop.State, error: ContextWindowExceededError) -> loop.Event:  # noqa: ARG002 - so it is
        return loop.DoesNotFit()

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        is_stuck = isinstance(event, loop.DoesNotFit) and not state.can_be_shortened
        return state if is_stuck else super()._advance(state, event)


@mutant("overflow-is-an-empty-answer", "CTX-002")
class OverflowIsAnEmptyAnswer(ReAct):
    """Returns outputs of None when the extraction doesn't fit."""

    def _extraction(self, state: loop.State, inputs: dict[str, Any]) -> Episode[Any]:
        try:
            return (yield from super()._extraction(state, inputs))
        except ContextWindowExceededError:
            return dict.fromkeys(self.signature.output_fields)
