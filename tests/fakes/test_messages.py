"""Anthropic's messages API, byte by byte, without its client: what is understood, what is replied, and errors."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from react_tck.fakes.server import CuedEndpoint, LaneServer, Streaming
from react_tck.model.intent import FaultName

TOOLS: list[Any] = [{"name": "add", "description": "Adds.", "input_schema": {"type": "object"}}]
ASK: dict[str, Any] = {"model": "m", "max_tokens": 100, "messages": [{"role": "user", "content": "2+3?"}]}


@pytest.fixture(scope="module", name="server")
def _server() -> Iterator[LaneServer]:
    with LaneServer(Streaming(chunk_sizes=(8,))) as running:
        yield running


@pytest.fixture(name="lm")
def _lm(server: LaneServer) -> CuedEndpoint:
    return CuedEndpoint(server)


def send(lm: CuedEndpoint, url: str | None = None, key: str = "any", **values: Any) -> tuple[int, bytes]:
    """The status and the body of the reply."""
    headers = {"content-type": "application/json", "x-api-key": key, "anthropic-version": "2023-06-01"}
    sent = Request(f"{url or lm.root_url}/v1/messages", json.dumps({**ASK, **values}).encode(), headers)
    try:
        with urlopen(sent, timeout=10) as reply:
            return reply.status, reply.read()
    except HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read()


def ask(lm: CuedEndpoint, **values: Any) -> Any:
    """The message that comes."""
    status, body = send(lm, **values)
    assert status == 200, body
    return json.loads(body)


def ask_for_events(lm: CuedEndpoint, **values: Any) -> list[Any]:
    """The events that come, each of the type that it is named by."""
    status, body = send(lm, stream=True, **values)
    assert status == 200
    events = []
    for event in body.decode().strip().split("\n\n"):
        name, data = event.split("\n")
        events.append(json.loads(data.removeprefix("data: ")))
        assert name == f"event: {events[-1]['type']}"
    return events


def test_a_message_has_the_form_that_is_documented(lm: CuedEndpoint) -> None:
    lm.usage(1200, 34).says("Let me add.", calls=[("add", {"a": 2, "b": 3})])

    assert ask(lm, tools=TOOLS) == {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [
            {"type": "text", "text": "Let me add."},
            {"type": "tool_use", "id": "toolu_1", "name": "add", "input": {"a": 2, "b": 3}},
        ],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {
            "input_tokens": 1200,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": 34,
        },
    }
    assert lm.complaints == ()


def test_a_stream_has_the_events_that_are_documented(lm: CuedEndpoint) -> None:
    lm.says("Let me add.", calls=[("add", {"a": 2})])

    events = ask_for_events(lm, tools=TOOLS)
    assert [(event["type"], event.get("index")) for event in events] == [
        ("message_start", None),
        ("content_block_start", 0),
        ("ping", None),
        ("content_block_delta", 0),
        ("content_block_delta", 0),
        ("content_block_stop", 0),
        ("content_block_start", 1),
        ("content_block_delta", 1),
        ("content_block_stop", 1),
        ("message_delta", None),
        ("message_stop", None),
    ]
    assert events[0]["message"]["content"] == []
    assert [event["delta"] for event in events if "delta" in event] == [
        {"type": "text_delta", "text": "Let me a"},
        {"type": "text_delta", "text": "dd."},
        {"type": "input_json_delta", "partial_json": '{"a": 2}'},
        {"stop_reason": "tool_use", "stop_sequence": None},
    ]
    assert events[6]["content_block"] == {"type": "tool_use", "id": "toolu_1", "name": "add", "input": {}}
    assert events[-2]["usage"]["output_tokens"] == 4


def test_a_conversation_is_understood(lm: CuedEndpoint) -> None:
    lm.calls("add", a=2).says("5 and a cat.")
    call = ask(lm, tools=TOOLS)["content"]
    thoughts = [{"type": "thinking", "thinking": "Hm.", "signature": "x"}, {"type": "text", "text": "Let me add."}]
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBO"}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "5"}]}

    ask(
        lm,
        system=[{"type": "text", "text": "You add."}, {"type": "text", "text": "Nothing else."}],
        messages=[
            *ASK["messages"],
            {"role": "assistant", "content": [*thoughts, *call]},
            {"role": "user", "content": [result, image, {"type": "text", "text": "And this?"}]},
        ],
        tools=TOOLS,
        tool_choice={"type": "auto", "disable_parallel_tool_use": True},
    )

    request = lm.requests[1]
    assert [(message.role, message.content) for message in request.messages] == [
        ("system", "You add.\nNothing else."),
        ("user", "2+3?"),
        ("assistant", "Let me add."),
        ("tool", "5"),
        ("user", "[image]\nAnd this?"),
    ]
    assert [(call.id, call.name, call.arguments) for call in request.messages[2].tool_calls] == [
        ("toolu_1", "add", '{"a": 2}')
    ]
    assert request.messages[3].tool_call_id == "toolu_1"
    assert request.messages[4].images == ("data:image/png;base64,iVBO",)
    assert (request.tools[0].name, request.tools[0].description, request.tools[0].parameters) == (
        "add",
        "Adds.",
        {"type": "object"},
    )
    assert (request.model, request.tool_choice, request.parallel_tool_calls) == ("m", "auto", False)
    assert lm.complaints == ()


def test_a_thread_goes_on_with_what_was_said_and_offered(lm: CuedEndpoint) -> None:
    lm.calls("add", a=2).says("5")
    call = ask(lm, system="You add.", tools=TOOLS, thread={"type": "create"})
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "5"}
    before = {"type": "continue", "previous_message_id": call["id"]}
    ask(lm, messages=[{"role": "user", "content": [result]}], thread=before)

    assert [message.role for message in lm.requests[1].messages] == ["system", "user", "assistant", "tool"]
    assert (lm.requests[1].tools, lm.complaints) == (lm.requests[0].tools, ())
    assert send(lm, thread={**before, "previous_message_id": "msg_9"})[0] == 400


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ([], "the tool call 'toolu_1' is not answered directly after its turn"),
        (
            [{"type": "tool_result", "tool_use_id": "toolu_9"}],
            "tool_call_id 'toolu_9' is unknown in the turn before it",
        ),
        (
            [{"type": "text", "text": "Well:"}, {"type": "tool_result", "tool_use_id": "toolu_1", "content": "5"}],
            "a tool message doesn't follow an assistant turn with tool calls",
        ),
    ],
)
def test_a_conversation_that_breaks_the_rules_is_told_of(lm: CuedEndpoint, said: list[Any], wrong: str) -> None:
    lm.calls("add", a=2).says("5")
    call = ask(lm, tools=TOOLS)["content"]
    after = [{"role": "user", "content": [*said, {"type": "text", "text": "And?"}]}]

    ask(lm, messages=[*ASK["messages"], {"role": "assistant", "content": call}, *after], tools=TOOLS)
    assert any(wrong in complaint for complaint in lm.complaints)


@pytest.mark.parametrize(
    ("fault", "status", "kind"),
    [
        ("rate-limit", 429, "rate_limit_error"),
        ("server-error", 500, "api_error"),
        ("unauthorized", 401, "authentication_error"),
        ("forbidden", 403, "permission_error"),
        ("bad-request", 400, "invalid_request_error"),
        ("context-window", 400, "invalid_request_error"),
    ],
)
def test_failures_have_anthropics_form(lm: CuedEndpoint, fault: FaultName, status: int, kind: str) -> None:
    lm.fails(fault)

    found, body = send(lm)
    told = json.loads(body)
    assert (found, told["type"], told["error"]["type"]) == (status, "error", kind)
    assert (told["error"]["message"].startswith("prompt is too long")) == (fault == "context-window")


@pytest.mark.parametrize(
    ("values", "wrong"),
    [
        ({"max_tokens": None}, "`max_tokens` is null, and has to be a number of tokens"),
        ({"messages": "2+3?"}, "`messages` is not a list"),
        ({"messages": [{"role": "system", "content": "x"}]}, 'with the role "user" or "assistant"'),
        ({"messages": [{"role": "user", "content": 5}]}, "messages[0].content is neither text nor a list of blocks"),
        ({"messages": [{"role": "user", "content": [{"type": "text"}]}]}, "has a text block without a text"),
        ({"tools": [{"type": "web_search_20250305", "name": "web_search"}]}, "tools[0] has no `input_schema`"),
        ({"tool_choice": "auto"}, "its type is one of auto, any, none and tool"),
    ],
)
def test_what_can_not_be_answered_is_told_in_anthropics_form(lm: CuedEndpoint, values: Any, wrong: str) -> None:
    status, body = send(lm, **values)

    told = json.loads(body)
    assert (status, told["type"], told["error"]["type"]) == (400, "error", "invalid_request_error")
    assert wrong in told["error"]["message"]
    assert [wrong in complaint for complaint in lm.complaints] == [True]
