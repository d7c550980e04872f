"""Violations of what is refused of responses (CNF-012)."""

from typing import Any

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.confirmation import ConfirmationRequired, ResponseRefused, Status
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct
from react_tck.reference.response import Response


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

    def _otherwise(self, said: str, state: loop.State) -> Response:  # noqa: ARG002 - so it is
        return Response("feedback", loop.Declined(observation=f"The user says: {said}"))
