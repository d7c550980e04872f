"""HTTP as clients really speak it, byte by byte; what is too much, too slow or not HTTP is told so."""

import re
import socket
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

import pytest

from react_tck.fakes.server import LaneServer, Limits
from tests.support.server_checks import (
    chat_bytes,
    connected,
    exchange,
    read_reply,
    saying,
)

LIMITS = Limits(head_bytes=2000, body_bytes=100_000, slow_after=0.2)


@pytest.fixture(scope="module")
def server() -> Iterator[LaneServer]:
    with LaneServer(limits=LIMITS) as running:
        yield running


def status(reply: bytes) -> int:
    return int(reply.split()[1])


def test_pipelined_requests_are_answered_in_order(server: LaneServer) -> None:
    lane = server.open_lane(saying("5"), {})

    replies = exchange(server.root, chat_bytes(lane) * 3)

    assert re.findall(rb"chatcmpl-\d", replies) == [b"chatcmpl-1", b"chatcmpl-2", b"chatcmpl-3"]


def test_client_that_asks_for_leave_to_send_gets_it(server: LaneServer) -> None:
    lane = server.open_lane(saying("5"), {})
    head, _, body = chat_bytes(lane, headers=["expect: 100-continue"]).partition(b"\r\n\r\n")

    with connected(server.root) as sock:
        sock.sendall(head + b"\r\n\r\n")
        assert sock.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        sock.sendall(body)
        assert status(read_reply(sock)) == 200


def test_request_without_a_lane_is_kept_in_quarantine(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, str | None, int]] = [
        ("/", None, 404),
        ("/v1/chat/completions", None, 401),
        ("/v1/chat/completions", "sk-mine", 401),
        ("/v1/chat/completions", "tck-gone", 404),
        ("/gone/v1/chat/completions", None, 404),
        ("/tools/add", None, 401),
        ("/%1b[31m%00<b>", None, 404),
    ]
    for path, key, code in cases:
        with subtests.test(path=path, key=key, code=code), LaneServer() as server:
            authorization = f"authorization: Bearer {key}\r\n" if key else ""
            reply = exchange(server.root, f"GET {path} HTTP/1.1\r\n{authorization}\r\n".encode())

            assert status(reply) == code
            assert server.complaints.sentences == (f"no such endpoint: GET {unquote(path)}",)


def test_only_loopback_listens(server: LaneServer) -> None:
    assert urlsplit(server.root).hostname == "127.0.0.1"
    with pytest.raises(OSError), socket.create_connection(("127.0.0.2", urlsplit(server.root).port or 0), timeout=1):  # noqa: PT011
        pass
