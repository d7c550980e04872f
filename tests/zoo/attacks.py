"""What is sent to the doors of the kit's server that no client of good will sends, and what becomes of it."""

import json
import socket
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlsplit

from react_tck.fakes.server import Lane
from tests.support.server_checks import QUESTION, chat_bytes

#: Where an attacker stands: a socket, and the lane whose door it is.
Attack = Callable[[socket.socket, Lane], None]


class Door(NamedTuple):
    """What is sent, and which status the first reply has; 0 if the server leaves without one."""

    attack: Attack
    status: int
    #: What the reply, or the lane's list of problems, says.
    told: str = ""


def sends(make: Callable[[Lane], bytes]) -> Attack:
    """These bytes, and then silence; whoever is refused before the last of them needn't send it."""

    def attack(sock: socket.socket, lane: Lane) -> None:
        with suppress(ConnectionError):
            sock.sendall(make(lane))

    return attack


def chat(*headers: str, body: bytes = b"") -> Attack:
    """A head of our own for a chat request, and a body."""
    return sends(lambda lane: head(lane, *headers) + body)


def head(lane: Lane, *headers: str, method: str = "POST", end: str = "\r\n") -> bytes:
    """The head of a chat request."""
    path = urlsplit(lane.base_url).path
    return end.join([f"{method} {path}/chat/completions HTTP/1.1", *headers, "", ""]).encode("latin-1")


def posts(body: bytes, *headers: str) -> Attack:
    """A whole chat request with this body."""
    return chat(f"content-length: {len(body)}", *headers, body=body)


def asks(path: str, method: str = "POST", body: bytes = b"{}") -> Attack:
    """A whole request for a path below the lane's own."""

    def make(lane: Lane) -> bytes:
        root = urlsplit(lane.base_url).path.removesuffix("/v1")
        return f"{method} {root}{path} HTTP/1.1\r\ncontent-length: {len(body)}\r\n\r\n".encode("latin-1") + body

    return sends(make)


def whole(**changes: object) -> bytes:
    """The body of a good request, with some keys changed."""
    return json.dumps({"model": "m", "messages": QUESTION, **changes}).encode()


DEEP_ARGS = {"name": "add", "arguments": "[" * 50_000}
#: A history whose call has args that nobody reads to their end.
CALLED = [
    *QUESTION,
    {"role": "assistant", "tool_calls": [{"id": "1", "type": "function", "function": DEEP_ARGS}]},
]


def slowly(sock: socket.socket, lane: Lane) -> None:
    """A byte at a time, with rests: nothing of it is ever too slow by itself."""
    with suppress(OSError):
        for byte in chat_bytes(lane):
            sock.sendall(bytes([byte]))
            time.sleep(0.02)


def chunks(sizes: Sequence[int]) -> Attack:
    """A body in chunks of these sizes."""

    def attack(sock: socket.socket, lane: Lane) -> None:
        with suppress(ConnectionError):
            sock.sendall(head(lane, "transfer-encoding: chunked"))
            for size in sizes:
                sock.sendall(b"%x\r\n%b\r\n" % (size, b"x" * size))

    return attack


def resets(sock: socket.socket, lane: Lane) -> None:
    """Half a request, and a reset."""
    sock.sendall(chat_bytes(lane)[:-5])
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.shutdown(socket.SHUT_RD)


def half_closes(part: int) -> Attack:
    """A part of a request, and no more."""

    def attack(sock: socket.socket, lane: Lane) -> None:
        sock.sendall(chat_bytes(lane)[:part])
        sock.shutdown(socket.SHUT_WR)

    return attack


def embeds(**values: object) -> Attack:
    """A whole request for embeddings, of a text unless it says of which."""
    return asks("/v1/embeddings", body=json.dumps({"model": "m", "input": "a", **values}).encode())


DEEP = b"[" * 100_000
_VERSIONED = "/chat/completions?api-version=1"
BIG = 200_000

