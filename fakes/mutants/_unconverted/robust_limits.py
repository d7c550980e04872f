"""Violations of the bounds of a call, and of what is left at the end of its steps (ERR-008, ERR-013)."""

from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError

from react_tck.fakes.mutants.mutant import mutant
from react_tck.fakes.mutants.retold import Retold
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct


class _NotCounting(ReAct):
    """Doesn't count some steps; `_is_free` says which, by their events."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        if not self._is_free(event):
            return following
        free = {"max_steps": following.max_steps + 1, "action": loop.AskStep()}
        return following.model_copy(update=free)

    def _is_free(self, event: loop.Event) -> bool:
        raise NotImplementedError


@mutant("malformed-replies-not-counted", "ERR-008")
class MalformedRepliesNotCounted(_NotCounting):
    """Asks for steps for as long as the LM isn't understood."""

    def _is_free(self, event: loop.Event) -> bool:
        return isinstance(event, loop.StepMalformed)


@mutant("unknown-names-not-counted", "ERR-008")
class UnknownNamesNotCounted(_NotCounting):
    """Asks for steps for as long as the LM names no tool there is."""

    def _is_free(self, event: loop.Event) -> bool:
        return isinstance(event, loop.StepChosen) and event.tool not in (*self.tools, loop.FINISH)


@mutant("malformed-args-not-counted", "ERR-008")
class MalformedArgsNotCounted(_NotCounting):
    """Asks for steps for as long as the args aren't JSON."""

    def _is_free(self, event: loop.Event) -> bool:
        return isinstance(event, loop.ArgsMalformed)


@mutant("mismatches-not-counted", "ERR-008")
class MismatchesNotCounted(_NotCounting):
    """Asks for steps for as long as the args don't fit the tool."""

    def _is_free(self, event: loop.Event) -> bool:
        return isinstance(event, loop.ArgsMismatched)


@mutant("failed-tools-not-counted", "ERR-008")
class FailedToolsNotCounted(_NotCounting):
    """Asks for steps for as long as tools fail."""

    def _is_free(self, event: loop.Event) -> bool:
        return isinstance(event, loop.ToolFailed)


@mutant("retried-more-than-declared", "ERR-008")
class RetriedMoreThanDeclared(ReAct):
    """Asks for a malformed step five times, whatever it declares."""

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        event = yield from super()._step(state, inputs)
        for _ in range(4):
            if isinstance(event, loop.StepMalformed):
                event = yield from super()._step(state, inputs)
        return event


@mutant("answer-asked-for-until-it-can-be-read", "ERR-008")
class AnswerAskedForUntilItCanBeRead(ReAct):
    """Asks for the answer again and again."""

    def _extraction(self, state: loop.State, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        while True:
            try:
                return (yield from super()._extraction(state, inputs))
            except AdapterParseError:
                continue


def _is_unfinished(state: loop.State) -> bool:
    return not state.steps or state.steps[-1].tool != loop.FINISH


@mutant("trajectory-lost-on-exhaustion", "ERR-013")
class TrajectoryLostOnExhaustion(Retold):
    """Returns an empty trajectory where the LM didn't finish."""

    def _steps(self, state: loop.State) -> tuple[loop.Step, ...]:
        return () if _is_unfinished(state) else state.steps


@mutant("last-step-lost-on-exhaustion", "ERR-013")
class LastStepLostOnExhaustion(Retold):
    """Drops the last step where the LM didn't finish."""

    def _steps(self, state: loop.State) -> tuple[loop.Step, ...]:
        return state.steps[:-1] if _is_unfinished(state) else state.steps


@mutant("failing-steps-left-out", "ERR-013")
class FailingStepsLeftOut(Retold):
    """Drops the steps that failed where the LM didn't finish."""

    def _steps(self, state: loop.State) -> tuple[loop.Step, ...]:
        kept = tuple(step for step in state.steps if not str(step.observation).startswith("Error"))
        return kept if _is_unfinished(state) else state.steps


@mutant("exhaustion-after-a-failure-raises", "ERR-013")
class ExhaustionAfterAFailureRaises(ReAct):
    """Asks for the answer after steps that failed, and raises an error all the same."""

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        if _is_unfinished(state) and str(state.steps[-1].observation).startswith("Error"):
            raise RuntimeError("the steps have run out")
        return super()._prediction(state, reply)


class _Resetting(ReAct):
    """Begins the trajectory anew after some events; `_resets` says which."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        if not self._resets(event):
            return following
        left = {"steps": following.steps[-1:], "max_steps": following.max_steps - len(following.steps) + 1}
        return following.model_copy(update=left)

    def _resets(self, event: loop.Event) -> bool:
        raise NotImplementedError


@mutant("trajectory-reset-by-an-unknown-name", "ERR-013")
class TrajectoryResetByAnUnknownName(_Resetting):
    """Forgets the steps before an unknown name."""

    def _resets(self, event: loop.Event) -> bool:
        return isinstance(event, loop.StepChosen) and event.tool not in (*self.tools, loop.FINISH)


@mutant("trajectory-reset-by-malformed-args", "ERR-013")
class TrajectoryResetByMalformedArgs(_Resetting):
    """Forgets the steps before args that don't parse."""

    def _resets(self, event: loop.Event) -> bool:
        return isinstance(event, loop.ArgsMalformed)


@mutant("trajectory-reset-by-a-malformed-reply", "ERR-013")
class TrajectoryResetByAMalformedReply(_Resetting):
    """Forgets the steps before a reply that can't be read."""

    def _resets(self, event: loop.Event) -> bool:
        return isinstance(event, loop.StepMalformed)
