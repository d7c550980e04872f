"""Violations of what becomes of tools that raise (ERR-007)."""

import re
from typing import Any

from react_tck.fakes.mutants.mutant import mutant
from react_tck.fakes.mutants.retold import Retold
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct


class _Failing(ReAct):
    """Makes another event of a tool's error; `_instead` says which."""

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        event = yield from super()._use(call)
        return self._instead(event) if isinstance(event, loop.ToolFailed) else event

    def _instead(self, failed: loop.ToolFailed) -> loop.Event:
        raise NotImplementedError


@mutant("tool-error-swallowed", "ERR-007")
class ToolErrorSwallowed(_Failing):
    """Makes an empty observation of a tool's error."""

    def _instead(self, failed: loop.ToolFailed) -> loop.Event:  # noqa: ARG002 - it is swallowed
        return loop.ToolReturned(observation="")


@mutant("tool-error-by-its-type-alone", "ERR-007")
class ToolErrorByItsTypeAlone(_Failing):
    """Says that a tool failed, but not what it said."""

    def _instead(self, failed: loop.ToolFailed) -> loop.Event:
        return failed.model_copy(update={"reason": "ToolFailure"})


@mutant("tool-error-obeyed", "ERR-007")
class ToolErrorObeyed(_Failing):
    """Drops what looks like a marker from a tool's error."""

    def _instead(self, failed: loop.ToolFailed) -> loop.Event:
        return failed.model_copy(update={"reason": re.sub(r"\[\[ ## \w+ ## \]\]", "", failed.reason)})


class _Diverting(ReAct):
    """Goes another way after a tool's error; `_diverted` says which."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        return self._diverted(following) if isinstance(event, loop.ToolFailed) else following

    def _diverted(self, following: loop.State) -> loop.State:
        raise NotImplementedError


@mutant("tool-error-extracts", "ERR-007")
class ToolErrorExtracts(_Diverting):
    """Goes to the extraction after a tool's error."""

    def _diverted(self, following: loop.State) -> loop.State:
        return following.model_copy(update={"action": loop.AskExtraction()})


@mutant("tool-error-ends-the-call", "ERR-007")
class ToolErrorEndsTheCall(_Diverting):
    """Ends with a typed error where a tool raises, and declares that it goes on."""

    def _diverted(self, following: loop.State) -> loop.State:
        return following.model_copy(update={"action": loop.Done(error="a tool failed")})


@mutant("failed-tool-given-up", "ERR-007")
class FailedToolGivenUp(ReAct):
    """Doesn't run a tool again that failed once."""

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        self._given_up: set[str] = set()
        return super()._begin(inputs)

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        if call.tool in self._given_up:
            return loop.ToolFailed(reason="the tool is out of order")
        event = yield from super()._use(call)
        if isinstance(event, loop.ToolFailed):
            self._given_up.add(call.tool)
        return event


@mutant("tool-error-left-out-of-the-trajectory", "ERR-007")
class ToolErrorLeftOutOfTheTrajectory(Retold):
    """Returns a trajectory without the steps whose tool failed."""

    def _steps(self, state: loop.State) -> tuple[loop.Step, ...]:
        return tuple(step for step in state.steps if not str(step.observation).startswith("Error executing"))
