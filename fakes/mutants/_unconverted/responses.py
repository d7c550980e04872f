"""Violations of what a response makes of a suspended call (CNF-003 to CNF-006, CNF-009, CNF-010)."""

from typing import Any

from react_tck.fakes.mutants.misread import Heard, Reading
from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.confirmation import ConfirmationRequired
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct
from react_tck.reference.response import Response


@mutant("run-twice-on-resume", "CNF-003")
class RunTwiceOnResume(ReAct):
    """Runs a confirmed tool twice."""

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        if call.tool in self._awaited():
            yield from super()._use(call)
        return (yield from super()._use(call))


@mutant("y-is-feedback", "CNF-003")
class YIsFeedback(Reading):
    """Knows `yes` but not `y`."""

    def _misread(self, heard: Heard) -> Response:
        return heard.told(f"The user says: {heard.said}") if heard.said == "y" else heard.response


@mutant("args-dropped-on-resume", "CNF-003")
class ArgsDroppedOnResume(Reading):
    """Runs a confirmed tool without its args."""

    def _misread(self, heard: Heard) -> Response:
        emptied = heard.response.event.model_copy(update={"args": {"text": ""}})
        return heard.response._replace(event=emptied) if heard.said in ("yes", "y") else heard.response


@mutant("resume-ends-the-loop", "CNF-003")
class ResumeEndsTheLoop(ReAct):
    """Extracts the outputs as soon as a confirmed tool has run."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        is_confirmed = isinstance(state.action, loop.RunTool) and state.action.tool in state.awaited
        return following.model_copy(update={"action": loop.AskExtraction()}) if is_confirmed else following


@mutant("rejection-run-anyway", "CNF-004")
class RejectionRunAnyway(Reading):
    """Runs the tool whatever the user says to it, if it is a no."""

    def _misread(self, heard: Heard) -> Response:
        return heard.approval() if heard.response.status == "rejected" else heard.response


@mutant("n-is-yes", "CNF-004")
class NIsYes(Reading):
    """Knows `no` but takes `n` for an approval."""

    def _misread(self, heard: Heard) -> Response:
        return heard.approval() if heard.said == "n" else heard.response


@mutant("rejection-not-told", "CNF-004")
class RejectionNotTold(Reading):
    """Has an empty observation for a rejected call."""

    def _misread(self, heard: Heard) -> Response:
        return heard.told("") if heard.response.status == "rejected" else heard.response


@mutant("rejection-ends-the-loop", "CNF-004")
class RejectionEndsTheLoop(ReAct):
    """Extracts the outputs as soon as a call is rejected."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        declined = isinstance(event, loop.Declined)
        return following.model_copy(update={"action": loop.AskExtraction()}) if declined else following


@mutant("feedback-run-as-approval", "CNF-005")
class FeedbackRunAsApproval(Reading):
    """Takes whatever isn't a no for an approval."""

    def _misread(self, heard: Heard) -> Response:
        return heard.approval() if heard.response.status == "feedback" else heard.response


@mutant("any-yes-is-approval", "CNF-005")
class AnyYesIsApproval(Reading):
    """Takes feedback that begins with yes for an approval."""

    def _misread(self, heard: Heard) -> Response:
        return heard.approval() if heard.said.startswith("yes") else heard.response


@mutant("feedback-not-told", "CNF-005")
class FeedbackNotTold(Reading):
    """Tells the agent that the tool wasn't executed, but not what the user said."""

    def _misread(self, heard: Heard) -> Response:
        return heard.told("The tool was not executed.") if heard.response.status == "feedback" else heard.response


@mutant("edit-ignored", "CNF-006")
class EditIgnored(Reading):
    """Runs the original call where the user edited it."""

    def _misread(self, heard: Heard) -> Response:
        return heard.approval() if heard.response.status == "edited" else heard.response


@mutant("edited-name-ignored", "CNF-006")
class EditedNameIgnored(Reading):
    """Takes the args of an edit but not its tool."""

    def _misread(self, heard: Heard) -> Response:
        if heard.response.status != "edited":
            return heard.response
        return heard.response._replace(event=heard.response.event.model_copy(update={"tool": heard.call.tool}))


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
        return tool in self.tools


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
