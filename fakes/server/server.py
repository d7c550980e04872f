"""The server: one for all episodes, in a thread of its own, on loopback only."""

import asyncio
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from secrets import token_urlsafe
from typing import Protocol, Self
from urllib.parse import parse_qs

from react_tck.fakes.journal import Complaints, Faults
from react_tck.fakes.server.connection import Connection
from react_tck.fakes.server.errors import no_key, no_lane, report_bug
from react_tck.fakes.server.forms.table import rewrite_error
from react_tck.fakes.server.lane import Ask, Complete, KeepLatest, Lane, Refuse, Tools
from react_tck.fakes.server.wire import Hold, HTTPRequest, Limits, Reply, Streaming

_HOST = "127.0.0.1"
#: Files that a process has open at the same time, with some to spare.
_FILES = 64


class LoopbackMissing(Exception):
    """Nobody on this machine can speak to anybody else on it."""


def _read_limit() -> int:
    """Return how many files a process may open; -1 where there is no limit, or no such thing."""
    with suppress(ImportError):
        import resource

        return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return -1


@cache
def check_loopback() -> None:
    """See whether what is served here could be asked for.

    Raises:
        LoopbackMissing: if it couldn't.
    """
    if 0 <= (limit := _read_limit()) < _FILES:
        raise LoopbackMissing(
            f"nothing can be judged here: a process may open {limit} files, and the LM, the tools and a harness take "
            f"{_FILES}; `ulimit -n 1024` allows more"
        )
    try:
        with socket.create_server((_HOST, 0)) as listening, socket.create_connection(listening.getsockname(), 5):
            pass
    except OSError as error:
        raise LoopbackMissing(
            f"nothing can be judged here: the LM and the tools are served on {_HOST}, and this machine has no "
            f"loopback on which a subject could reach them ({error.strerror or error})"
        ) from error


_BACKLOG = 1024
_KEY = "tck-"
#: What paths begin with where the key says whose they are.
_BEGINNINGS = ("v1", "v1beta", "openai", "api", "tools")
#: Azure's, Anthropic's and Google's.
_KEY_HEADERS = (b"api-key", b"x-api-key", b"x-goog-api-key")
#: Characters of the path of a stray request.
_SHOWN = 500


class Answering(Protocol):
    """Whoever answers the requests below one path."""

    def answer_request(self, request: HTTPRequest, path: str) -> Reply:
        """Return the reply to a request for this path below its own; it must not wait for anything."""


