"""A provider that is recorded once and replayed by content: an HTTP server on loopback, in front of it or instead."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple, Protocol, Self
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from pydantic import JsonValue
from pydantic_core import from_json

from react_tck.fakes.server import chat, responses
from react_tck.fakes.server.errors import BadRequest, make_error
from react_tck.fakes.server.standalone import LMEndpoint
from react_tck.model.lm import LMRequest
from react_tck.model.recording import Exchange, Recording

_PREFIX = "/v1"
_JSON = "application/json"
#: Seconds that a provider may take.
_PATIENCE = 600.0
_HIDDEN = "***"
#: What keys look like that somebody has put into a text.
_KEYS = re.compile(r"\b(?:sk|pk|rk|key|token)-[A-Za-z0-9_-]{16,}")
#: Characters that a key has which is one: `any`, or `test`, stands for none, and in many a text.
_SHORTEST_KEY = 8
#: Characters shown of a value.
_SHOWN = 60


class Sent(NamedTuple):
    """An HTTP request of a program, as it came."""

    method: str
    #: Below the base URL.
    path: str
    body: bytes
    authorization: str


class Provider(Protocol):
    """Whoever answers the requests: a real provider behind a proxy, or a recording."""

    def answer_request(self, sent: Sent) -> Exchange:
        """The exchange that this request makes."""


class RecordingProxy:
    """Hands everything on to a real provider, and remembers it without secrets.

    Headers aren't kept at all; the key that the program sends, and what else looks like one, is replaced in the texts.
    """

    def __init__(self, upstream: str, keep: Callable[[Recording], None]) -> None:
        self._upstream = upstream.rstrip("/")
        self._keep = keep
        self._lock = threading.Lock()
        self._exchanges: list[Exchange] = []
        #: What couldn't be recorded.
        self.complaints: list[str] = []

    @property
    def recording(self) -> Recording:
        """What was said so far."""
        return Recording(exchanges=tuple(self._exchanges))

    def answer_request(self, sent: Sent) -> Exchange:
        """What the provider says to it."""
        headers = {"content-type": _JSON} | ({"authorization": sent.authorization} if sent.authorization else {})
        asked = Request(f"{self._upstream}{sent.path}", sent.body or None, headers, method=sent.method)
        try:
            with urlopen(asked, timeout=_PATIENCE) as reply:
                return self._record_exchange(sent, reply.status, reply.headers.get_content_type(), reply.read())
        except HTTPError as refusal:
            with refusal:
                return self._record_exchange(sent, refusal.code, refusal.headers.get_content_type(), refusal.read())
        except OSError as unreachable:
            self.complaints.append(f"{sent.method} {sent.path}: the provider can't be reached: {unreachable}")
            return _make_exchange(sent, 502, self.complaints[-1], "upstream_unreachable")

    def _record_exchange(self, sent: Sent, status: int, kind: str, body: bytes) -> Exchange:
        exchange = Exchange(
            method=sent.method,
            path=sent.path,
            request=_decode_body(sent.body),
            status=status,
            content_type=kind,
            reply=body.decode(errors="replace"),
        )
        with self._lock:
            self._exchanges.append(_without_secrets(exchange, sent.authorization))
            self._keep(self.recording)
        return exchange


class RecordedProvider:
    """Says again what was said to the same request; to the same one several times, one after the other."""

    def __init__(self, recording: Recording) -> None:
        self._lock = threading.Lock()
        self._exchanges = recording.exchanges
        self._left = list(recording.exchanges)
        #: Requests that nothing was recorded for.
        self.complaints: list[str] = []

    def answer_request(self, sent: Sent) -> Exchange:
        """What was said to it."""
        asked = _make_key(_without_secrets(_make_exchange(sent, 200, "", ""), sent.authorization))
        with self._lock:
            left = next((each for each in self._left if _make_key(each) == asked), None)
            if left is not None:
                self._left.remove(left)
                return left
            said = [each for each in self._exchanges if _make_key(each) == asked]
            if said:
                return said[-1]
            self.complaints.append(self._describe_unknown(sent, asked))
        return _make_exchange(sent, 404, self.complaints[-1], "not_recorded")

    def _describe_unknown(self, sent: Sent, asked: tuple[str, str, str]) -> str:
        same = [(n, each) for n, each in enumerate(self._exchanges, 1) if (each.method, each.path) == asked[:2]]
        what = f"{sent.method} {sent.path} was not recorded"
        if not same:
            return f"{what}: there is no exchange with this path"
        request = json.loads(asked[2])
        number, nearest = min(same, key=lambda found: len(list(_find_differences(found[1].request, request))))
        place, recorded, now = next(_find_differences(nearest.request, request))
        return f"{what}: of exchange {number}, which is nearest, {place or 'the body'} is {recorded}, not {now}"


def _make_key(exchange: Exchange) -> tuple[str, str, str]:
    """What makes two requests the same."""
    return exchange.method, exchange.path, json.dumps(exchange.request, sort_keys=True)


def _find_differences(recorded: JsonValue, asked: JsonValue, place: str = "") -> Iterator[tuple[str, str, str]]:
    """Every place where two bodies differ, with what stands there."""
    match recorded, asked:
        case dict(), dict():
            for key in sorted({*recorded, *asked}):
                yield from _find_differences(recorded.get(key), asked.get(key), f"{place}.{key}".lstrip("."))
        case list(), list() if len(recorded) == len(asked):
            for number, (one, other) in enumerate(zip(recorded, asked, strict=True)):
                yield from _find_differences(one, other, f"{place}[{number}]")
        case _ if recorded != asked:
            yield place, json.dumps(recorded)[:_SHOWN], json.dumps(asked)[:_SHOWN]


def _decode_body(body: bytes) -> JsonValue:
    try:
        value: JsonValue = from_json(body) if body else None
    except ValueError:
        return body.decode(errors="replace")
    return value


def _make_exchange(sent: Sent, status: int, message: str, code: str) -> Exchange:
    reply = make_error(status, message, "react_tck_refusal", code).body.decode()
    return Exchange(
        method=sent.method,
        path=sent.path,
        request=_decode_body(sent.body),
        status=status,
        content_type=_JSON,
        reply=reply,
    )


def _without_secrets(exchange: Exchange, authorization: str) -> Exchange:
    key = authorization.partition(" ")[2].strip()
    text = exchange.model_dump_json()
    text = text.replace(json.dumps(key, ensure_ascii=False)[1:-1], _HIDDEN) if len(key) >= _SHORTEST_KEY else text
    return Exchange.model_validate_json(_KEYS.sub(_HIDDEN, text))


class ProviderServer:
    """Serves a provider on loopback, in threads of its own."""

    def __init__(self, provider: Provider, port: int = 0) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _make_handler(provider))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def base_url(self) -> str:
        """What an OpenAI SDK takes as `base_url`."""
        return f"http://127.0.0.1:{self._server.server_port}{_PREFIX}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class RecordedEndpoint(LMEndpoint):
    """What was recorded, said again in a test; nobody minds what isn't asked for again."""

    def __init__(self, recording: Recording) -> None:
        self._provider = RecordedProvider(recording)
        self._sent: list[Sent] = []
        self._server = ProviderServer(self)
        self._server.__enter__()
        super().__init__(self._server.base_url, "any")

    def answer_request(self, sent: Sent) -> Exchange:
        """What was said to it."""
        self._sent.append(sent)
        return self._provider.answer_request(sent)

    @property
    def requests(self) -> tuple[LMRequest, ...]:
        """Those for chat completions and responses, as they were understood."""
        return tuple(understood for sent in self._sent if (understood := _parse_request(sent)) is not None)

    @property
    def bodies(self) -> tuple[bytes, ...]:
        """What was sent, byte for byte."""
        return tuple(sent.body for sent in self._sent)

    @property
    def complaints(self) -> tuple[str, ...]:
        """The requests that nothing was recorded for."""
        return tuple(self._provider.complaints)

    def close(self) -> None:
        """Stop the server that it listens with."""
        self._server.__exit__()


def _parse_request(sent: Sent) -> LMRequest | None:
    try:
        match sent.path:
            case "/chat/completions":
                return chat.read_request(sent.body).request
            case "/responses":
                return responses.read_request(sent.body, {})[0].request
    except BadRequest:
        pass
    return None


def _make_handler(provider: Provider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer_request()

        def do_POST(self) -> None:
            self._answer_request()

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing: nobody reads what this server would write to stderr."""

        def _answer_request(self) -> None:
            length = self.headers.get("content-length") or ""
            body = self.rfile.read(int(length) if length.isdecimal() else 0)
            path = self.path.removeprefix(_PREFIX)
            made = provider.answer_request(Sent(self.command, path, body, self.headers.get("authorization") or ""))
            reply = made.reply.encode()
            self.send_response_only(made.status)
            self.send_header("content-type", made.content_type)
            self.send_header("content-length", str(len(reply)))
            if made.status == 404:
                self.send_header("x-should-retry", "false")
            self.end_headers()
            self.wfile.write(reply)

    return Handler
