"""What comes through a door costs: the figures of the stdio client; `python -m benchmarks.server` has those of HTTP."""

from collections.abc import Iterator

from benchmarks import roundtrip
from benchmarks.figures import Figure, at_least, at_most

_ROUNDS = 20
_STDIO = at_most(f"{roundtrip.CALLS} calls: the stdio client / a bare pipe", 1.5)
_HTTP = (
    at_least("requests a second over HTTP, JSON: the scripted LM / aimock", 3),
    at_least("requests a second over HTTP, streamed: the scripted LM / aimock", 2.5),
    at_least("requests a second over HTTP: the door alone / a constant reply on the same stack", 0.3),
    at_most("processor of the scripted LM for a request over HTTP", 35, "µs"),
    at_most("the slowest hundredth of requests over HTTP, 16 connections", 3, "ms"),
)
BOUNDS = (_STDIO, *_HTTP)


def figures() -> Iterator[Figure]:
    """The round trip; HTTP takes a load generator, aimock and minutes."""
    yield _STDIO.measured_pair(roundtrip.measured(_ROUNDS))
    for bound in _HTTP:
        yield bound.unmeasured("python -m benchmarks.server")
