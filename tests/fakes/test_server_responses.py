"""The responses API, with the official Python SDK as the oracle."""

from collections.abc import Iterator
from itertools import product

import openai
import pytest

from react_tck.fakes.server import LaneServer, Limits, Streaming, make_sizes
from react_tck.model.cue import QUIRKS, Quirk
from react_tck.model.lm import Completion, Message, ToolCall
from tests.support.server_checks import TWO_CALLS, Heard, client, never


@pytest.fixture(scope="module")
def server() -> Iterator[LaneServer]:
    with LaneServer() as running:
        yield running


def test_calls_come_out_as_items_and_go_back_in(server: LaneServer) -> None:
    lm = Heard(TWO_CALLS)
    lane = server.open_lane(lm, {})
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


def test_what_is_not_supported_is_said(server: LaneServer, subtests: pytest.Subtests) -> None:
    for name in ["conversation", "background"]:
        with (
            subtests.test(name=name),
            pytest.raises(openai.BadRequestError, match=f"`{name}` isn't supported here"),
        ):
            client(server.open_lane(never, {})).responses.create(model="m", input="x", extra_body={name: True})


def test_streamed_equals_not_streamed(subtests: pytest.Subtests) -> None:
    cases_0: list[Completion] = [
        TWO_CALLS,
        Completion(content="½ 🜁\n\ndata: x\r\n"),
        Completion(content="cu", finish_reason="length"),
    ]
    cases_1: list[frozenset[Quirk]] = [frozenset(), QUIRKS]
    for completion, quirks in product(cases_0, cases_1):
        with subtests.test(completion=completion, quirks=quirks):
            with LaneServer(Streaming(make_sizes(3), quirks=quirks), Limits(write_sizes=make_sizes(4))) as server:
                whole = client(server.open_lane(Heard(completion), {})).responses.create(model="m", input="2+3?")
                stream = client(server.open_lane(Heard(completion), {})).responses.create(
                    model="m", input="2+3?", stream=True
                )
                events = list(stream)
                with client(server.open_lane(Heard(completion), {})).responses.stream(
                    model="m", input="2+3?"
                ) as helper:
                    texts = [event.delta for event in helper if event.type == "response.output_text.delta"]

            assert events[-1].response == whole
            assert [event.sequence_number for event in events] == list(range(len(events)))
            assert [event.item for event in events if event.type == "response.output_item.done"] == whole.output
            assert "".join(texts) == whole.output_text == completion.content


def test_conversation_goes_on_from_an_earlier_response(server: LaneServer) -> None:
    lm = Heard(TWO_CALLS)
    lane = server.open_lane(lm, {})
    sdk = client(lane)
    first = sdk.responses.create(model="m", instructions="Be brief.", input="2+3?")
    results = [{"type": "function_call_output", "call_id": f"call_{n}", "output": str(n)} for n in (1, 2)]
    sdk.responses.create(model="m", instructions="Be kind.", input=results, previous_response_id=first.id)

    earlier, later = (request.messages for request in lm.requests)
    assert later[0] == Message(role="system", content="Be kind.")
    assert later[1] == earlier[1]
    assert [message.role for message in later[2:]] == ["assistant", "tool", "tool"]
    assert [call.id for call in later[2].tool_calls] == ["call_1", "call_2"]
    assert lane.problems == ()
