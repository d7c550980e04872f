"""An LM that is served for long has no budget of life: what it keeps is bounded, and what it refuses it tells of."""

import http.client
import json
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from react_tck.fakes.journal import Complaints
from react_tck.fakes.server import CuedEndpoint, LaneServer, LMEndpoint, lane
from react_tck.model.base import JsonObject

#: Requests that are kept, where a request counts for so many bytes.
KEPT, LEAST = 4, 1000


@pytest.fixture(name="server")
def _server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LaneServer]:
    monkeypatch.setattr(lane, "_LEAST", LEAST)
    monkeypatch.setattr(lane, "_BUDGET", KEPT * LEAST)
    with LaneServer() as running:
        yield running


def ask(lm: LMEndpoint, content: str, tools: JsonObject | None = None) -> int:
    at = urlsplit(lm.base_url)
    connection = http.client.HTTPConnection(str(at.hostname), at.port, timeout=10)
    body = {"model": "m", "messages": [{"role": "user", "content": content}], **(tools or {})}
    connection.request("POST", f"{at.path}/chat/completions", json.dumps(body))
    status = connection.getresponse().status
    connection.close()
    return status


def test_a_large_body_takes_the_place_of_many(server: LaneServer) -> None:
    lm = CuedEndpoint(server).always().says("5")

    assert {ask(lm, content) for content in ("a", "b", "c", "d" * 2 * LEAST)} == {200}

    assert [request.messages[0].content for request in lm.requests] == ["c", "d" * 2 * LEAST]


def test_complaints_without_end_are_counted() -> None:
    found = Complaints()
    for number in range(1500):
        found.add(f"request {number} was refused")

    assert len(found.sentences) == 1001
    assert found.sentences[-1] == "and 500 more"
    found.clear()
    assert found.sentences == ()
