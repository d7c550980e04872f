"""Violations of what a response makes of a suspended call (CNF-003 to CNF-006, CNF-009 to CNF-012)."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.confirmation import ConfirmationRequired, ResponseRefused, Status
from react_tck.reference.confirming import clarification
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct
from react_tck.reference.response import CLARIFY, Response
from react_tck.reference.tools import BoundTool


class _Reading(ReAct):
    """Makes something else of a response; `_misread` makes it of the status and the event."""

    def _read(self, user_response: str, state: loop.State) -> Response:
        return self._misread(super()._read(user_response, state), state, user_response)

    def _misread(self, response: Response, state: loop.State, said: str) -> Response:
        raise NotImplementedError


def _approval(state: loop.State, response: Response) -> Response:
    assert isinstance(state.action, loop.AwaitResponse)
    return response._replace(event=loop.Approved(tool=state.action.tool, args=state.action.args))


def _told(response: Response, observation: str) -> Response:
    return response._replace(event=loop.Declined(observation=observation))


@mutant("run-twice-on-resume", "CNF-003")
class RunTwiceOnResume(ReAct):
    """Runs a confirmed tool twice."""

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        if call.tool in self._awaited():
            yield from super()._use(call)
        return (yield from super()._use(call))


@mutant("y-is-feedback", "CNF-003")
class YIsFeedback(_Reading):
    """Knows `yes` but not `y`."""

    def _misread(self, response: Response, state: loop.State, said: str) -> Response:
        return _told(response, f"The user says: {said}") if said == "y" else response


@mutant("args-dropped-on-resume", "CNF-003")
class ArgsDroppedOnResume(_Reading):
    """Runs a confirmed tool without its args."""

    def _misread(self, response: Response, state: loop.State, said: str) -> Response:
        approval = _approval(state, response)
        emptied = approval.event.model_copy(update={"args": {"text": ""}})
        return response._replace(event=emptied) if said in ("yes", "y") else response


@mutant("resume-ends-the-loop", "CNF-003")
class ResumeEndsTheLoop(ReAct):
    """Extracts the outputs as soon as a confirmed tool has run."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        is_confirmed = isinstance(state.action, loop.RunTool) and state.action.tool in state.awaited
        return following.model_copy(update={"action": loop.AskExtraction()}) if is_confirmed else following


@mutant("rejection-run-anyway", "CNF-004")
class RejectionRunAnyway(_Reading):
    """Runs the tool whatever the user says to it, if it is a no."""

    def _misread(self, response: Response, state: loop.State, said: str) -> Response:
        return _approval(state, response) if response.status == "rejected" else response


@mutant("n-is-yes", "CNF-004")
class NIsYes(_Reading):
    """Knows `no` but takes `n` for an approval."""

    def _misread(self, response: Response, state: loop.State, said: str) -> Response:
        return _approval(state, response) if said == "n" else response


@mutant("rejection-not-told", "CNF-004")
class RejectionNotTold(_Reading):
    """Has an empty observation for a rejected call."""

    def _misread(self, response: Response, state: loop.State, said: str) -> Response:
        return _told(response, "") if response.status == "rejected" else response


@mutant("rejection-ends-the-loop", "CNF-004")
class RejectionEndsTheLoop(ReAct):
    """Extracts the outputs as soon as a call is rejected."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        declined = isinstance(event, loop.Declined)
        return following.model_copy(update={"action": loop.AskExtraction()}) if declined else following


@mutant("feedback-run-as-approval", "CNF-005")
class FeedbackRunAsApproval(_Reading):
    """Takes whatever isn't a no for an approval."""

    def _misread(self, response: Response, state: loop.State, said: str) -> Response:
        return _approval(state, response) if response.status == "feedback" else response


@mutant("any-yes-is-approval", "CNF-005")
class AnyYesIsApproval(_Reading):
    """Takes feedback that begins with yes for an approval."""

    def _misread(self, response: Response, state: loop.State, said: str) -> Response:
        return _approval(state, response) if said.startswith("yes") else response


@mutant("feedback-not-told", "CNF-005")
class FeedbackNotTold(_Reading):
    """Tells the agent that the tool wasn't executed, but not what the user said."""

    def _misread(self, response: Response, state: loop.State, said: str) -> Response:
        return _told(response, "The tool was not executed.") if response.status == "feedback" else response


@mutant("edit-ignored", "CNF-006")
class EditIgnored(_Reading):
    """Runs the original call where the user edited it."""

    def _misread(self, response: Response, state: loop.State, said: str) -> Response:
        return _approval(state, response) if response.status == "edited" else response


@mutant("edited-name-ignored", "CNF-006")
class EditedNameIgnored(_Reading):
    """Takes the args of an edit but not its tool."""

    def _misread(self, response: Response, state: loop.State, said: str) -> Response:
        assert isinstance(state.action, loop.AwaitResponse)
        if response.status != "edited":
            return response
        return response._replace(event=response.event.model_copy(update={"tool": state.action.tool}))


@mutant("edit-beside-the-original", "CNF-006")
class EditBesideTheOriginal(ReAct):
    """Runs the original call, then the edited one."""

    def _resumed(self, user_response: str, saved: ConfirmationRequired) -> Episode[Any]:
        state, _ = self._reopened(saved)
        if isinstance(state.action, loop.AwaitResponse) and self._read(user_response, state).status == "edited":
            call = state.action
            yield from self._use(loop.RunTool(thought=call.thought, tool=call.tool, args=call.args))
        return (yield from super()._resumed(user_response, saved))


