"""Violations of how the calls of a transcript's turn wait for a person, and of what becomes of them (CNF)."""

from typing import Any
from uuid import NAMESPACE_OID, uuid5

from react_tck.fakes.mutants.mutant import mutant
from react_tck.model.base import JsonObject
from react_tck.reference import loop_transcript as loop
from react_tck.reference.confirmation import CONFIRMATIONS, ConfirmationRequired, ResponseRefused, Status
from react_tck.reference.drive import Episode
from react_tck.reference.loop import Approved, AwaitResponse, Declined
from react_tck.reference.loop_entries import Call, Observation, Turn
from react_tck.reference.response import CLARIFY, Response
from react_tck.reference.transcript import TranscriptReAct

# How they wait.


@mutant("transcript-call-run-before-confirmation", "CNF-001")
class TranscriptCallRunBeforeConfirmation(TranscriptReAct):
    """Runs the calls of a turn that require confirmation first, and asks then."""

    def _turn(self, state: loop.State) -> Episode[loop.Event]:
        event = yield from super()._turn(state)
        for call in event.calls if isinstance(event, loop.TurnChosen) else ():
            if call.name in state.awaited:
                yield from self._use(call)
        return event


@mutant("one-approval-for-the-turn", "CNF-001")
class OneApprovalForTheTurn(TranscriptReAct):
    """Takes the approval of one call for that of all calls after it."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        agreed = isinstance(event, Approved)
        return super()._advance(state, event).model_copy(update={"awaited": ()} if agreed else {})


@mutant("question-about-the-turn", "CNF-002")
class QuestionAboutTheTurn(TranscriptReAct):
    """Asks whether the turn may go on, not which call of it."""

    def _question(self, call: AwaitResponse) -> str:  # noqa: ARG002 - that is what is wrong with it
        return "Confirm execution of the calls of this turn? (yes/no)"


@mutant("one-id-a-turn", "CNF-007")
class OneIdATurn(TranscriptReAct):
    """Has one id for all that is asked in one turn."""

    def _confirmation_id(self, state: loop.State) -> str:
        return str(uuid5(NAMESPACE_OID, f"{state.inputs} {loop.turns_of(state.taken)}"))


@mutant("status-of-the-turn", "CNF-007")
class StatusOfTheTurn(TranscriptReAct):
    """Has a call approved as soon as one before it in the turn is."""

    _status: Status = "pending"

    def _settle(self, confirmation_id: str, status: Status) -> None:
        super()._settle(confirmation_id, status)
        self._status = status

    def _suspension(self, state: loop.State, inputs: dict[str, Any]) -> ConfirmationRequired:
        suspension = super()._suspension(state, inputs)
        CONFIRMATIONS.settle(suspension.confirmation_id, self._status)
        return suspension


@mutant("rest-of-the-turn-lost-in-serialisation", "CNF-008")
class RestOfTheTurnLostInSerialisation(TranscriptReAct):
    """Suspends without the calls after the one that waits."""

    def _saved(self, state: loop.State, confirmation_id: str) -> JsonObject:
        return super()._saved(state.model_copy(update={"pending": state.pending[:1]}), confirmation_id)


# What becomes of them.


class _AfterResponse(TranscriptReAct):
    """Goes on otherwise after a response; `_otherwise` says how."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        return self._otherwise(following, event) if isinstance(event, Approved | Declined) else following

    def _otherwise(self, following: loop.State, event: Approved | Declined) -> loop.State:
        raise NotImplementedError


@mutant("rest-of-the-turn-dropped-on-resume", "CNF-003")
class RestOfTheTurnDroppedOnResume(_AfterResponse):
    """Forgets the calls after the one that the user agreed to."""

    def _otherwise(self, following: loop.State, event: Approved | Declined) -> loop.State:
        return following.model_copy(update={"pending": ()} if isinstance(event, Approved) else {})


@mutant("transcript-call-run-twice-on-resume", "CNF-003")
class TranscriptCallRunTwiceOnResume(TranscriptReAct):
    """Runs a confirmed call twice."""

    def _use(self, call: Call) -> Episode[loop.Event]:
        if call.name in self._awaited():
            yield from super()._use(call)
        return (yield from super()._use(call))


@mutant("pairing-lost-on-resume", "CNF-003")
class PairingLostOnResume(_AfterResponse):
    """Gives the result of a confirmed call another id than the call has."""

    def _otherwise(self, following: loop.State, event: Approved | Declined) -> loop.State:  # noqa: ARG002 - so it is
        if not isinstance(following.action, loop.RunCall):
            return following
        renamed = following.action.call.model_copy(update={"id": "resumed"})
        return following.model_copy(update={"action": loop.RunCall(call=renamed)})


