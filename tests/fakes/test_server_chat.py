"""Chat completions as JSON, with the official Python SDK as the oracle."""

from collections.abc import Iterator
from contextlib import suppress

import openai
import pytest
from openai import OpenAI

from react_tck.fakes.lm import LMRefusal
from react_tck.fakes.server import LaneServer
from react_tck.model.lm import Completion, Message, ToolCall, ToolOffer
from tests.support.server_checks import QUESTION, Heard, client, failing, never, saying

PARAMETERS = {"type": "object", "properties": {"a": {"type": "integer"}}}


@pytest.fixture(scope="module")
def server() -> Iterator[LaneServer]:
    with LaneServer() as running:
        yield running


def test_usage_is_a_function_of_the_texts(server: LaneServer) -> None:
    lane = server.open_lane(saying("x" * 40), {})

    usage = client(lane).chat.completions.create(model="m", messages=QUESTION).usage

    assert usage is not None
    assert (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens) == (3, 10, 13)


def test_request_reaches_the_lm_as_sent(server: LaneServer) -> None:
    lm = saying("5")
    function = {"name": "add", "description": "Adds.", "parameters": PARAMETERS}
    call = {"id": "call_9", "type": "function", "function": {"name": "add", "arguments": "{}"}}

    client(server.open_lane(lm, {})).chat.completions.create(
        model="some-model",
        messages=[
            {"role": "developer", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]},
            {"role": "assistant", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "call_9", "content": "5"},
        ],
        tools=[{"type": "function", "function": function}],
        tool_choice={"type": "function", "function": {"name": "add"}},
        response_format={"type": "json_object"},
    )

    request = lm.requests[0]
    assert request.messages == (
        Message(role="developer", content="Be brief."),
        Message(role="user", content="one\ntwo"),
        Message(role="assistant", tool_calls=(ToolCall(id="call_9", name="add", arguments="{}"),)),
        Message(role="tool", content="5", tool_call_id="call_9"),
    )
    assert request.tools == (ToolOffer(name="add", description="Adds.", parameters=PARAMETERS),)
    assert (request.tool_choice, request.response_format, request.model) == ("add", "json_object", "some-model")


def test_image_is_named(server: LaneServer) -> None:
    lm = saying("A cat.")
    image = {"type": "image_url", "image_url": {"url": "data:,"}}

    client(server.open_lane(lm, {})).chat.completions.create(
        model="m",
        messages=[{"role": "user", "content": [image]}],
    )

    assert lm.requests[0].messages[0].content == "[image_url]"


def test_lane_is_found_by_its_key_alone(server: LaneServer) -> None:
    lane = server.open_lane(saying("found"), {})
    sdk = OpenAI(base_url=f"{server.root}/v1", api_key=lane.api_key, max_retries=0)

    assert sdk.chat.completions.create(model="m", messages=QUESTION).choices[0].message.content == "found"


def test_refusal_is_exactly_one_request(server: LaneServer) -> None:
    lm = Heard(LMRefusal("script exhausted: no step intent left"))
    lane = server.open_lane(lm, {})

    with pytest.raises(openai.BadRequestError, match="script exhausted: no step intent left") as caught:
        OpenAI(base_url=lane.base_url, api_key=lane.api_key).chat.completions.create(model="m", messages=QUESTION)

    assert caught.value.type == "react_tck_refusal"
    assert len(lm.requests) == 1


def test_provider_failure_is_retried_by_the_sdk_and_the_retry_is_served(server: LaneServer) -> None:
    lm = failing("rate-limit")
    fault = lm.says
    replies = iter([fault, Completion(content="5")])

    def complete(request: object) -> Completion:
        said = next(replies)
        if isinstance(said, Exception):
            raise said
        return said

    lane = server.open_lane(complete, {})
    reply = client(lane, max_retries=1).chat.completions.create(model="m", messages=QUESTION)

    assert reply.choices[0].message.content == "5"


def test_conversation_is_checked_and_answered_all_the_same(server: LaneServer) -> None:
    lane = server.open_lane(saying("5"), {})

    client(lane).chat.completions.create(model="m", messages=[*QUESTION, {"role": "system", "content": "Late."}])
    client(lane).chat.completions.create(
        model="m", messages=[{"role": "tool", "tool_call_id": "call_7", "content": "5"}]
    )

    assert lane.problems == (
        "messages[1]: a system message comes after the conversation has begun",
        "messages[0]: a tool message doesn't follow an assistant turn with tool calls",
        "messages[0]: tool_call_id 'call_7' is unknown in the turn before it, or already answered",
    )


def test_malformed_body_is_refused_and_counts_as_a_problem(server: LaneServer, subtests: pytest.Subtests) -> None:
    cases: list[tuple[bytes, str]] = [
        (b"{", "the body is not JSON"),
        (b"[]", "the body is not a JSON object"),
        (b"{}", "`messages` is not a list"),
        (b'{"messages": [1]}', "messages[0] is not an object"),
        (b'{"messages": [{"role": "robot", "content": ""}]}', "messages.0.role: Input should be"),
        (b'{"messages": [{"role": "user", "content": 1}]}', "messages[0].content is neither text nor"),
        (b'{"messages": [{"role": "user", "content": [{}]}]}', "has a part without a type"),
        (b'{"messages": [{"role": "user", "content": [{"type": "text"}]}]}', "text part without a text"),
        (b'{"messages": [{"role": "assistant", "tool_calls": 1}]}', "tool_calls is not a list"),
        (b'{"messages": [{"role": "assistant", "tool_calls": [{}]}]}', "has no `function` object"),
        (b'{"messages": [], "tools": 1}', "`tools` is not a list"),
        (b'{"messages": [], "tools": [{"type": "retrieval"}]}', 'is not of type "function"'),
        (b'{"messages": [], "tools": [{"type": "function", "function": {}}]}', "tools.0.name: Input should be"),
        (b'{"messages": [], "model": 5}', "model: Input should be a valid string"),
        (b'{"messages": [], "tool_choice": 5}', "tool_choice: Input should be a valid string"),
    ]
    for body, message in cases:
        with subtests.test(body=body, message=message):
            lane = server.open_lane(never, {})

            with pytest.raises(openai.BadRequestError) as caught:
                client(lane).post("/chat/completions", cast_to=object, body=None, content=body)

            assert message in str(caught.value)
            assert [message in problem for problem in lane.problems] == [True]


def test_bug_of_the_kit_is_called_one(server: LaneServer) -> None:
    lane = server.open_lane(never, {})

    with pytest.raises(openai.InternalServerError, match="This is a bug of react-tck") as caught:
        client(lane).chat.completions.create(model="m", messages=QUESTION)

    assert "Traceback" not in str(caught.value)
    assert lane.problems == ("bug of the kit: AssertionError: the LM was asked",)


def test_request_is_kept_as_it_came(server: LaneServer, subtests: pytest.Subtests) -> None:
    cases: list[bytes] = [b'{"messages":  [{"role": "user", "content": "\\u00bd"}]}', b"no JSON"]
    for body in cases:
        with subtests.test(body=body):
            lane = server.open_lane(saying("5"), {})

            with suppress(openai.BadRequestError):
                client(lane).post("/chat/completions", cast_to=object, body=None, content=body)

            assert [request.body for request in lane.arrived_requests] == [body]
