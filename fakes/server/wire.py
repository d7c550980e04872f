"""Requests and replies as the server's parts hand them to each other, and replies as bytes.

The same reply gives the same bytes: there is no Date, and the headers stand in a fixed order.
"""

from functools import lru_cache
from http import HTTPStatus
from typing import Literal, NamedTuple

from pydantic_core import to_json

#: How a reply ends: as it should, cut off before its end, with a reset, or never.
Ending = Literal["whole", "cut", "reset", "hold"]
Headers = tuple[tuple[str, str], ...]

DONE = b"data: [DONE]\n\n"
_REASONS = {status.value: status.phrase.encode() for status in HTTPStatus}


class HTTPRequest(NamedTuple):
    """What a client sent, as far as anybody here reads it."""

    method: str
    path: str
    authorization: str
    body: bytes


class Reply(NamedTuple):
    """What is sent back: a JSON body, or server-sent events."""

    status: int = 200
    body: bytes = b""
    events: tuple[bytes, ...] | None = None
    headers: Headers = ()
    ending: Ending = "whole"


def json_reply(value: object, status: int = 200, headers: Headers = ()) -> Reply:
    """A reply with this value as its JSON body."""
    return Reply(status=status, body=to_json(value), headers=headers)


def event(value: object, name: str = "") -> bytes:
    """A server-sent event, with a name if it has one."""
    named = f"event: {name}\n".encode() if name else b""
    return b"%bdata: %b\n\n" % (named, to_json(value))


def as_bytes(reply: Reply, *, keep_alive: bool, chunked: bool = True) -> bytes:
    """Head and body, for one write. A reply that is to be cut lacks its end."""
    head = _head(reply.status, reply.headers, keep_alive)
    return head + (_json_part(reply) if reply.events is None else _events_part(reply, reply.events, chunked))


@lru_cache(maxsize=256)
def _head(status: int, headers: Headers, keep_alive: bool) -> bytes:
    lines = [b"HTTP/1.1 %d %b" % (status, _REASONS.get(status, b"Unknown"))]
    lines += [f"{name}: {value}".encode() for name, value in headers]
    lines += [] if keep_alive else [b"connection: close"]
    return b"".join(b"%b\r\n" % line for line in lines)


def _json_part(reply: Reply) -> bytes:
    body = reply.body[: len(reply.body) // 2] if reply.ending == "cut" else reply.body
    return b"content-type: application/json\r\ncontent-length: %d\r\n\r\n%b" % (len(reply.body), body)


def _events_part(reply: Reply, events: tuple[bytes, ...], chunked: bool) -> bytes:
    head = b"content-type: text/event-stream\r\ncache-control: no-cache\r\n"
    if not chunked:  # HTTP/1.0: the end of the connection is the end of the body
        return head + b"\r\n" + b"".join(events)
    body = b"".join([b"%x\r\n%b\r\n" % (len(event), event) for event in events])
    end = b"" if reply.ending == "cut" else b"0\r\n\r\n"
    return b"%btransfer-encoding: chunked\r\n\r\n%b%b" % (head, body, end)
