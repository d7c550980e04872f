"""`python -m benchmarks.server`: the HTTP server against a constant reply on its stack, and against aimock from npm.

The load is wrk's where it is installed, else autocannon's; that one and aimock come from npm. What isn't here is said.
Ratios are of what a request costs in processor time of the server: on a busy machine they tell the servers apart where
rates tell who else is running. All are warm when they are measured: node compiles for its first ten thousand requests,
which cost it seven times as much as later ones, and a busy machine gets fewer of them over in a second.
"""

import json
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.request import Request, urlopen

from benchmarks.load import CONNECTIONS, MESSAGES, Load, load, pinned
from benchmarks.pairs import processor_seconds, timed
from benchmarks.servers import AIMOCK, TEXT
from react_tck.fakes.server import LaneServer
from react_tck.model.lm import Completion
from tests.support.node import found

_ROUNDS = 10
#: Requests that a server has answered before it is measured.
_WARM = 12_000


class Served(NamedTuple):
    """A server to be measured."""

    name: str
    process: "subprocess.Popen[str]"

    def urls(self) -> list[str]:
        """Where it takes requests from now on."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().split()


class Round(NamedTuple):
    """Requests a second, processor seconds of the server that each cost, milliseconds of all but one in a hundred."""

    rate: float
    cpu: float
    p99: float


#: The rounds of each server, by what is asked for and by the name of the server.
Measured = Mapping[str, Mapping[str, Sequence[Round]]]


def measured(rounds: int) -> Measured | str:
    """All servers there are here, or why none is measured."""
    send = load()
    if isinstance(send, str):
        return send
    with ExitStack() as running:
        servers = [running.enter_context(_python(kind)) for kind in ("constant", "server", "whole")]
        modules = found()
        if not isinstance(modules, str):
            servers.append(running.enter_context(_aimock(modules)))
        return {title: _rounds(servers, send, rounds, _body(title)) for title in ("JSON", "SSE")}


def main() -> None:
    """Measure and print."""
    _print_times()
    seen = measured(_ROUNDS)
    if isinstance(seen, str):
        print(f"requests: skipped, {seen}")
        return
    if "aimock" not in seen["JSON"]:
        print(f"aimock: skipped, {found()}")
    for title, rounds in seen.items():
        _print_rounds(title, rounds)


def _print_times() -> None:
    def first_reply() -> None:
        with LaneServer() as server:
            _post(server.open_lane(lambda _: Completion(content=TEXT), {}).base_url)

    first = statistics.median(timed(first_reply) for _ in range(20)) * 1000
    print(f"start, first reply, close: {first:.1f} ms   (at most 200)")
    with LaneServer() as server:
        lane = statistics.median(
            timed(lambda: server.open_lane(lambda _: Completion(), {}).close()) for _ in range(10_000)
        )
    print(f"a lane, opened and closed: {lane * 1000:.3f} ms   (at most 1)")


def _post(url: str) -> None:
    request = Request(f"{url}/chat/completions", data=json.dumps({"messages": MESSAGES}).encode())
    with urlopen(request) as reply:
        reply.read()


@contextmanager
def _started(name: str, command: Sequence[str]) -> Iterator[Served]:
    process = subprocess.Popen(pinned(0, command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        process.stdout.readline()
        yield Served(name, process)
    finally:
        process.kill()
        process.communicate()


def _python(kind: str) -> AbstractContextManager[Served]:
    return _started(kind, [sys.executable, "-m", "benchmarks.servers", kind])


def _aimock(modules: Path) -> AbstractContextManager[Served]:
    return _started("aimock", ["node", "--input-type=module", "-e", AIMOCK, str(modules)])


def _body(title: str) -> str:
    return json.dumps({"model": "m", "messages": MESSAGES, "stream": title == "SSE"})


def _rounds(servers: Sequence[Served], send: Load, count: int, body: str) -> Mapping[str, Sequence[Round]]:
    """The rounds of all servers in turn, so that a noisy machine disturbs them alike."""
    for server in servers:
        _warm_up(server, send, body)
    rounds = [[_round(server, send, body) for server in servers] for _ in range(count)]
    return {server.name: mine for server, mine in zip(servers, zip(*rounds, strict=True), strict=True)}


def _warm_up(server: Served, send: Load, body: str) -> None:
    answered = 0
    while answered < _WARM:
        answered += send(server.urls(), body).requests


def _round(server: Served, send: Load, body: str) -> Round:
    urls = server.urls()
    before = processor_seconds(server.process.pid)
    seen = send(urls, body)
    spent = processor_seconds(server.process.pid) - before
    return Round(seen.rate, spent / seen.requests, seen.p99)


def _print_rounds(title: str, rounds: Mapping[str, Sequence[Round]]) -> None:
    print(f"\n{title}, {CONNECTIONS} connections, medians of {_ROUNDS} rounds, and the best of them")
    for name, mine in rounds.items():
        rate, cpu, p99 = (statistics.median(getattr(each, what) for each in mine) for what in Round._fields)
        least_cpu, least_p99 = (min(getattr(each, what) for each in mine) for what in ("cpu", "p99"))
        bounds = "   (at most 35 µs and 3 ms)" if name == "whole" else ""
        print(
            f"  {name:<9} {rate:6.0f} requests/s   {cpu * 1e6:5.1f} µs of processor a request, {least_cpu * 1e6:.1f}   "
            f"p99 {p99:.2f} ms, {least_p99:.2f}{bounds}"
        )
    _print_ratio("the door alone, as a share of a constant reply", rounds["constant"], rounds["server"], "0.3")
    if "aimock" in rounds:
        bound = "3" if title == "JSON" else "2.5"
        _print_ratio("the whole, as a multiple of aimock", rounds["aimock"], rounds["whole"], bound)


def _print_ratio(name: str, other: Sequence[Round], mine: Sequence[Round], bound: str) -> None:
    print(f"  {name}: {ratio(other, mine):.2f}   (at least {bound})")


def ratio(other: Sequence[Round], mine: Sequence[Round]) -> float:
    """How many requests of one server's take as much processor time as one of the other's."""
    return statistics.median(theirs.cpu / ours.cpu for theirs, ours in zip(other, mine, strict=True))


if __name__ == "__main__":
    main()
