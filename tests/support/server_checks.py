"""What the tests of the HTTP server share: LMs in a line, and a client that sees every byte."""

import json
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from openai import OpenAI

from react_tck.adapter.lm import LMFault
from react_tck.fakes.server import Lane
from react_tck.model.lm import Completion, LMRequest, ToolCall

QUESTION: list[Any] = [{"role": "user", "content": "What is 2+3?"}]
TWO_CALLS = Completion(
    content="Two at once: ½ and 🜁.",
    tool_calls=(
        ToolCall(id="call_0", name="add", arguments='{"a": 2, "b": 3, "note": "\\u00e9 and é, \\"quoted\\""}'),
        ToolCall(id="call_0", name="search", arguments='{"query": "sum of 2 and 3 🜁"}'),
    ),
    finish_reason="tool_calls",
)


class Heard:
    """An LM that says the same, and remembers what it was asked."""

    def __init__(self, says: Completion | Exception) -> None:
        self.says = says
        self.requests: list[LMRequest] = []

    def __call__(self, request: LMRequest) -> Completion:
        self.requests.append(request)
        if isinstance(self.says, Exception):
            raise self.says
        return self.says


def saying(text: str) -> Heard:
    """An LM that says this."""
    return Heard(Completion(content=text))


def failing(fault: str) -> Heard:
    """An LM whose provider fails."""
    return Heard(LMFault(fault))


def client(lane: Lane, **options: Any) -> Any:
    """The official SDK, which doesn't retry unless told to. Not its own type: we send it plain mappings."""
    return OpenAI(base_url=lane.base_url, api_key=lane.api_key, **{"max_retries": 0, "timeout": 5.0, **options})


@contextmanager
def connected(url: str) -> Iterator[socket.socket]:
    """A bare connection to where the URL points."""
    at = urlsplit(url)
    assert at.hostname is not None
    with socket.create_connection((at.hostname, at.port or 80), timeout=5) as sock:
        yield sock


def chat_bytes(lane: Lane, body: object = None, headers: Iterable[str] = ()) -> bytes:
    """A chat request as bytes."""
    content = json.dumps(body or {"model": "m", "messages": QUESTION}).encode()
    lines = [*headers, "host: localhost", f"content-length: {len(content)}"]
    path = urlsplit(lane.base_url).path
    head = "\r\n".join([f"POST {path}/chat/completions HTTP/1.1", *lines])
    return f"{head}\r\n\r\n".encode() + content


def exchange(url: str, sent: bytes) -> bytes:
    """All that comes back for these bytes, until the server leaves or has nothing to add."""
    with connected(url) as sock:
        sock.sendall(sent)
        sock.shutdown(socket.SHUT_WR)
        return read_all(sock)


def read_all(sock: socket.socket) -> bytes:
    """Everything until the end."""
    return b"".join(iter(lambda: sock.recv(65536), b""))


def read_reply(sock: socket.socket) -> bytes:
    """One reply with a content length, and not a byte more."""
    got = b""
    while b"\r\n\r\n" not in got:
        got += _some(sock)
    head, _, body = got.partition(b"\r\n\r\n")
    length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
    while len(body) < length:
        body += _some(sock)
    assert len(body) == length
    return head + b"\r\n\r\n" + body


def _some(sock: socket.socket) -> bytes:
    piece = sock.recv(65536)
    assert piece, "the server left in the middle of a reply"
    return piece


def never(_: LMRequest) -> Completion:
    """An LM that must not be asked."""
    raise AssertionError("the LM was asked")
