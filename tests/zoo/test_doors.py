"""Whatever comes to the doors of the server is refused or served, soon; the next client finds them open."""

import socket
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from react_tck.fakes.server import Lane, LaneServer, Limits
from react_tck.fakes.server.cued import ProviderPath
from react_tck.fakes.server.lane import KeepLatest
from react_tck.fakes.server.recorded import RecordedProvider
from react_tck.model.lm import Exchange, Recording
from tests.support.server_checks import chat_bytes, connected, exchange, saying
from tests.zoo.attacks import ATTACKS, WHOLE, Door

LIMITS = Limits(head_bytes=20_000, body_bytes=150_000, slow_after=0.3, unread_after=0.5)
#: Seconds after which an attacker has had all that it gets.
BOUND = 30.0


#: Whose doors they are: what a lane does with events that are no longer kept, if it keeps a part of them only.
DOORS: Mapping[str, KeepLatest | None] = {"an episode": None, "serve": lambda _: None}


@pytest.fixture(scope="module")
def server() -> Iterator[LaneServer]:
    with LaneServer(limits=LIMITS) as running:
        yield running


def add(args: dict[str, Any]) -> int:
    return int(args["a"]) + int(args["b"])


def status(reply: bytes) -> int:
    return int(reply.split()[1]) if reply else 0


def still_serves(server: LaneServer) -> None:
    """Another client is served, and what the attacker held is let go."""
    good = chat_bytes(server.open_lane(saying("5"), {}), headers=["connection: close"])
    assert status(exchange(server.root, good)) == 200
    _let_go(server)


def _let_go(server: LaneServer) -> None:
    """Soon, nobody is connected any more."""
    deadline = time.monotonic() + BOUND
    while server._connections and time.monotonic() < deadline:
        time.sleep(0.01)
    assert server._connections == set()


@pytest.mark.parametrize("doors", DOORS)
def test_each_attack_gets_what_it_deserves(server: LaneServer, doors: str) -> None:
    for name, door in ATTACKS.items():
        _attack_lane(server, name, door, DOORS[doors])


def _attack_lane(server: LaneServer, name: str, door: Door, keep_latest: KeepLatest | None) -> None:
    lane = server.open_lane(saying("5"), {"add": add}, keep_latest=keep_latest)
    begun = time.monotonic()

    with connected(server.root) as sock:
        door.attack(sock, lane)
        reply = _all(sock, 0.6)

    assert status(reply) == door.status, (name, reply[:500])
    assert door.told in reply.decode(errors="replace").replace('\\"', '"'), name
    assert b"Traceback" not in reply
    assert not [problem for problem in lane.problems if "bug of the kit" in problem]
    assert time.monotonic() - begun < BOUND
    still_serves(server)


def test_a_recording_is_no_easier_to_attack(server: LaneServer) -> None:
    for name, door in ATTACKS.items():
        _attack_recording(server, name, door)


def _attack_recording(server: LaneServer, name: str, door: Door) -> None:
    said = Exchange(method="POST", path="/chat/completions", request=[1], status=200, content_type="a/b", reply="{}")
    path = ProviderPath(server, RecordedProvider(Recording(exchanges=(said,))))
    begun = time.monotonic()

    with connected(server.root) as sock:
        door.attack(sock, path)  # type: ignore[arg-type]
        reply = _all(sock, 0.6)
    path.close()

    assert status(reply) == (404 if name in WHOLE else door.status), (name, reply[:500])
    assert name not in WHOLE or b"was not recorded" in reply or b"There is no" in reply
    assert b"Traceback" not in reply
    assert b"bug of the kit" not in reply
    assert time.monotonic() - begun < BOUND
    still_serves(server)


def _all(sock: socket.socket, seconds: float) -> bytes:
    """What comes until there is nothing more for a while, or ever."""
    sock.settimeout(seconds)
    got = b""
    try:
        while piece := sock.recv(65536):
            got += piece
            sock.settimeout(0.1)
    except (TimeoutError, OSError):
        pass
    return got


def test_who_reads_nothing_is_read_no_further(server: LaneServer) -> None:
    """Ten thousand requests for a large result: what is waiting to be read is bounded."""
    runs: list[int] = []

    def large(_: dict[str, Any]) -> str:
        runs.append(1)
        return "x" * 100_000

    lane = server.open_lane(saying("5"), {"large": large})
    before = _resident()
    with connected(server.root) as sock:
        sock.settimeout(0.2)
        try:
            for _ in range(10_000):
                sock.sendall(_tool_request(lane, "large"))
        except TimeoutError:
            pass
        assert len(runs) < 200
        assert _resident() - before < 100 * 1024 * 1024
    still_serves(server)


def test_who_reads_nothing_is_left() -> None:
    with LaneServer(limits=LIMITS) as server, connected(server.root) as sock:
        lane = server.open_lane(saying("5"), {"large": lambda _: "x" * 30_000_000})
        sock.sendall(_tool_request(lane, "large"))
        time.sleep(0.2)
        _let_go(server)


def test_an_episode_may_send_so_much_and_no_more() -> None:
    with LaneServer() as server:
        strays: list[str] = []
        lane = server.open_lane(saying("5"), {"add": add}, stray=strays.append)
        other = server.open_lane(saying("5"), {"add": add})
        big = _tool_request(lane, "add", b'{"a": 1, "b": 2, "c": "%b"}' % (b"x" * 30_000_000))
        assert [status(exchange(server.root, big)) for _ in range(4)] == [200, 200, 413, 413]
        assert len(strays) == 1
        assert "sent more than 67108864 bytes" in strays[0]
        assert sum(len(request.body) for request in lane.arrived_requests) < 64 * 1024 * 1024
        assert status(exchange(server.root, _tool_request(other, "add", b'{"a": 1, "b": 2}'))) == 200


def test_a_subject_gone_wild_is_kept_for_a_while_only() -> None:
    with LaneServer() as server:
        lane = server.open_lane(saying("5"), {"add": add})
        some = _tool_request(lane, "add", b'{"a": 1, "b": 2}') * 500
        replies = b"".join(exchange(server.root, some) for _ in range(12))
        served = replies.count(b"HTTP/1.1 200 OK")
        assert served == len(lane.arrived_requests) == 4096
        assert replies.count(b"HTTP/1.1 413 ") == 6000 - served


def test_many_that_only_stand_there_keep_nobody_out(server: LaneServer) -> None:
    idle = [socket.create_connection(("127.0.0.1", int(server.root.rsplit(":", 1)[1]))) for _ in range(300)]
    still_serves(server)
    for sock in idle:
        sock.close()


def _tool_request(lane: Lane, name: str, body: bytes = b"{}") -> bytes:
    path = lane.tools_url.split("/", 3)[3]
    return b"POST /%b/%b HTTP/1.1\r\ncontent-length: %d\r\n\r\n" % (path.encode(), name.encode(), len(body)) + body


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096
