"""What mutants share that misread a response."""

from dataclasses import dataclass

from react_tck.reference import loop
from react_tck.reference.react import ReAct
from react_tck.reference.response import Response


@dataclass(frozen=True)
class Heard:
    """What the user said to a call that waits, and how it is read rightly."""

    said: str
    call: loop.AwaitResponse
    response: Response

    def approval(self) -> Response:
        """The call runs as the LM made it, whatever the status."""
        return self.response._replace(event=loop.Approved(tool=self.call.tool, args=self.call.args))

    def told(self, observation: str) -> Response:
        """The call doesn't run, and the agent is told this, whatever the status."""
        return self.response._replace(event=loop.Declined(observation=observation))


class Reading(ReAct):
    """Makes something else of a response; `_misread` says what."""

    def _read(self, user_response: str, state: loop.State) -> Response:
        assert isinstance(state.action, loop.AwaitResponse)
        return self._misread(Heard(user_response, state.action, super()._read(user_response, state)))

    def _misread(self, heard: Heard) -> Response:
        raise NotImplementedError
