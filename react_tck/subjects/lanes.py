"""The lanes of subjects that know their LM by an OpenAI-compatible address only."""

from collections import deque
from typing import Protocol, runtime_checkable

from react_tck.fakes.server import Lane, LaneServer
from react_tck.fakes.server.lane import Ask
from react_tck.fakes.server.wire import HTTPRequest, Limits
from react_tck.model.protocol import Endpoint
from react_tck.subjects.api import Endpoints

#: Lanes kept open, more than a scenario has episodes.
_LANES = 8


class Lanes:
    """Opened one an episode; the server is started with the first."""

    def __init__(self, limits: Limits = Limits()) -> None:  # noqa: B008 - it is frozen
        self._limits = limits
        self._server: LaneServer | None = None
        self._open: deque[Lane] = deque()

    def open_lane(self, endpoints: Endpoints, ask: Ask | None = None) -> Lane:
        """Return the lane of a new episode. Earlier ones stay open for a while: their instances may be called."""
        if self._server is None:
            self._server = LaneServer(limits=self._limits)
            self._server.start()
        if len(self._open) == _LANES:
            self._open.popleft().close()
        tools = {tool.tool.name: tool for tool in endpoints.tools}
        runs = {name: tool.run for name, tool in tools.items()}

        def refuse_args(name: str, sent: str) -> None:
            tools[name].refuse(sent)

        how = (refuse_args, endpoints.hold, endpoints.stray, None, ask, endpoints.faults)
        lane = self._server.open_lane(endpoints.lm, runs, *how)
        self._open.append(lane)
        return self._open[-1]

    @property
    def received_requests(self) -> tuple[HTTPRequest, ...]:
        """The requests of the latest episode, as they came."""
        return self._open[-1].arrived_requests if self._open else ()

    def close(self) -> None:
        """End the server and with it all lanes."""
        if self._server:
            self._server.close()
        self._server = None
        self._open.clear()


@runtime_checkable
class Addressed(Protocol):
    """A subject whose LM is an address."""

    lanes: Lanes


def endpoint_of(lane: Lane) -> Endpoint:
    """Return how a client finds the lane's LM."""
    return Endpoint(base_url=lane.base_url, api_key=lane.api_key, model="tck")
