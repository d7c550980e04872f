"""Hands requests on to a real provider, and remembers without secrets what is said."""

import re
import threading
from collections.abc import Callable
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from react_tck.fakes.complaints import Complaints
from react_tck.fakes.server.errors import make_error
from react_tck.fakes.server.provider import Sent
from react_tck.fakes.server.recorded import make_exchange
from react_tck.fakes.server.secrets import SecretHider
from react_tck.fakes.server.wire import Reply
from react_tck.model.recording import CONTENT_TYPE, STATUSES, Exchange, Recording

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
        kind = _choose_type(received.content_type, hider)
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


def _choose_type(said: str, hider: SecretHider) -> str:
    """Return the type of a reply, if it is one and no place for secrets."""
    return said if re.fullmatch(CONTENT_TYPE, said) and hider.hide_in_text(said) == said else _UNKNOWN
