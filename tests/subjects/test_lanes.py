"""What a harness sends to a tool is on record, whether or not it is an args object (ERR-002, ERR-003)."""

import http.client
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from react_tck.fakes.tools import TOOLBOX
from react_tck.subjects.api import Endpoints
from react_tck.subjects.lanes import Lanes
from tests.support.server_checks import never
from tests.support.texts import Stage


@pytest.fixture
def lanes() -> Iterator[Lanes]:
    made = Lanes()
    yield made
    made.close()


@pytest.mark.parametrize("body", ["[2, 3]", '{"a": NaN, "b": 3}', "two and three", ""])
def test_a_body_that_is_no_object_is_a_run(lanes: Lanes, body: str) -> None:
    stage = Stage()
    lane = lanes.open_lane(Endpoints(lm=never, tools=(stage.tool(TOOLBOX["add"]),)))
    assert _post(f"{lane.tools_url}/add", body) == 400
    assert _post(f"{lane.tools_url}/add", '{"a": 2, "b": 3}') == 200
    refused, run = stage.journal.read_record("a case").tool_runs
    assert (refused.tool, refused.args, refused.refused) == ("add", {}, body)
    assert (run.args, run.refused) == ({"a": 2, "b": 3}, None)


def _post(url: str, body: str) -> int:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=10)
    try:
        connection.request("POST", parts.path, body)
        return connection.getresponse().status
    finally:
        connection.close()