class LaneServer:
    """Serves lanes. Start it once; a lane costs next to nothing."""

    def __init__(self, streaming: Streaming | None = None, limits: Limits | None = None) -> None:
        self._streaming = streaming or Streaming()
        self._limits = limits or Limits()
        self._lanes: dict[str, Answering] = {}
        self._connections: set[Connection] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._root = ""
        #: Requests that belong to no lane, or were refused before they were whole.
        self.complaints = Complaints()
        #: Of lanes that have none of their own.
        self.faults = Faults()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def root(self) -> str:
        """Where it listens, such as `http://127.0.0.1:50123`."""
        return self._root

    def start(self, port: int = 0) -> None:
        """Listen, on a port that the system chooses unless one is wanted.

        Raises:
            LoopbackMissing: if nobody could reach it.
            OSError: if the port is taken.
        """
        if self._loop is not None:
            return
        check_loopback()
        listening = socket.create_server((_HOST, port), backlog=_BACKLOG)
        self._root = f"http://{_HOST}:{listening.getsockname()[1]}"
        self._loop = new_loop()
        self._thread = threading.Thread(target=self._serve_requests, args=(self._loop, listening), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Drop all connections and stop. Closing twice is closing once."""
        loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is None or thread is None:
            return
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        self._lanes.clear()

    def open_lane(
        self,
        complete: Complete,
        tools: Tools,
        refuse: Refuse = lambda _name, _sent: None,
        hold: Hold | None = None,
        stray: Callable[[str], None] = lambda _what: None,
        keep_latest: KeepLatest | None = None,
        ask: Ask | None = None,
        faults: Faults | None = None,
    ) -> Lane:
        """Return a lane for one episode. Its LM and tools run in the server's thread, so they must not wait for
        anything.

        `faults` is told what fails in the kit itself,
        `refuse` what is sent to a tool that is no JSON object, `stray` what leads nowhere. What a tool
        returned is sent when `hold` lets it go. An episode may send so much and no more; where there is `keep_latest`,
        the lane is for longer, and what it keeps is bounded instead. An adapter's tools are asked of `ask`.

        Raises:
            RuntimeError: if the server isn't running.
        """
        if self._loop is None:
            raise RuntimeError("the server has no lanes while it isn't running: call start() first")
        token = token_urlsafe(16)
        leave = partial(self._forget_lane, token)
        how = (self._streaming, leave, refuse, hold, stray, keep_latest, ask, faults or self.faults)
        lane = Lane(self._root, token, complete, tools, *how)
        self._lanes[token] = lane
        return lane

    def open_path(self, answering: Answering) -> tuple[str, Callable[[], None]]:
        """Have somebody else answer what is asked below a path that nobody can guess: its address, and what ends it."""
        token = token_urlsafe(16)
        self._lanes[token] = answering
        return f"{self._root}/{token}", partial(self._forget_lane, token)

    def _forget_lane(self, token: str) -> None:
        self._lanes.pop(token, None)

    def _serve_requests(self, loop: asyncio.AbstractEventLoop, listening: socket.socket) -> None:
        asyncio.set_event_loop(loop)
        opening = loop.create_task(loop.create_server(self._make_connection, sock=listening))
        loop.run_forever()
        # Who closes it at once stops the loop before it is open.
        server = loop.run_until_complete(opening)
        server.close()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        for connection in tuple(self._connections):
            connection.abort()
        # Once more around, for the transports to close their sockets.
        loop.run_until_complete(server.wait_closed())
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()

    def _make_connection(self) -> Connection:
        return Connection(self._answer_request, self._limits, self._connections, self.complaints)

    def _answer_request(self, request: HTTPRequest) -> Reply:
        try:
            reply = self._find_reply(request)
        except Exception as bug:
            self.faults.add_error(bug)
            reply = report_bug(bug)
        return rewrite_error(reply, request.path)

    def _find_reply(self, request: HTTPRequest) -> Reply:
        token, _, rest = request.path[1:].partition("/")
        lane = self._lanes.get(token)
        if lane is not None:
            return lane.answer_request(request, f"/{rest}")
        if token in _BEGINNINGS:
            return self._by_key(request)
        return self._note_stray(request, no_lane("The path belongs to no open episode."))

    def _by_key(self, request: HTTPRequest) -> Reply:
        key = _find_key(request)
        if not key.startswith(_KEY):
            return self._note_stray(request, no_key())
        lane = self._lanes.get(key.removeprefix(_KEY))
        if lane is None:
            return self._note_stray(request, no_lane("The API key belongs to no open episode."))
        return lane.answer_request(request, request.path)

    def _note_stray(self, request: HTTPRequest, reply: Reply) -> Reply:
        self.complaints.add(f"no such endpoint: {request.method} {request.path[:_SHOWN]}")
        return reply


def _find_key(request: HTTPRequest) -> str:
    """Return the API key, in the header where OpenAI, Azure, Anthropic or Google has it, or in Google's query."""
    scheme, _, key = request.authorization.partition(" ")
    if scheme.lower() == "bearer":
        return key.strip()
    query = parse_qs(request.target.partition(b"?")[2].decode("latin-1"))
    said = (value.decode("latin-1") for name, value in request.headers if name.lower() in _KEY_HEADERS)
    return next(said, query.get("key", [""])[0])


def new_loop() -> asyncio.AbstractEventLoop:
    """uvloop's where it is installed: it is faster, and does nothing else differently."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()
