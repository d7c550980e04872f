"""Violations of how a call is suspended (CNF-001, CNF-002, CNF-007, CNF-008)."""

import hashlib
from typing import Any

from react_tck.fakes.mutants.mutant import mutant
from react_tck.model.base import JsonObject
from react_tck.reference import loop
from react_tck.reference.confirmation import CONFIRMATIONS, ConfirmationRequired, ResponseRefused, Status, ToolCall
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct
from react_tck.reference.response import Response


@mutant("confirmation-ignored", "CNF-001")
class ConfirmationIgnored(ReAct):
    """Runs tools that require confirmation without asking for it."""

    def _awaited(self) -> tuple[str, ...]:
        return ()


@mutant("every-tool-waits", "CNF-001")
class EveryToolWaits(ReAct):
    """Asks for confirmation of tools that don't require it."""

    def _awaited(self) -> tuple[str, ...]:
        return tuple(self.tools)


@mutant("tool-run-before-confirmation", "CNF-001")
class ToolRunBeforeConfirmation(ReAct):
    """Runs the tool first, and asks then."""

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        event = yield from super()._step(state, inputs)
        if isinstance(event, loop.StepChosen) and event.tool in state.awaited:
            yield from self._use(loop.RunTool(thought=event.thought, tool=event.tool, args=event.args))
        return event


@mutant("confirmed-once-for-all", "CNF-001")
class ConfirmedOnceForAll(ReAct):
    """Takes the approval of one call for that of all later ones."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        return following.model_copy(update={"awaited": ()}) if isinstance(event, loop.Approved) else following


@mutant("suspended-call-without-args", "CNF-001")
class SuspendedCallWithoutArgs(ReAct):
    """Doesn't say which args the call that waits has."""

    def _tool_call(self, call: loop.AwaitResponse, call_id: str) -> ToolCall:
        return super()._tool_call(call, call_id).model_copy(update={"args": {}})


@mutant("iteration-counted-from-one", "CNF-001")
class IterationCountedFromOne(ReAct):
    """Counts the iterations of the context from 1."""

    def _context(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        return super()._context(state, inputs) | {"iteration": len(state.steps) + 1}


@mutant("context-without-trajectory", "CNF-001")
class ContextWithoutTrajectory(ReAct):
    """Leaves the trajectory of the context empty."""

    def _context(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        return super()._context(state, inputs) | {"trajectory": {}}


@mutant("question-in-other-words", "CNF-002")
class QuestionInOtherWords(ReAct):
    """Offers more responses in the question than the wording has."""

    def _question(self, call: loop.AwaitResponse) -> str:
        return super()._question(call).replace("(yes/no)", "(yes/no/feedback/edit)")


@mutant("question-without-args", "CNF-002")
class QuestionWithoutArgs(ReAct):
    """Asks about the tool without its args."""

    def _question(self, call: loop.AwaitResponse) -> str:
        return super()._question(call.model_copy(update={"args": {"hidden": True}}))


@mutant("ids-reused", "CNF-007")
class IdsReused(ReAct):
    """Makes the id of the tool and its args."""

    def _confirmation_id(self, state: loop.State) -> str:
        call = state.action.model_dump_json(exclude={"thought"})
        return hashlib.sha256(call.encode()).hexdigest()


@mutant("one-id-a-call", "CNF-007")
class OneIdACall(ReAct):
    """Keeps the id of a call's first confirmation for its later ones."""

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        self._own_id = super()._confirmation_id(loop.start((), 0))
        return super()._begin(inputs)

    def _confirmation_id(self, _state: loop.State) -> str:
        return self._own_id


@mutant("approved-when-asked", "CNF-007")
class ApprovedWhenAsked(ReAct):
    """Has the status approved before anybody has responded."""

    def _suspension(self, state: loop.State, inputs: dict[str, Any]) -> ConfirmationRequired:
        suspension = super()._suspension(state, inputs)
        CONFIRMATIONS.settle(suspension.confirmation_id, "approved")
        return suspension

    def _settle(self, confirmation_id: str, status: Status) -> None:
        """It is settled."""


@mutant("status-never-updated", "CNF-007")
class StatusNeverUpdated(ReAct):
    """Has the status pending for ever."""

    def _settle(self, confirmation_id: str, status: Status) -> None:
        """Nothing."""


@mutant("edited-is-approved", "CNF-007")
class EditedIsApproved(ReAct):
    """Doesn't tell an edited call from an approved one."""

    def _read(self, user_response: str, state: loop.State) -> Response:
        response = super()._read(user_response, state)
        return response._replace(status="approved") if response.status == "edited" else response


@mutant("steps-lost-in-serialisation", "CNF-008")
class StepsLostInSerialisation(ReAct):
    """Suspends without the steps taken so far."""

    def _saved(self, state: loop.State, confirmation_id: str) -> JsonObject:
        return super()._saved(state.model_copy(update={"steps": ()}), confirmation_id)


@mutant("inputs-lost-in-serialisation", "CNF-008")
class InputsLostInSerialisation(ReAct):
    """Goes on with empty inputs."""

    def _inputs_of(self, saved: ConfirmationRequired) -> dict[str, Any]:
        return dict.fromkeys(super()._inputs_of(saved), "")


@mutant("state-of-this-process-only", "CNF-008")
class StateOfThisProcessOnly(ReAct):
    """Resumes only what was suspended in the same process."""

    def _reopened(self, saved: ConfirmationRequired) -> tuple[loop.State, dict[str, Any]]:
        try:
            CONFIRMATIONS.status(saved.confirmation_id)
        except LookupError as error:
            raise ResponseRefused(str(error)) from error
        return super()._reopened(saved)
