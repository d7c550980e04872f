"""A real provider behind the kit's server: what it says is recorded, with no secrets, and said again."""

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from pydantic import JsonValue
from pydantic_core import from_json

from react_tck.fakes.journal import Complaints
from react_tck.fakes.server.cued import ProviderPath, Sent
from react_tck.fakes.server.errors import BadRequest, make_error
from react_tck.fakes.server.forms.table import FORMS
from react_tck.fakes.server.reading import find_place
from react_tck.fakes.server.secrets import hide_in_headers
from react_tck.fakes.server.server import LaneServer
from react_tck.fakes.server.standalone import LMEndpoint
from react_tck.fakes.server.wire import Reply, SaidBefore
from react_tck.model.lm import CONTENT_TYPE, JSON, STATUSES, Exchange, LMRequest, Recording

#: What a body stands in where it is read again, which goes no deeper than it does here.
_OPENED, _CLOSED = b"[[[[", b"]]]]"
#: Characters shown of a value.
_SHOWN = 60


class RecordedProvider:
    """Says again what was said to the same request; to the same one several times, one after the other."""

    def __init__(self, recording: Recording) -> None:
        self._lock = threading.Lock()
        self._exchanges = recording.exchanges
        self._left = list(recording.exchanges)
        self._unknown = Complaints()

    @property
    def complaints(self) -> tuple[str, ...]:
        """The requests that nothing was recorded for."""
        return self._unknown.sentences

    def answer_request(self, sent: Sent) -> Reply:
        """Return what was said to it."""
        asked = _make_key(make_exchange(sent, 200, JSON, ""))
        with self._lock:
            left = next((each for each in self._left if _make_key(each) == asked), None)
            if left is not None:
                self._left.remove(left)
                return _make_reply(left)
            said = [each for each in self._exchanges if _make_key(each) == asked]
            if said:
                return _make_reply(said[-1])
            complaint = self._describe_unknown(asked)
            self._unknown.add(complaint)
            return make_error(404, complaint, "react_tck_refusal", "not_recorded")

    def _describe_unknown(self, asked: tuple[str, str, str]) -> str:
        same = [(n, each) for n, each in enumerate(self._exchanges, 1) if (each.method, each.path) == asked[:2]]
        what = f"{asked[0]} {asked[1]} was not recorded"
        if not same:
            return f"{what}: there is no exchange with this path"
        request = json.loads(asked[2])
        number, nearest = min(same, key=lambda found: len(list(_find_differences(found[1].request, request))))
        place, recorded, now = next(_find_differences(nearest.request, request))
        return f"{what}: of exchange {number}, which is nearest, {place or 'the body'} is {recorded}, not {now}"


def _make_key(exchange: Exchange) -> tuple[str, str, str]:
    """Return what makes two requests the same."""
    return exchange.method, exchange.path, json.dumps(exchange.request, sort_keys=True)


