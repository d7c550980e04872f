"""The LM of agents' tests: what it says to whatever the official SDKs ask, and what it tells of that."""

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI, OpenAI
from pydantic import BaseModel

from react_tck.fakes.server import CuedEndpoint, LaneServer
from react_tck.model.cue import Cue
from react_tck.model.lm import LMRequest

QUESTION: list[Any] = [{"role": "user", "content": "What is 2+3?"}]
OTHER: list[Any] = [{"role": "user", "content": "And 1+1?"}]
TOOLS: list[Any] = [
    {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}} for name in ("add", "search")
]


class Sum(BaseModel):
    count: int
    note: str


@pytest.fixture(scope="module", name="server")
def _server() -> Iterator[LaneServer]:
    with LaneServer() as running:
        yield running


@pytest.fixture(name="lm")
def _lm(server: LaneServer) -> CuedEndpoint:
    return CuedEndpoint(server)


def sdk(lm: CuedEndpoint, retries: int = 0) -> OpenAI:
    return OpenAI(base_url=lm.base_url, api_key=lm.api_key, max_retries=retries)


def asked(lm: CuedEndpoint, messages: list[Any] = QUESTION, **options: Any) -> Any:
    return sdk(lm).chat.completions.create(model="m", messages=messages, **options).choices[0].message


def test_it_says_its_replies_in_order(lm: CuedEndpoint) -> None:
    lm.calls("add", a=2, b=3).says("It is 5.")

    [call] = asked(lm, tools=TOOLS).tool_calls
    assert (call.function.name, json.loads(call.function.arguments)) == ("add", {"a": 2, "b": 3})
    result = [
        {"role": "assistant", "tool_calls": [call.model_dump()]},
        {"role": "tool", "tool_call_id": call.id, "content": "5"},
    ]
    assert asked(lm, [*QUESTION, *result], tools=TOOLS).content == "It is 5."
    assert lm.complaints == ()
    assert [request.messages[-1].content for request in lm.requests] == ["What is 2+3?", "5"]


def test_several_calls_are_one_turn(lm: CuedEndpoint) -> None:
    lm.calls(("add", {"a": 2}), ("add", {"a": 3}))

    calls = asked(lm, tools=TOOLS).tool_calls
    assert [json.loads(call.function.arguments) for call in calls] == [{"a": 2}, {"a": 3}]
    assert len({call.id for call in calls}) == 2


def test_a_parameter_may_have_any_name(lm: CuedEndpoint) -> None:
    lm.calls("add", tool="hammer", self=1, args=[])

    [call] = asked(lm, tools=TOOLS).tool_calls
    assert json.loads(call.function.arguments) == {"tool": "hammer", "self": 1, "args": []}


def test_garbled_args_arrive_as_they_are(lm: CuedEndpoint) -> None:
    lm.garbles("add", '{"a": 2')

    assert asked(lm, tools=TOOLS).tool_calls[0].function.arguments == '{"a": 2'


def test_a_failure_is_retried_by_the_sdk_and_then_comes_what_is_next(lm: CuedEndpoint) -> None:
    lm.fails(429).fails("server-error").says("5")

    reply = sdk(lm, retries=2).chat.completions.create(model="m", messages=QUESTION)
    assert reply.choices[0].message.content == "5"
    assert len(lm.requests) == 3


def test_a_reply_may_be_for_some_requests_only(lm: CuedEndpoint) -> None:
    lm.when("1+1").says("2").says("5")

    assert [asked(lm).content, asked(lm, OTHER).content] == ["5", "2"]
    assert lm.complaints == ()


def test_a_reply_may_stay(lm: CuedEndpoint) -> None:
    lm.says("first").always().says("again")

    assert [asked(lm).content for _ in range(3)] == ["first", "again", "again"]
    assert lm.complaints == ()


def test_a_function_may_make_the_replies(lm: CuedEndpoint) -> None:
    def respond(request: LMRequest) -> Cue:
        return Cue(says=f"{len(request.messages)} messages")

    lm.replies(respond)

    assert [asked(lm).content, asked(lm, [*QUESTION, *OTHER]).content] == ["1 messages", "2 messages"]


@pytest.mark.parametrize("condition", [lambda lm: lm.when("1+1"), CuedEndpoint.always], ids=["when", "always"])
def test_a_function_takes_no_condition(lm: CuedEndpoint, condition: Callable[[CuedEndpoint], CuedEndpoint]) -> None:
    with pytest.raises(ValueError, match="a function answers every request from here on"):
        condition(lm).replies(lambda _: Cue(says="5"))


