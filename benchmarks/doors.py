"""What comes through a door costs: a call over stdio, a request over HTTP (`python -m benchmarks.server` says more)."""

import statistics
from collections.abc import Iterator, Mapping, Sequence

from benchmarks import roundtrip, server
from benchmarks.figures import Bound, Figure, at_least, at_most
from tests.support.node import found

_ROUNDS, _HTTP_ROUNDS = 20, 3
_STDIO = at_most(f"{roundtrip.CALLS} calls: the stdio client / a bare pipe", 1.5)
_JSON = at_least("requests a second over HTTP, JSON: the scripted LM / aimock", 3)
_SSE = at_least("requests a second over HTTP, streamed: the scripted LM / aimock", 2.5)
_DOOR = at_least("requests a second over HTTP: the door alone / a constant reply on the same stack", 0.3)
_COST = at_most("processor of the scripted LM for a request over HTTP", 35, "µs")
_SLOWEST = at_most("the slowest hundredth of requests over HTTP, 16 connections", 3, "ms")
_HTTP = (_JSON, _SSE, _DOOR, _COST, _SLOWEST)
BOUNDS = (_STDIO, *_HTTP)


def figures() -> Iterator[Figure]:
    """The round trip; and HTTP where there is a load generator, and node."""
    yield _STDIO.measured_pair(roundtrip.measured(_ROUNDS))
    seen = server.measured(_HTTP_ROUNDS)
    if isinstance(seen, str):
        yield from (bound.unmeasured(seen) for bound in _HTTP)
        return
    for bound, title in ((_JSON, "JSON"), (_SSE, "SSE")):
        yield _beside_aimock(bound, seen[title])
    rounds = seen["JSON"]
    yield _DOOR.measured(server.ratio(rounds["constant"], rounds["server"]), "by processor time a request")
    yield _COST.measured(statistics.median(each.cpu for each in rounds["whole"]) * 1e6)
    yield _SLOWEST.measured(statistics.median(each.p99 for each in rounds["whole"]))


def _beside_aimock(bound: Bound, rounds: Mapping[str, Sequence[server.Round]]) -> Figure:
    if "aimock" not in rounds:
        return bound.unmeasured(f"no aimock: {found()}")
    return bound.measured(server.ratio(rounds["aimock"], rounds["whole"]), "by processor time a request")