def _find_differences(recorded: JsonValue, asked: JsonValue, place: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield every place where two bodies differ, with what stands there."""
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
    """Return the value of a body, if it stands as such in the file of a recording; else its text."""
    try:
        value: JsonValue = from_json(body, allow_inf_nan=False) if body else None
        json.dumps(value, allow_nan=False)  # 1e999
        from_json(b"%b%b%b" % (_OPENED, body, _CLOSED))
    except ValueError:
        return body.decode(errors="replace")
    return value


def make_exchange(sent: Sent, status: int, content_type: str, reply: str) -> Exchange:
    """Return the exchange that a request makes with a reply, as it is kept: without a secret of the request."""
    hider = sent.make_hider()
    return Exchange(
        method=sent.method,
        path=hider.hide_in_text(sent.path),
        request=hider.hide_in_value(_decode_body(sent.body)),
        status=status,
        content_type=content_type,
        reply=reply,
    )


def _make_reply(exchange: Exchange) -> Reply:
    return Reply(exchange.status, exchange.reply.encode(errors="replace"), content_type=exchange.content_type)


class RecordedEndpoint(LMEndpoint):
    """What was recorded, said again in a test; nobody minds what isn't asked for again."""

    def __init__(self, server: LaneServer, recording: Recording) -> None:
        self._provider = RecordedProvider(recording)
        self._sent: list[Sent] = []
        self._path = ProviderPath(server, self)
        super().__init__(self._path.base_url, "any")

    def answer_request(self, sent: Sent) -> Reply:
        """Return what was said to it."""
        self._sent.append(sent)
        return self._provider.answer_request(sent)

    @property
    def requests(self) -> tuple[LMRequest, ...]:
        """Those to the LM, as they were understood."""
        return tuple(understood for sent in self._sent if (understood := _parse_request(sent)) is not None)

    @property
    def bodies(self) -> tuple[bytes, ...]:
        """What was sent, byte for byte."""
        return tuple(sent.body for sent in self._sent)

    @property
    def headers(self) -> tuple[Mapping[str, str], ...]:
        """The headers of each of `bodies`, by their names in small letters; what is secret is `***`."""
        return tuple(hide_in_headers(sent.headers, self.api_key) for sent in self._sent)

    @property
    def complaints(self) -> tuple[str, ...]:
        """The requests that nothing was recorded for."""
        return self._provider.complaints

    def close(self) -> None:
        """Stop: requests find nothing here from now on."""
        self._path.close()


def _parse_request(sent: Sent) -> LMRequest | None:
    try:
        place, model = find_place(sent.path, sent.target.encode("latin-1"))
        form = FORMS.get(place) or FORMS.get(f"/v1{place}")
        return form and form.read(sent.body, model, SaidBefore()).request
    except BadRequest:
        return None


#: Seconds that a provider may take from one piece to the next, and bytes that it may say.
_PATIENCE, _MOST = 600.0, 32 * 1024 * 1024
#: Headers that are of one connection only, and that of packed replies, which nobody could read.
_OUR_OWN = re.compile(
    r"host|content-length|transfer-encoding|connection|keep-alive|proxy-.*|te|trailer|upgrade|http2-settings|expect"
    r"|accept-encoding"
)
_UNKNOWN = "application/octet-stream"


class ProviderFailed(Exception):
    """The provider gives no reply that could be kept; the message says why."""


class Received(NamedTuple):
    """A provider's whole reply, as it came."""

    status: int
    content_type: str
    body: bytes


class _Staying(HTTPRedirectHandler):
    """Follows no redirect: the key is for the host that the user has named, and for nobody else."""

    def redirect_request(self, *_: Any) -> None:
        """There is no other request; the redirect is the reply."""


class RecordingProxy:
    """Hands everything on to a real provider, and remembers it without secrets.

    Headers and queries aren't kept at all; keys, those that the program sends and what else looks like one, are
    replaced in the texts. `keep` is given what was said so far, and says why it can't be kept, if it can't.
    """

    def __init__(self, upstream: str, keep: Callable[[Recording], str | None]) -> None:
        self._upstream = upstream.rstrip("/")
        self._keep = keep
        self._opener = build_opener(_Staying)
        self._lock = threading.Lock()
        self._exchanges: list[Exchange] = []
        self._failures = Complaints()

    @property
    def complaints(self) -> tuple[str, ...]:
        """What the provider did that couldn't be recorded."""
        return self._failures.sentences

    @property
    def recording(self) -> Recording:
        """What was said so far."""
        return Recording(exchanges=tuple(self._exchanges))

    def answer_request(self, sent: Sent) -> Reply:
        """Return what the provider says to it."""
        hider = sent.make_hider()
        try:
            received = self._ask_provider(sent)
        except ProviderFailed as failed:
            complaint = hider.hide_in_text(f"{sent.method} {sent.path}: {failed}")
            self._failures.add(complaint)
            return make_error(502, complaint, "react_tck_refusal", "upstream_failed")
        told = received.content_type  # a type, and no place for secrets
        kind = told if re.fullmatch(CONTENT_TYPE, told) and hider.hide_in_text(told) == told else _UNKNOWN
        said = hider.hide_in_body(received.body.decode(errors="replace"))
        with self._lock:
            self._exchanges.append(make_exchange(sent, received.status, kind, said))
            if problem := self._keep(self.recording):
                self._failures.add(problem)
        return Reply(received.status, received.body, content_type=kind)

    def _ask_provider(self, sent: Sent) -> Received:
        """Return the provider's reply to the request.

        Raises:
            ProviderFailed: if there is none, or it is none to be kept.
        """
        headers = {name: value for name, value in sent.headers if not _OUR_OWN.fullmatch(name)}
        headers = {"content-type": "application/json", **headers, "accept-encoding": "identity"}
        try:
            asked = Request(f"{self._upstream}{sent.target}", sent.body or None, headers, method=sent.method)
            with self._opener.open(asked, timeout=_PATIENCE) as reply:
                return _read_reply(reply)
        except HTTPError as refusal:
            with refusal:
                return _read_refusal(refusal)
        except URLError as unreachable:
            raise ProviderFailed(f"the provider can't be reached: {unreachable.reason}") from unreachable
        except (OSError, HTTPException, ValueError) as broken:
            raise _describe_break(broken) from broken


def _read_refusal(refusal: HTTPError) -> Received:
    """Return the reply that a status beside 200 comes with. Raises ProviderFailed."""
    if refusal.code in range(300, 400):
        raise ProviderFailed(
            "the provider sends the request elsewhere, where the key doesn't go: name the right --upstream"
        )
    try:
        return _read_reply(refusal.fp, refusal.code)
    except (OSError, HTTPException, ValueError) as broken:
        raise _describe_break(broken) from broken


def _read_reply(reply: Any, status: int | None = None) -> Received:
    """Return all of a reply. Raises ProviderFailed, or what `http.client` raises."""
    status = reply.status if status is None else status
    if status not in STATUSES:
        raise ProviderFailed(f"the provider replies with the status {status}, which is none of a reply")
    if (packed := reply.headers.get("content-encoding", "identity")) != "identity":
        raise ProviderFailed(f"the provider packs its reply ({packed[:20]}), though nobody asked for that")
    body = reply.read(_MOST + 1)
    if len(body) > _MOST:
        raise ProviderFailed(f"the provider says more than {_MOST} bytes")
    if reply.length:
        raise ProviderFailed(f"the provider broke off: {reply.length} bytes of its reply are missing")
    return Received(status, reply.headers.get_content_type(), body)


def _describe_break(broken: Exception) -> ProviderFailed:
    return ProviderFailed(f"the provider broke off: {type(broken).__name__}: {broken}")
