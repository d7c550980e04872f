"""The kit's LM and tools over HTTP: the server, and a lane of it for each episode."""

from collections import deque

from react_tck.fakes.server import Lane, LaneServer
from react_tck.subjects.api import Endpoints

#: Lanes kept open, more than a scenario has episodes.
_LANES = 8


class Lanes:
    """Opened one an episode; the server is started with the first."""

    def __init__(self) -> None:
        self._server: LaneServer | None = None
        self._open: deque[Lane] = deque()

    def open(self, endpoints: Endpoints) -> Lane:
        """The lane of a new episode. Earlier ones stay open for a while: an earlier instance may be called again."""
        if self._server is None:
            self._server = LaneServer()
            self._server.start()
        if len(self._open) == _LANES:
            self._open.popleft().close()
        self._open.append(self._server.open(endpoints.lm, {tool.tool.name: tool.run for tool in endpoints.tools}))
        return self._open[-1]

    def close(self) -> None:
        """End the server and with it all lanes."""
        if self._server:
            self._server.close()
        self._server = None
        self._open.clear()