class _Rerunning(ReAct):
    """Runs tools again on resume; `_again` says which."""

    def _resumed(self, user_response: str, saved: ConfirmationRequired) -> Episode[Any]:
        state, _ = self._reopened(saved)
        for step in state.steps:
            if self._again(step.tool):
                yield from self._use(loop.RunTool(thought=step.thought, tool=step.tool, args=step.args))
        return (yield from super()._resumed(user_response, saved))

    def _again(self, tool: str) -> bool:
        raise NotImplementedError


@mutant("executed-tools-rerun-on-resume", "CNF-009")
class ExecutedToolsRerunOnResume(_Rerunning):
    """Runs the tools of the steps before once more when it is resumed."""

    def _again(self, tool: str) -> bool:
        return True


@mutant("confirmed-tools-rerun-on-resume", "CNF-009")
class ConfirmedToolsRerunOnResume(_Rerunning):
    """Runs the tools confirmed before once more when it is resumed."""

    def _again(self, tool: str) -> bool:
        return tool in self._awaited()


@mutant("async-resume-starts-over", "CNF-010")
class AsyncResumeStartsOver(ReAct):
    """Forgets the steps before when it is resumed asynchronously."""

    async def aresume(self, user_response: str, saved_state: ConfirmationRequired) -> Any:
        saved_state.context["state"]["loop"]["steps"] = []
        return await super().aresume(user_response, saved_state)


@mutant("async-resume-approves", "CNF-010")
class AsyncResumeApproves(ReAct):
    """Takes every response for a yes when it is resumed asynchronously."""

    async def aresume(self, user_response: str, saved_state: ConfirmationRequired) -> Any:  # noqa: ARG002 - so it is
        return await super().aresume("yes", saved_state)


@mutant("clarification-in-other-words", "CNF-011")
class ClarificationInOtherWords(ReAct):
    """Asks the user to confirm the question instead of asking it."""

    def _question(self, call: loop.AwaitResponse) -> str:
        return f"Confirm execution of {call.tool} with args: {json.dumps(call.args)}? (yes/no)"


@mutant("clarification-answers-itself", "CNF-011")
class ClarificationAnswersItself(ReAct):
    """Goes on without the user when it has a question."""

    def _awaited(self) -> tuple[str, ...]:
        return tuple(name for name in super()._awaited() if name != CLARIFY)


@mutant("clarification-not-told", "CNF-011")
class ClarificationNotTold(_Reading):
    """Doesn't tell the agent what the user answered."""

    def _misread(self, response: Response, state: loop.State, said: str) -> Response:
        assert isinstance(state.action, loop.AwaitResponse)
        return _told(response, "The user has answered.") if state.action.tool == CLARIFY else response


@mutant("clarification-reads-a-verdict", "CNF-011")
class ClarificationReadsAVerdict(_Reading):
    """Takes yes and no for a verdict on the question, not for its answer."""

    def _misread(self, response: Response, state: loop.State, said: str) -> Response:
        assert isinstance(state.action, loop.AwaitResponse)
        verdicts = {"yes": "The question was approved.", "no": "The question was rejected."}
        is_verdict = state.action.tool == CLARIFY and said in verdicts
        return _told(response, verdicts[said]) if is_verdict else response


@mutant("clarification-always-offered", "CNF-011")
class ClarificationAlwaysOffered(ReAct):
    """Has the clarification tool whether or not it is enabled."""

    def _bind(self, tools: Iterable[Callable[..., Any]]) -> dict[str, BoundTool]:
        return {CLARIFY: clarification(), **super()._bind(tools)}


@mutant("unknown-id-accepted", "CNF-012")
class UnknownIdAccepted(ReAct):
    """Takes a response for the suspended call under whatever id."""

    def _resumed(self, user_response: str, saved: ConfirmationRequired) -> Episode[Any]:
        saved.confirmation_id = saved.context["state"]["confirmation_id"]
        return (yield from super()._resumed(user_response, saved))


@mutant("resumed-twice", "CNF-012")
class ResumedTwice(ReAct):
    """Takes a second response like the first."""

    def _settle(self, confirmation_id: str, status: Status) -> None:
        try:
            super()._settle(confirmation_id, status)
        except ResponseRefused:
            return


class _Lenient(ReAct):
    """Makes something of an edit that can't be read; `_otherwise` says what."""

    def _read(self, user_response: str, state: loop.State) -> Response:
        try:
            return super()._read(user_response, state)
        except ResponseRefused:
            return self._otherwise(user_response, state)

    def _otherwise(self, said: str, state: loop.State) -> Response:
        raise NotImplementedError


@mutant("bad-edit-is-approval", "CNF-012")
class BadEditIsApproval(_Lenient):
    """Runs the original call where an edit can't be read."""

    def _otherwise(self, said: str, state: loop.State) -> Response:  # noqa: ARG002 - so it is
        return super()._read("yes", state)


@mutant("bad-edit-is-feedback", "CNF-012")
class BadEditIsFeedback(_Lenient):
    """Hands an edit that can't be read to the agent."""

    def _otherwise(self, said: str, state: loop.State) -> Response:
        return Response("feedback", loop.Declined(observation=f"The user says: {said}"))
