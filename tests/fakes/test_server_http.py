"""HTTP as clients really speak it, byte by byte; what is too much, too slow or not HTTP is told so."""

import asyncio
import gc
import re
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from react_tck.fakes.server import LaneServer, Limits
from react_tck.fakes.server.connection import Connection
from react_tck.fakes.server.server import new_loop
from tests.support.server_checks import (
    QUESTION,
    TWO_CALLS,
    Heard,
    body_of,
    chat_bytes,
    connected,
    exchange,
    never,
    read_all,
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


def message(reply: bytes) -> str:
    text: str = body_of(reply)["error"]["message"]
    return text


def test_a_connection_that_has_ended_leaves_nothing_for_the_collector() -> None:
    gc.collect()
    gc.disable()
    try:
        with LaneServer(limits=LIMITS) as running:
            lane = running.open_lane(saying("5"), {})
            for _ in range(5):
                with connected(running.root) as sock:
                    sock.sendall(chat_bytes(lane, headers=["connection: close"]))
                    read_all(sock)
        assert [each for each in gc.get_objects() if isinstance(each, Connection)] == []
    finally:
        gc.enable()


def test_pipelined_requests_are_answered_in_order(server: LaneServer) -> None:
    lane = server.open_lane(saying("5"), {})

    replies = exchange(server.root, chat_bytes(lane) * 3)

    assert re.findall(rb"chatcmpl-\d", replies) == [b"chatcmpl-1", b"chatcmpl-2", b"chatcmpl-3"]


def test_request_may_come_in_pieces(server: LaneServer) -> None:
    lane = server.open_lane(saying("5"), {})
    sent = chat_bytes(lane, headers=["connection: close"])

    with connected(server.root) as sock:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in range(0, len(sent), 50):
            sock.sendall(sent[at : at + 50])
            time.sleep(0.001)
        assert status(read_all(sock)) == 200


def test_client_that_asks_for_leave_to_send_gets_it(server: LaneServer) -> None:
    lane = server.open_lane(saying("5"), {})
    head, _, body = chat_bytes(lane, headers=["expect: 100-continue"]).partition(b"\r\n\r\n")

    with connected(server.root) as sock:
        sock.sendall(head + b"\r\n\r\n")
        assert sock.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        sock.sendall(body)
        assert status(read_reply(sock)) == 200


def test_client_that_asks_for_http2_is_served_in_http1(server: LaneServer) -> None:
    lane = server.open_lane(saying("5"), {})
    upgrade = ["connection: Upgrade, HTTP2-Settings", "upgrade: h2c", "http2-settings: AAEAAEAAAAIAAAAB"]

    with connected(server.root) as sock:
        for headers in (upgrade, []):
            head, _, body = chat_bytes(lane, headers=headers).partition(b"\r\n\r\n")
            sock.sendall(head + b"\r\n\r\n")
            time.sleep(0.01)
            sock.sendall(body)
            assert status(read_reply(sock)) == 200
    assert exchange(server.root, chat_bytes(lane, headers=upgrade) * 2).count(b"HTTP/1.1 200 OK") == 2


def test_same_run_same_bytes() -> None:
    def run() -> list[bytes]:
        with LaneServer() as server:
            lane = server.open_lane(Heard(TWO_CALLS), {})
            bodies = [{"messages": QUESTION, "stream": stream} for stream in (False, True, False)]
            return [exchange(server.root, chat_bytes(lane, body)) for body in bodies]

    first, second = run(), run()

    assert first == second
    assert all(b"\r\ndate:" not in reply.lower() for reply in first)


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


def test_closed_lane_says_so(server: LaneServer) -> None:
    lane = server.open_lane(never, {})
    lane.close()
    lane.close()

    reply = exchange(server.root, chat_bytes(lane))

    assert status(reply) == 404
    assert message(reply).startswith("The path belongs to no open episode. Use the base URL")


def test_only_loopback_listens(server: LaneServer) -> None:
    assert urlsplit(server.root).hostname == "127.0.0.1"
    with pytest.raises(OSError), socket.create_connection(("127.0.0.2", urlsplit(server.root).port or 0), timeout=1):  # noqa: PT011
        pass


def test_start_and_close_are_idempotent() -> None:
    server = LaneServer()
    server.start()
    server.start()
    with connected(server.root) as idle:
        assert status(exchange(server.root, chat_bytes(server.open_lane(saying("5"), {})))) == 200
        server.close()
        server.close()
        assert read_all(idle) == b""

    with pytest.raises(RuntimeError, match="call start"):
        server.open_lane(never, {})


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("make_loop", [new_loop, asyncio.new_event_loop])
def test_a_server_may_be_closed_before_it_listens(
    make_loop: Callable[[], asyncio.AbstractEventLoop], monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = make_loop()
    open_server = loop.create_server

    async def open_late(*how: Any, **options: Any) -> Any:
        await asyncio.sleep(0.05)
        return await open_server(*how, **options)

    class LateLoop:
        """Its loop takes its time; uvloop's has methods that nothing can be put in the place of."""

        create_server = staticmethod(open_late)

        def __getattr__(self, name: str) -> Any:
            return getattr(loop, name)

    monkeypatch.setattr("react_tck.fakes.server.server.new_loop", LateLoop)
    monkeypatch.setattr("asyncio.set_event_loop", lambda _: None)
    server = LaneServer()
    server.start()
    root = server.root
    server.close()

    with pytest.raises(ConnectionRefusedError), connected(root):
        pass
