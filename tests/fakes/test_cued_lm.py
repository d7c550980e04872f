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


def test_a_default_is_for_what_nothing_else_is_for(lm: CuedEndpoint) -> None:
    lm.always().says("Sorry?").says("5").when("1+1").always().says("2")

    said = [asked(lm, messages).content for messages in (OTHER, QUESTION, QUESTION, OTHER)]
    assert said == ["2", "5", "Sorry?", "2"]


def test_a_reply_may_be_given_several_times(lm: CuedEndpoint) -> None:
    lm.times(2).says("again").times(3).says("and again")

    assert [asked(lm).content for _ in range(3)] == ["again", "again", "and again"]
    assert lm.complaints == ('never asked for: reply {"says":"and again","times":2}',)


@pytest.mark.parametrize("times", [0, -1, 1.5, True, "often"])
def test_a_number_of_times_that_can_not_be_is_refused_at_once(lm: CuedEndpoint, times: Any) -> None:
    with pytest.raises(ValueError, match=f"times: a reply can't be given {times!r} times; it can 1, 2, 3 … times, or "):
        lm.times(times).says("5")


def test_a_condition_without_a_reply_is_told_of(lm: CuedEndpoint) -> None:
    lm.when("weather").always()

    assert lm.complaints == ("when, times of a reply that was never said",)


@pytest.mark.parametrize("stream", [False, True])
def test_usage_counts_can_be_set(lm: CuedEndpoint, stream: bool) -> None:
    lm.usage(prompt_tokens=1200, completion_tokens=34).says("5").usage(completion_tokens=7).says("5").says("5")

    def counted() -> tuple[int, int, int]:
        if not stream:
            used = sdk(lm).chat.completions.create(model="m", messages=QUESTION).usage
        else:
            options: Any = {"include_usage": True}
            chunks = sdk(lm).chat.completions.create(model="m", messages=QUESTION, stream=True, stream_options=options)
            used = list(chunks)[-1].usage
        assert used is not None
        return used.prompt_tokens, used.completion_tokens, used.total_tokens

    assert [counted() for _ in range(3)] == [(1200, 34, 1234), (3, 7, 10), (3, 0, 3)]


def test_usage_counts_of_a_response_can_be_set(lm: CuedEndpoint) -> None:
    lm.usage(1200, 34).says("5")

    used = sdk(lm).responses.create(model="m", input="2+3?").usage
    assert used is not None
    assert (used.input_tokens, used.output_tokens, used.total_tokens) == (1200, 34, 1234)


def test_a_function_may_make_the_replies(lm: CuedEndpoint) -> None:
    def respond(request: LMRequest) -> Cue:
        return Cue(says=f"{len(request.messages)} messages")

    lm.replies(respond)

    assert [asked(lm).content, asked(lm, [*QUESTION, *OTHER]).content] == ["1 messages", "2 messages"]


@pytest.mark.parametrize("condition", ["when", "times", "always", "usage"])
def test_a_function_takes_no_condition(lm: CuedEndpoint, condition: str) -> None:
    values = {"when": ("1+1",), "times": (2,)}.get(condition, ())
    with pytest.raises(ValueError, match=f"it takes no {condition.replace('always', 'times')} of another reply's"):
        getattr(lm, condition)(*values).replies(lambda _: {"says": "5"})


def test_a_function_answers_what_is_left(lm: CuedEndpoint) -> None:
    lm.replies(lambda request: {"says": f"{len(request.messages)} messages"}).says("first")

    assert [asked(lm).content, asked(lm, [*QUESTION, *OTHER]).content] == ["first", "2 messages"]


def _raises(request: LMRequest) -> Cue:
    raise KeyError("city")


def _speaks(request: LMRequest) -> Any:
    return "5"


def _errs(request: LMRequest) -> Any:
    return {"say": "5"}


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (_raises, "the function '_raises' raised KeyError: 'city'"),
        (_speaks, "the function '_speaks' gave '5', not a reply such as {'says': 'It is 5.'}"),
        (_errs, "the function '_errs' gave {'say': '5'}, which is no reply: it has 'say', which is none of says, "),
    ],
)
def test_a_function_that_gives_no_reply_is_told_of(lm: CuedEndpoint, function: Any, why: str) -> None:
    lm.replies(function)

    with pytest.raises(openai.BadRequestError) as refused:
        asked(lm)
    assert why in str(refused.value.body)
    assert why in lm.complaints[0]


@pytest.mark.parametrize(
    ("first", "second", "what"),
    [
        ("5", QUESTION, "it is request 1 once more, which was answered: an agent that goes round in circles"),
        (429, QUESTION, "it is request 1 once more, which failed with rate-limit: a retry"),
        ("5", OTHER, "it is another request than request 1"),
    ],
)
def test_a_request_too_many_is_told_apart_from_a_retry(
    lm: CuedEndpoint, first: Any, second: list[Any], what: str
) -> None:
    if first == 429:
        with pytest.raises(openai.RateLimitError):
            asked(lm.fails(429))
    else:
        asked(lm.says(first))

    with pytest.raises(openai.BadRequestError, match=f"no reply is for request 2: none is left; {what}"):
        asked(lm, second)
    with pytest.raises(openai.BadRequestError, match="it is request 2 once more, which was refused too"):
        asked(lm, second)
    assert len(lm.complaints) == 2


def test_a_request_that_comes_again_later_is_known(lm: CuedEndpoint) -> None:
    lm.says("5").says("2")
    asked(lm)
    asked(lm, OTHER)

    with pytest.raises(openai.BadRequestError, match="it is request 1 once more, which was answered"):
        asked(lm)


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


@pytest.mark.parametrize(
    ("say", "wrong"),
    [
        (lambda lm: lm.says(5), "says is 5: it should be a valid string"),
        (
            lambda lm: lm.calls("add", {"a": 2}),
            r"calls\('add', …\) isn't how calls are written: say calls\('add', a=2\)",
        ),
        (
            lambda lm: lm.calls("add", a=object()),
            r"calls\[0\].args.a is <object object at .*: input was not a valid JSON",
        ),
        (lambda lm: lm.calls(("add", {"a": 2}), a=3), "isn't how calls are written"),
        (lambda lm: lm.garbles("add", {"a": 2}), "args is {'a': 2}: it should be a valid string"),
        (lambda lm: lm.usage(-1).says("5"), r"usage.prompt_tokens is -1: it should be greater than or equal to 0"),
        (lambda lm: lm.usage(1).fails(429), "a failure costs nothing: take `usage` away, or `fails`"),
        (lambda lm: lm.when(5).says("5"), "when is 5: it should be a valid string"),
    ],
)
def test_what_is_no_reply_is_refused_at_once(lm: CuedEndpoint, say: Callable[[Any], object], wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        say(lm)


def test_the_answer_closes_a_native_loop(lm: CuedEndpoint) -> None:
    lm.calls("add", a=2, b=3).answers(count=5)

    [call] = asked(lm, tools=TOOLS).tool_calls
    done = asked(
        lm,
        [
            *QUESTION,
            {"role": "assistant", "tool_calls": [call.model_dump()]},
            {"role": "tool", "tool_call_id": call.id, "content": "5"},
        ],
        tools=TOOLS,
    )
    assert (done.content, done.tool_calls) == ('{"count": 5}', None)


def test_a_reply_is_one_thing() -> None:
    with pytest.raises(ValueError, match=r"a reply has one of says, calls, .*; this has says and fails"):
        Cue(says="5", fails=429)
