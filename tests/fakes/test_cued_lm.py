"""The LM of agents' tests: what it says to whatever the official SDKs ask."""

from collections.abc import Iterator
from typing import Any

import pytest
from openai import OpenAI

from react_tck.fakes.server import CuedEndpoint, LaneServer
from react_tck.model.cue import Cue, CueSheet
from react_tck.model.lm import LMRequest
from tests.support.cued import OTHER, QUESTION, Sum, asked, sdk

TOOLS: list[Any] = [
    {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}} for name in ("add", "search")
]


@pytest.fixture(scope="module", name="server")
def _server() -> Iterator[LaneServer]:
    with LaneServer() as running:
        yield running


@pytest.fixture(name="lm")
def _lm(server: LaneServer) -> CuedEndpoint:
    return CuedEndpoint(server)


def test_garbled_args_arrive_as_they_are(lm: CuedEndpoint) -> None:
    lm.garbles("add", '{"a": 2')

    assert asked(lm, tools=TOOLS).tool_calls[0].function.arguments == '{"a": 2'


def test_a_failure_is_retried_by_the_sdk_and_then_comes_what_is_next(lm: CuedEndpoint) -> None:
    lm.fails(429).fails("server-error").says("5")

    reply = sdk(lm, retries=2).chat.completions.create(model="m", messages=QUESTION)
    assert reply.choices[0].message.content == "5"
    assert len(lm.requests) == 3


def test_a_reply_may_be_given_until_a_text_is_shown(lm: CuedEndpoint) -> None:
    lm.until("1+1").says("Ask for 1+1.").says("2")

    assert [asked(lm, each).content for each in (QUESTION, OTHER, QUESTION)] == ["Ask for 1+1.", "2", "Ask for 1+1."]
    assert lm.complaints == ()


_CALL = {"id": "call_1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
_FOUND: list[Any] = [
    {"role": "developer", "content": "You plan."},
    *QUESTION,
    {"role": "assistant", "tool_calls": [_CALL]},
    {"role": "tool", "tool_call_id": "call_1", "content": "31 degrees"},
]


@pytest.mark.parametrize(
    ("condition", "is_met"),
    [
        ({"text": "2+3"}, True),
        ({"text": "1+1"}, False),
        ({"model": "m"}, True),
        ({"model": "m2"}, False),
        ({"tool": "add"}, True),
        ({"tool": "subtract"}, False),
        ({"turn": 2}, True),
        ({"turn": 1}, False),
        ({"after": "search"}, True),
        ({"after": "add"}, False),
        ({"matches": r"\d+ degrees"}, True),
        ({"matches": "^degrees"}, False),
        ({"text": "plan", "role": "system"}, True),
        ({"text": "plan", "role": "user"}, False),
        ({"text": "31", "role": "tool", "turn": 2}, True),
        ({"text": "31", "role": "tool", "turn": 3}, False),
    ],
)
def test_a_reply_may_be_for_what_is_asked(server: LaneServer, condition: Any, is_met: bool) -> None:
    text = [condition["text"]] if "text" in condition else []
    written = CuedEndpoint(server, CueSheet.model_validate({"replies": [{"says": "5", "when": condition}]}).replies)
    said = CuedEndpoint(server).when(*text, **{key: each for key, each in condition.items() if key != "text"}).says("5")

    for lm in (written, said):
        assert asked(lm.says("other"), _FOUND, tools=TOOLS).content == ("5" if is_met else "other")


def test_a_reply_may_be_for_what_a_function_wants(lm: CuedEndpoint) -> None:
    lm.says("5").when(lambda request: len(request.messages) == 4).times(2).says("31").after("search").says("32")

    assert [asked(lm, each).content for each in (_FOUND, _FOUND, _FOUND, QUESTION)] == ["31", "31", "32", "5"]
    assert "never asked for" not in str(lm.complaints)


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


def test_a_function_may_make_the_replies(lm: CuedEndpoint) -> None:
    def respond(request: LMRequest) -> Cue:
        return Cue(says=f"{len(request.messages)} messages")

    lm.replies(respond)

    assert [asked(lm).content, asked(lm, [*QUESTION, *OTHER]).content] == ["1 messages", "2 messages"]


def test_an_answer_is_structured_output(lm: CuedEndpoint) -> None:
    lm.answers(count=42, note="all of it")

    reply = sdk(lm).chat.completions.parse(model="m", messages=QUESTION, response_format=Sum)
    assert reply.choices[0].message.parsed == Sum(count=42, note="all of it")


def test_an_answer_is_the_call_that_is_demanded(lm: CuedEndpoint) -> None:
    lm.answers(count=42).answers(count=43)

    choice = {"type": "function", "function": {"name": "search"}}
    [call] = asked(lm, tools=TOOLS, tool_choice=choice).tool_calls
    assert (call.function.name, call.function.arguments) == ("search", '{"count": 42}')
    [call] = asked(lm, tools=TOOLS[:1], tool_choice="required").tool_calls
    assert (call.function.name, call.function.arguments) == ("add", '{"count": 43}')


def test_an_answer_is_given_in_the_fields_that_are_asked_for(lm: CuedEndpoint) -> None:
    dspy = pytest.importorskip("dspy")
    lm.answers(answer="5")

    model = dspy.LM("openai/m", api_base=lm.base_url, api_key=lm.api_key, cache=False)
    with dspy.context(lm=model):
        assert dspy.Predict("question -> answer")(question="2+3?").answer == "5"


def test_the_environment_is_enough_for_a_client(lm: CuedEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    lm.says("5")
    for name, value in lm.environment.items():
        monkeypatch.setenv(name, value)

    assert OpenAI().chat.completions.create(model="m", messages=QUESTION).choices[0].message.content == "5"


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
