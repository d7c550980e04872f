"""The lanes of subjects that know their LM by an OpenAI-compatible address only; and such a subject in this process."""

from collections import deque
from collections.abc import Callable
from typing import Any

from react_tck.fakes.server import Lane, LaneServer
from react_tck.model.case import Options
from react_tck.model.manifest import Manifest
from react_tck.model.protocol import Endpoint
from react_tck.model.signature import Signature
from react_tck.subjects.api import Endpoints, Instance
from react_tck.subjects.python import BuiltSubject

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
        tools = {tool.tool.name: tool for tool in endpoints.tools}
        runs = {name: tool.run for name, tool in tools.items()}

        def refuse(name: str, sent: str) -> None:
            tools[name].refuse(sent)

        self._open.append(self._server.open(endpoints.lm, runs, refuse, endpoints.hold, endpoints.stray))
        return self._open[-1]

    def close(self) -> None:
        """End the server and with it all lanes."""
        if self._server:
            self._server.close()
        self._server = None
        self._open.clear()


MODEL = "tck"
#: Seconds a client waits for the LM: a scripted one that says nothing at all is to be given up.
TIMEOUT = 2
Build = Callable[[Signature, Options, Endpoints, Endpoint], Instance]


class ServedSubject(BuiltSubject):
    """The LM is reached over HTTP; the tools are run here."""

    def __init__(self, manifest: Manifest, build: Build) -> None:
        super().__init__(manifest, self._built)
        self._build_served = build
        self._lanes = Lanes()

    def close(self) -> None:
        """End the server."""
        self._lanes.close()

    def _built(self, signature: Signature, options: Options, endpoints: Endpoints) -> Instance:
        lane = self._lanes.open(endpoints)
        endpoint = Endpoint(base_url=lane.base_url, api_key=lane.api_key, model=MODEL)
        return self._build_served(signature, options, endpoints, endpoint)


def http_clients() -> tuple[Any, Any]:
    """A synchronous and an asynchronous `httpx` client for OpenAI's SDK."""
    import httpx

    # On loopback there is no TLS, and reading all certificates takes longer than an episode.
    how: dict[str, Any] = {"verify": False, "trust_env": False, "timeout": TIMEOUT}
    # Nobody tells an instance that it is done with: a connection kept alive would stay until it is collected.
    how["limits"] = httpx.Limits(max_keepalive_connections=0)
    return httpx.Client(**how), httpx.AsyncClient(**how)
