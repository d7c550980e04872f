"""The responses API, with the official Python SDK as the oracle."""

from collections.abc import Iterator

import openai
import pytest

from react_tck.fakes.server import LaneServer
from react_tck.model.lm import Completion, Message, ToolCall
from tests.server_checks import TWO_CALLS, Heard, client, failing, never, saying


@pytest.fixture(scope="module")
def server() -> Iterator[LaneServer]:
    with LaneServer() as running:
        yield running


def test_text_goes_in_and_comes_out(server: LaneServer) -> None:
    lm = saying("It is 5.")

    response = client(server.open(lm, {})).responses.create(model="m", instructions="Be brief.", input="2+3?")

    assert (response.id, response.status, response.output_text) == ("resp_1", "completed", "It is 5.")
    assert response.usage.total_tokens == 3 + 2
    assert lm.requests[0].messages == (
        Message(role="system", content="Be brief."),
        Message(role="user", content="2+3?"),
    )


def test_calls_come_out_as_items_and_go_back_in(server: LaneServer) -> None:
    lm = Heard(TWO_CALLS)
    lane = server.open(lm, {})
    sdk = client(lane)
    tool = {"type": "function", "name": "add", "parameters": {"type": "object"}}
    question = {"role": "user", "content": [{"type": "input_text", "text": "2+3?"}]}
    output = sdk.responses.create(model="m", input=[question], tools=[tool], tool_choice="auto").output
    results = [{"type": "function_call_output", "call_id": f"call_{n}", "output": str(n)} for n in (1, 2)]
    sdk.responses.create(model="m", input=[question, *(item.model_dump() for item in output), *results])

    first, second = TWO_CALLS.tool_calls
    assert [item.type for item in output] == ["message", "function_call", "function_call"]
    assert (output[1].call_id, output[1].name, output[1].arguments) == ("call_1", "add", first.arguments)
    assert [offer.name for offer in lm.requests[0].tools] == ["add"]
    assert lm.requests[1].messages[1:] == (
        Message(
            role="assistant",
            content=TWO_CALLS.content,
            tool_calls=(
                ToolCall(id="call_1", name="add", arguments=first.arguments),
                ToolCall(id="call_2", name="search", arguments=second.arguments),
            ),
        ),
        Message(role="tool", tool_call_id="call_1", content="1"),
        Message(role="tool", tool_call_id="call_2", content="2"),
    )
    assert lane.problems == ()


def test_format_is_read(server: LaneServer) -> None:
    lm = saying("{}")

    client(server.open(lm, {})).responses.create(model="m", input="x", text={"format": {"type": "json_object"}})

    assert lm.requests[0].response_format == "json_object"


def test_cut_response_is_incomplete(server: LaneServer) -> None:
    lane = server.open(Heard(Completion(content="cu", finish_reason="length")), {})

    response = client(lane).responses.create(model="m", input="x")

    assert (response.status, response.incomplete_details.reason) == ("incomplete", "max_output_tokens")


def test_provider_fails_here_too(server: LaneServer) -> None:
    with pytest.raises(openai.RateLimitError):
        client(server.open(failing("rate-limit"), {})).responses.create(model="m", input="x")


@pytest.mark.parametrize("wish", [{"stream": True}, {"previous_response_id": "resp_1"}])
def test_what_is_not_supported_is_said(server: LaneServer, wish: dict[str, object]) -> None:
    name = next(iter(wish))

    with pytest.raises(openai.BadRequestError, match=f"`{name}` isn't supported here; use chat completions"):
        client(server.open(never, {})).responses.create(model="m", input="x", **wish)


@pytest.mark.parametrize("items", [5, [5], [{"type": "picture"}]])
def test_malformed_input(server: LaneServer, items: object) -> None:
    with pytest.raises(openai.BadRequestError, match=r"input"):
        client(server.open(never, {})).responses.create(model="m", input=items)
