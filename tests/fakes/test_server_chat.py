"""Chat completions as JSON, with the official Python SDK as the oracle."""

from collections.abc import Iterator

import openai
import pytest
from openai import OpenAI

from react_tck.adapter.lm import LMRefusal
from react_tck.fakes.server import LaneServer
from react_tck.model.lm import Completion, Message, ToolCall, ToolOffer
from tests.support.server_checks import QUESTION, Heard, client, failing, never, saying

PARAMETERS = {"type": "object", "properties": {"a": {"type": "integer"}}}


@pytest.fixture(scope="module")
def server() -> Iterator[LaneServer]:
    with LaneServer() as running:
        yield running


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