ATTACKS: Mapping[str, Door] = {
    # Heads.
    "nothing": Door(sends(lambda _: b""), 0),
    "half a request line": Door(sends(lambda _: b"POST /"), 408, "wasn't complete"),
    "half a head": Door(sends(lambda lane: chat_bytes(lane)[:60]), 408, "wasn't complete"),
    "half a body": Door(sends(lambda lane: chat_bytes(lane)[:-5]), 408, "wasn't complete"),
    "a byte at a time": Door(slowly, 408, "wasn't complete"),
    "half a head and an end": Door(half_closes(60), 0),
    "half a body and an end": Door(half_closes(-5), 0),
    "a reset": Door(resets, 0),
    "a large header": Door(chat(f"x-noise: {'x' * BIG}"), 431, "headers are larger"),
    "a thousand headers": Door(chat(*["x-noise: x"] * 10_000), 431, "headers are larger"),
    "a large path": Door(sends(lambda _: b"POST /" + b"x" * BIG + b" HTTP/1.1\r\n\r\n"), 431, "headers are larger"),
    "a header without end": Door(sends(lambda lane: head(lane)[:-2] + b"x" * BIG), 431, "headers are larger"),
    "a header without a colon": Door(chat("nonsense"), 400, "not HTTP/1.1"),
    "a space before the colon": Door(chat("content-length : 2"), 400, "not HTTP/1.1"),
    "a NUL in a header": Door(chat("x-noise: a\0b"), 400, "not HTTP/1.1"),
    "a folded header": Door(chat("x-noise: a", " b", "content-length: 0"), 400, ""),
    "line feeds alone": Door(sends(lambda lane: head(lane, "content-length: 0", end="\n")), 400, ""),
    "no version": Door(sends(lambda _: b"GET /\r\n\r\n"), 404, "no open episode"),
    "another version": Door(sends(lambda _: b"GET / HTTP/9.9\r\n\r\n"), 400, "not HTTP/1.1"),
    "HTTP/2": Door(sends(lambda _: b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 400, "not HTTP/1.1"),
    "TLS": Door(sends(lambda _: b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"), 400, "not HTTP/1.1"),
    "SSH": Door(sends(lambda _: b"SSH-2.0-OpenSSH_9.6\r\n"), 400, "not HTTP/1.1"),
    "a proxy's request": Door(sends(lambda _: b"CONNECT example.org:443 HTTP/1.1\r\n\r\n"), 405, "proxies"),
    "an unknown method": Door(sends(lambda lane: head(lane, method="BREW")), 400, "not HTTP/1.1"),
    # Lengths.
    "a negative length": Door(chat("content-length: -1"), 400, "not HTTP/1.1"),
    "a length in words": Door(chat("content-length: many"), 400, "not HTTP/1.1"),
    "a length without bounds": Door(chat(f"content-length: {'9' * 30}"), 400, "not HTTP/1.1"),
    "two lengths": Door(chat("content-length: 2", "content-length: 3", body=b"{}"), 400, "not HTTP/1.1"),
    "a length and chunks": Door(
        chat("content-length: 2", "transfer-encoding: chunked", body=b"0\r\n\r\n"), 400, "not HTTP/1.1"
    ),
    "a chunk's size in words": Door(chat("transfer-encoding: chunked", body=b"many\r\n"), 400, "not HTTP/1.1"),
    "a chunk without bounds": Door(chat("transfer-encoding: chunked", body=b"f" * 20 + b"\r\n"), 400, "not HTTP/1.1"),
    "a large body": Door(posts(whole(messages="x" * BIG)), 413, "body is larger"),
    "a large body in chunks": Door(chunks([BIG]), 413, "body is larger"),
    "chunks without end": Door(chunks([1000] * 3000), 413, "body is larger"),
    "a body that doesn't come": Door(chat("content-length: 10", "expect: 100-continue"), 100, ""),
    # Bodies.
    "no body": Door(posts(b""), 400, "not JSON"),
    "no JSON": Door(posts(b"{'model': 'm'}"), 400, "not JSON"),
    "no object": Door(posts(b"[1, 2]"), 400, "not a JSON object"),
    "JSON nested deep": Door(posts(DEEP[:50_000]), 400, "not JSON"),
    "an object nested deep": Door(posts(b'{"messages": ' + DEEP[:50_000]), 400, "not JSON"),
    "NaN": Door(posts(b'{"temperature": NaN, "messages": []}'), 400, "NaN is no JSON"),
    "a number too large": Door(posts(b'{"temperature": 1e999, "messages": []}'), 400, "not JSON"),
    "a number of many digits": Door(posts(b'{"n": %b, "messages": []}' % (b"9" * 50_000)), 400, "out of range"),
    "UTF-16": Door(posts(whole().decode().encode("utf-16")), 400, "not JSON"),
    "a packed body": Door(posts(b"\x1f\x8b\x08\x00junk", "content-encoding: gzip"), 400, "not JSON"),
    "half a character": Door(posts(whole().replace(b"What", b"\xff\xfe")), 400, "not JSON"),
    "half a surrogate pair": Door(posts(whole().replace(b"What", b"\\ud83d")), 200),
    "messages that are none": Door(posts(whole(messages={"role": "user"})), 400, "`messages` is not a list"),
    "messages of nothing": Door(posts(whole(messages=[None] * 10)), 400, "messages"),
    "an unknown role": Door(posts(whole(messages=[{"role": "god", "content": "x"}])), 400, "role"),
    "args nested deep": Door(posts(whole(messages=CALLED)), 200),
    "tools that are none": Door(posts(whole(tools=[1, "x", None])), 400, "tools"),
    "many messages": Door(posts(whole(messages=[{"role": "user", "content": ""}] * 2000)), 200),
    "a stream that is neither": Door(posts(whole(stream="false")), 400, "`stream` is neither true nor false"),
    "several replies": Door(posts(whole(n=3)), 400, "`n` isn't supported"),
    "dimensions without bounds": Door(embeds(dimensions=10**9), 400, "`dimensions` is 1000000000"),
    "half a dimension": Door(embeds(dimensions=1.5), 400, "`dimensions` is 1.5"),
    "more texts than are taken": Door(embeds(input=["a"] * 2049), 400, "there may be 2048"),
    "texts of nothing": Door(embeds(input=[]), 400, "`input` is neither"),
    # Places.
    "a deployment without a version": Door(asks("/openai/deployments/a/chat/completions"), 400, "no `api-version`"),
    "a deployment in a folder": Door(asks(f"/openai/deployments/a%2Fb{_VERSIONED}"), 404, "There is no POST"),
    "a deployment of no name": Door(asks(f"/openai/deployments/{_VERSIONED}"), 404, "There is no POST"),
    "the folder above": Door(asks("/../../etc/passwd", "GET", b""), 404, "There is no GET"),
    "another method": Door(asks("/v1/chat/completions", "DELETE", b""), 405, "takes POST"),
    "a method for its own sake": Door(asks("/v1/chat/completions", "TRACE", b""), 405, "takes POST"),
    "no tool": Door(asks("/tools/"), 404, "There is no tool ''"),
    "an unknown tool": Door(asks("/tools/no%00such%0atool"), 404, "There is no tool"),
    "a tool nested deep": Door(asks("/tools/add", body=b'{"a": ' + DEEP[:50_000]), 400, "not JSON"),
    "half an escape": Door(asks("/%zz%"), 404, "There is no POST"),
    "no such lane": Door(sends(lambda _: b"GET /x/v1/models HTTP/1.1\r\n\r\n"), 404, "no open episode"),
    "another lane's key": Door(
        sends(lambda _: b"GET /v1/models HTTP/1.1\r\nauthorization: Bearer tck-x\r\n\r\n"), 404, "no open episode"
    ),
}

#: Those that are whole requests as far as HTTP goes: a recording, which takes any body, knows none of them.
WHOLE = (
    *("no body", "no JSON", "no object", "JSON nested deep", "an object nested deep", "NaN", "a number too large"),
    *("a number of many digits", "UTF-16", "a packed body", "half a character", "half a surrogate pair"),
    *("messages that are none", "messages of nothing", "an unknown role", "args nested deep", "tools that are none"),
    *("many messages", "another method", "a method for its own sake", "a tool nested deep", "a stream that is neither"),
    *("several replies", "dimensions without bounds", "half a dimension", "more texts than are taken"),
    *("texts of nothing", "a deployment without a version", "a deployment in a folder", "a deployment of no name"),
)
