"""The tool endpoint, as a harness with nothing but a standard library sees it."""

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from react_tck.fakes.server import Lane, LaneServer
from tests.support.server_checks import never


def add(args: dict[str, Any]) -> int:
    total: int = args["a"] + args["b"]
    return total


def fail(_: dict[str, Any]) -> None:
    raise ValueError("it is \x1b[31mbroken\n½")


@pytest.fixture(scope="module")
def lane() -> Iterator[Lane]:
    tools: dict[str, Callable[[dict[str, Any]], Any]] = {
        "add": add,
        "echo": dict,
        "fail": fail,
        "odd": lambda _: {b"\xff"},
        "nan": lambda _: float("nan"),
        "größe/2": lambda _: "named",
        "lone": lambda _: "\ud800",
    }
    with LaneServer() as server:
        yield server.open_lane(never, tools)


def post(lane: Lane, name: str, body: bytes) -> tuple[int, Any]:
    try:
        with urlopen(Request(f"{lane.tools_url}/{name}", data=body)) as reply:
            return reply.status, json.load(reply)
    except HTTPError as error:
        with error:
            return error.code, json.load(error)


@pytest.mark.parametrize(
    "value", [None, True, 0, -0.5, 10**30, "½ 🜁 \x00 \u2028", [], {}, [{"a": [None]}], "x" * 1_000_000]
)
def test_every_kind_of_value_goes_there_and_back(lane: Lane, value: Any) -> None:
    assert post(lane, "echo", json.dumps({"value": value}).encode()) == (200, {"result": {"value": value}})


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"[1]", "the body is not a JSON object"),
        (b"{", "not JSON"),
        (b"", "not JSON"),
        (b"\xff", "not JSON"),
        (b'{"a": NaN}', "the body is not JSON: NaN is no JSON"),
        (b'{"a": -Infinity}', "the body is not JSON: -Infinity is no JSON"),
        (b'{"a": 1e999}', "the body is not JSON: the number 1e999 is too large"),
    ],
)
def test_args_are_an_object(lane: Lane, body: bytes, message: str) -> None:
    code, reply = post(lane, "add", body)

    assert code == 400
    assert message in reply["error"]["message"]
    assert lane.problems == ()


def test_a_refused_run_is_told() -> None:
    told: list[tuple[str, str]] = []
    with LaneServer() as server:
        lane = server.open_lane(never, {"add": add}, lambda name, sent: told.append((name, sent)))
        assert post(lane, "add", b"[2, 3]")[0] == 400
        assert post(lane, "subtract", b"[2, 3]")[0] == 404
        assert post(lane, "add", b'{"a": 2, "b": 3}')[0] == 200
    assert told == [("add", "[2, 3]")]