@mutant("rejection-drops-the-turn", "CNF-004")
class RejectionDropsTheTurn(_AfterResponse):
    """Asks for the next turn as soon as a call is rejected."""

    def _otherwise(self, following: loop.State, event: Approved | Declined) -> loop.State:
        dropped = {"pending": (), "action": loop.AskTurn()}
        return following.model_copy(update=dropped if isinstance(event, Declined) else {})


class _Reading(TranscriptReAct):
    """Makes something else of responses with a status; `_misread` says what."""

    _misread_status: Status

    def _read(self, user_response: str, state: loop.State) -> Response:
        response = super()._read(user_response, state)
        return response._replace(event=self._misread(state)) if response.status == self._misread_status else response

    def _misread(self, state: loop.State) -> Approved | Declined:
        """As an approval of what the LM called."""
        call = loop.waiting(state)
        return Approved(tool=call.name, args=call.args)


@mutant("transcript-rejection-not-told", "CNF-004")
class TranscriptRejectionNotTold(_Reading):
    """Has an empty observation for a rejected call."""

    _misread_status = "rejected"

    def _misread(self, state: loop.State) -> Approved | Declined:  # noqa: ARG002 - whatever it was
        return Declined(observation="")


@mutant("transcript-feedback-not-told", "CNF-005")
class TranscriptFeedbackNotTold(_Reading):
    """Tells the agent that the tool wasn't executed, but not what the user said."""

    _misread_status = "feedback"

    def _misread(self, state: loop.State) -> Approved | Declined:  # noqa: ARG002 - whatever it was
        return Declined(observation="The tool was not executed.")


@mutant("transcript-feedback-is-approval", "CNF-005")
class TranscriptFeedbackIsApproval(_Reading):
    """Takes whatever isn't a no for an approval."""

    _misread_status = "feedback"


@mutant("transcript-edit-ignored", "CNF-006")
class TranscriptEditIgnored(_Reading):
    """Runs the original call where the user edited it."""

    _misread_status = "edited"


@mutant("calls-of-the-turn-rerun-on-resume", "CNF-009")
class CallsOfTheTurnRerunOnResume(TranscriptReAct):
    """Runs the calls of the turn that ran before the response once more."""

    def _resumed(self, user_response: str, saved: ConfirmationRequired) -> Episode[Any]:
        state, _ = self._reopened(saved)
        ran = {entry.tool_call_id for entry in state.taken if isinstance(entry, Observation)}
        for turn in (entry for entry in state.taken if isinstance(entry, Turn)):
            for call in turn.tool_calls:
                if call.id in ran:
                    yield from self._use(call)
        return (yield from super()._resumed(user_response, saved))


@mutant("async-resume-drops-the-turn", "CNF-010")
class AsyncResumeDropsTheTurn(TranscriptReAct):
    """Forgets the calls after the one that waited when it is resumed asynchronously."""

    async def aresume(self, user_response: str, saved_state: ConfirmationRequired) -> Any:
        saved = saved_state.context["state"]["loop"]
        saved["pending"] = saved["pending"][:1]
        return await super().aresume(user_response, saved_state)


@mutant("transcript-clarification-answers-itself", "CNF-011")
class TranscriptClarificationAnswersItself(TranscriptReAct):
    """Goes on without the user when it has a question."""

    def _awaited(self) -> tuple[str, ...]:
        return tuple(name for name in super()._awaited() if name != CLARIFY)


@mutant("transcript-clarification-not-told", "CNF-011")
class TranscriptClarificationNotTold(TranscriptReAct):
    """Doesn't tell the agent what the user answered."""

    def _read(self, user_response: str, state: loop.State) -> Response:
        is_question = loop.waiting(state).name == CLARIFY
        return super()._read("It is answered." if is_question else user_response, state)


@mutant("transcript-resumed-twice", "CNF-012")
class TranscriptResumedTwice(TranscriptReAct):
    """Takes a second response like the first."""

    def _settle(self, confirmation_id: str, status: Status) -> None:
        CONFIRMATIONS.ask(confirmation_id)
        super()._settle(confirmation_id, status)


@mutant("transcript-bad-edit-is-approval", "CNF-012")
class TranscriptBadEditIsApproval(TranscriptReAct):
    """Runs the original call where an edit can't be read."""

    def _read(self, user_response: str, state: loop.State) -> Response:
        try:
            return super()._read(user_response, state)
        except ResponseRefused:
            return super()._read("yes", state)
