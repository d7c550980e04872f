"""What a harness is sent of a call is what its parameters are, though nobody makes them first."""

import math
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic_core import to_json

from react_tck.fakes.server import Lane, LaneServer
from react_tck.model.base import JsonObject, Value
from react_tck.model.case import Invocation
from react_tck.model.manifest import Description
from react_tck.model.protocol import CallParams
from react_tck.subjects.stdio.process import LineTooLong
from react_tck.subjects.stdio.rpc import Unasked
from react_tck.subjects.stdio.session import HarnessSession, RemoteInstance, Timeouts
from tests.support.server_checks import never

_MANIFEST = b'{"name": "n", "version": "1", "dialects": ["chat"], "default_dialect": "chat", "default_max_steps": 1}'
_OUTCOME = b'{"status": "ok", "outputs": {"answer": "5"}}'
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "é"]), inner, max_size=2),
    max_leaves=5,
)
_OBJECTS: st.SearchStrategy[JsonObject] = st.dictionaries(st.sampled_from(["question", "é"]), _VALUES, max_size=2)
_INVOCATIONS = st.builds(
    Invocation,
    inputs=_OBJECTS,
    history=st.none() | st.lists(_OBJECTS, max_size=2).map(tuple),
    follows=st.none() | st.integers(0, 3),
    max_steps=st.none() | st.integers(0, 9),
    adapter=st.sampled_from([None, "json", "react-text; action=Tool"]),
    mode=st.sampled_from(["sync", "async"]),
)


class Answering:
    """A harness that keeps what it is sent, and answers each request with the result that is due."""

    stderr = ""
    has_more = False

    def __init__(self, *results: bytes) -> None:
        self.results = list(results)
        self.sent: list[bytes] = []

    def write_line(self, line: bytes) -> None:
        self.sent.append(line)

    def read_line(self, timeout: float) -> bytes:
        return b'{"jsonrpc": "2.0", "id": %d, "result": %b}' % (len(self.sent), self.results.pop(0))

    def read_unasked(self, seconds: float = 0.0) -> None:
        return None

    def has_read_input(self) -> bool:
        return True

    def describe_end(self, closed: str = "output") -> str:
        return f"closed its {closed}"

    def end_harness(self) -> None:
        pass


class Flooding(Answering):
    """A harness that writes without end once it has given its manifest, and reads no more."""

    def read_line(self, timeout: float) -> bytes:
        if self.results:
            return super().read_line(timeout)
        raise LineTooLong("a line of more than 5 bytes")

    def has_read_input(self) -> bool:
        return bool(self.results)


def test_a_flood_before_a_request_is_read_is_of_the_episode_before() -> None:
    flooding = HarnessSession(lambda: Flooding(_MANIFEST), Timeouts())
    with pytest.raises(Unasked, match="a line of more than 5 bytes where its answer to 'describe' was due") as flood:
        flooding.send_request("describe", {}, Description)
    assert flood.value.is_certain


@pytest.fixture(scope="module")
def lane() -> Iterator[Lane]:
    with LaneServer() as server:
        yield server.open_lane(never, {})


def params(invocation: Invocation) -> CallParams:
    return CallParams.model_validate({"instance": "1", **invocation.model_dump(exclude={"suspension", "resumptions"})})


def request(method: str, params: Value) -> bytes:
    return to_json({"jsonrpc": "2.0", "id": 2, "method": method, "params": params})


@given(_INVOCATIONS)
@example(Invocation(inputs={"question": math.nan}, history=({"é": -math.inf},)))
def test_a_call_is_sent_as_its_parameters(lane: Lane, invocation: Invocation) -> None:
    harness = Answering(_MANIFEST, _OUTCOME)

    RemoteInstance(HarnessSession(lambda: harness, Timeouts()), "1", lane).call(invocation)

    assert harness.sent[-1] == request("call", params(invocation))