@pytest.mark.parametrize(
    ("second", "what"),
    [
        (QUESTION, "it is request 1 once more: a retry, or an agent that goes round in circles"),
        (OTHER, "it is another request than request 1"),
    ],
)
def test_a_request_too_many_is_told_apart_from_a_retry(lm: CuedEndpoint, second: list[Any], what: str) -> None:
    lm.says("5")
    asked(lm)

    with pytest.raises(openai.BadRequestError, match=f"no reply is for request 2: none is left; {what}"):
        asked(lm, second)
    assert len(lm.complaints) == 1


def test_replies_left_for_others_are_named(lm: CuedEndpoint) -> None:
    lm.when("weather").says("Sunny.")

    with pytest.raises(openai.BadRequestError, match="those left are for requests with 'weather'; it is the first"):
        asked(lm)
    assert lm.complaints[1] == 'never asked for: reply {"says":"Sunny.","when":"weather"}'


def test_an_answer_is_structured_output(lm: CuedEndpoint) -> None:
    lm.answers(count=42, note="all of it")

    reply = sdk(lm).chat.completions.parse(model="m", messages=QUESTION, response_format=Sum)
    assert reply.choices[0].message.parsed == Sum(count=42, note="all of it")


def test_an_answer_of_one_value_is_an_object_too(lm: CuedEndpoint) -> None:
    lm.answers(count=42)

    assert asked(lm).content == '{"count": 42}'


def test_an_answer_is_structured_output_of_a_response(lm: CuedEndpoint) -> None:
    lm.answers(count=42, note="all of it")

    reply = sdk(lm).responses.parse(model="m", input="What is 2+3?", text_format=Sum)
    assert reply.output_parsed == Sum(count=42, note="all of it")


def test_an_answer_is_the_call_that_is_demanded(lm: CuedEndpoint) -> None:
    lm.answers(count=42).answers(count=43)

    choice = {"type": "function", "function": {"name": "search"}}
    [call] = asked(lm, tools=TOOLS, tool_choice=choice).tool_calls
    assert (call.function.name, call.function.arguments) == ("search", '{"count": 42}')
    [call] = asked(lm, tools=TOOLS[:1], tool_choice="required").tool_calls
    assert (call.function.name, call.function.arguments) == ("add", '{"count": 43}')


def test_an_answer_that_does_not_fit_the_schema_is_refused(lm: CuedEndpoint) -> None:
    lm.answers(counts=42, note="x")

    with pytest.raises(openai.BadRequestError, match=r"demands \(count, note\): 'count' is missing, there is no 'coun"):
        sdk(lm).chat.completions.parse(model="m", messages=QUESTION, response_format=Sum)


def test_an_answer_is_given_in_the_fields_that_are_asked_for(lm: CuedEndpoint) -> None:
    dspy = pytest.importorskip("dspy")
    lm.answers(answer="5")

    model = dspy.LM("openai/m", api_base=lm.base_url, api_key=lm.api_key, cache=False)
    with dspy.context(lm=model):
        assert dspy.Predict("question -> answer")(question="2+3?").answer == "5"


def test_streams_say_the_same(lm: CuedEndpoint) -> None:
    lm.says("It is five, and nothing else.")

    stream = sdk(lm).chat.completions.create(model="m", messages=QUESTION, stream=True)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in stream) == "It is five, and nothing else."


def test_async_clients_are_answered(lm: CuedEndpoint) -> None:
    async def ask() -> str | None:
        async with AsyncOpenAI(base_url=lm.base_url, api_key=lm.api_key) as client:
            reply = await client.chat.completions.create(model="m", messages=QUESTION)
            return reply.choices[0].message.content

    lm.says("5")

    assert asyncio.run(ask()) == "5"


def test_the_environment_is_enough_for_a_client(lm: CuedEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    lm.says("5")
    for name, value in lm.environment.items():
        monkeypatch.setenv(name, value)

    assert OpenAI().chat.completions.create(model="m", messages=QUESTION).choices[0].message.content == "5"


def test_what_was_asked_can_be_held_against_expectations(lm: CuedEndpoint) -> None:
    lm.says("5")
    asked(lm)

    lm.assert_asked("2+3")
    with pytest.raises(AssertionError, match=r"none of 1 requests has '4\+4' in it; the last one reads\nWhat is 2\+3"):
        lm.assert_asked("4+4")
    assert json.loads(lm.bodies[0])["messages"] == QUESTION


@pytest.mark.parametrize("failure", [418, "sunspots", True])
def test_a_failure_that_does_not_exist_is_refused_at_once(lm: CuedEndpoint, failure: Any) -> None:
    with pytest.raises(ValueError, match=f"there is no failure {failure!r}; there are 400, 401, 403, 429, 500, rate-l"):
        lm.fails(failure)


def test_a_reply_is_one_thing() -> None:
    with pytest.raises(ValueError, match=r"a reply has one of says, calls, .*; this has says and fails"):
        Cue(says="5", fails=429)
