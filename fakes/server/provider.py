"""A provider's place on the kit's server: its requests come through the same door as a scripted LM's."""

import asyncio
import contextlib
import re
import threading
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, Protocol, Self
from urllib.parse import parse_qsl, urlsplit

from react_tck.fakes.server.errors import make_error, no_route, report_bug
from react_tck.fakes.server.secrets import SecretHider, is_secret_name
from react_tck.fakes.server.server import LaneServer
from react_tck.fakes.server.wire import HTTPRequest, Reply

_PREFIX = "/v1"
#: What Azure's paths begin with, which have no prefix: a deployment stands in them.
_AZURE = "/openai/"
#: Characters of a path or a host that are shown.
_SHOWN = 500
#: Who is meant by a request that comes from this machine, and from no page that leads a browser here.
_OURSELVES = ("127.0.0.1", "localhost")
#: Parameters of a query that are keys, though elsewhere something else is called so.
_KEY_PARAMETERS = ("key", "sig", "signature", "token", "code")
#: What stands between a scheme and a key, and between cookies.
_PARTS = re.compile(r"[\s;,=]+")


class Sent(NamedTuple):
    """An HTTP request of a program, as it came."""

    method: str
    #: Below the base URL, Azure's below the root, without the query.
    path: str
    body: bytes
    #: The same with the query, as it stands in the request.
    target: str = ""
    headers: tuple[tuple[str, str], ...] = ()

    def make_hider(self) -> SecretHider:
        """Return what hides the secrets that it was sent with."""
        query = parse_qsl(self.target.partition("?")[2])
        secrets = [said for name, said in query if name.lower() in _KEY_PARAMETERS or is_secret_name(name)]
        secrets += [said for name, said in self.headers if is_secret_name(name)]
        return SecretHider([*secrets, *(word for said in secrets for word in _PARTS.split(said))])


class Provider(Protocol):
    """Whoever answers the requests: a real provider behind a proxy, or a recording."""

    def answer_request(self, sent: Sent) -> Reply:
        """Return the reply to it; it may take its time."""


class ProviderPath:
    """Answers what is asked below a path of the server, in threads of its own: a provider takes its time."""

    def __init__(self, server: LaneServer, provider: Provider) -> None:
        self._provider = provider
        self._complaints = server.complaints
        address, self.close = server.open_path(self)
        #: What an OpenAI SDK takes as `base_url`.
        self.base_url = f"{address}{_PREFIX}"

    def answer_request(self, request: HTTPRequest, path: str) -> Reply:
        """Return the reply to a request, once the provider has it."""
        headers = tuple((name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in request.headers)
        if (host := dict(headers).get("host")) and urlsplit(f"//{host}").hostname not in _OURSELVES:
            complaint = f"{request.method} {path[:_SHOWN]} is meant for another host, {host[:_SHOWN]!r}"
            self._complaints.add(complaint)
            return make_error(403, complaint, "invalid_request_error", "another_host")
        target = f"/{request.target[1:].partition(b'/')[2].decode('latin-1')}"
        if not target.startswith((f"{_PREFIX}/", _AZURE)):
            self._complaints.add(f"no such endpoint: {request.method} {path[:_SHOWN]}")
            return no_route(request.method, path[:_SHOWN])
        where = (path.removeprefix(_PREFIX), request.body, target.removeprefix(_PREFIX))
        sent = Sent(request.method, *where, headers)
        return Reply(after=partial(_run_in_thread, partial(self._provider.answer_request, sent)))


class ProviderServer:
    """A server on loopback that has a provider on it, and nothing else."""

    def __init__(self, provider: Provider, port: int = 0) -> None:
        self._server = LaneServer()
        self._server.start(port)
        self.base_url = ProviderPath(self._server, provider).base_url

    @property
    def complaints(self) -> tuple[str, ...]:
        """What came that was no request to the provider."""
        return self._server.complaints.sentences

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.close()


async def _run_in_thread(work: Callable[[], Reply]) -> Reply:
    """Return what the work gives; nobody waits for its thread when the server is closed."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Reply] = loop.create_future()

    def settle(reply: Reply) -> None:
        if not future.done():
            future.set_result(reply)

    def run_work() -> None:
        try:
            reply = work()
        except Exception as bug:
            reply = report_bug(bug)
        with contextlib.suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(settle, reply)

    threading.Thread(target=run_work, daemon=True).start()
    return await future
