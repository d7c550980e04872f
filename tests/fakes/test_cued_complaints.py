"""What the LM of agents' tests tells of: replies that are none, requests too many, and what was never asked for."""

import json
import math
from collections.abc import Callable, Iterator
from typing import Any

import openai
import pytest

from react_tck.fakes.server import CuedEndpoint, LaneServer
from react_tck.model.cue import Cue
from react_tck.model.lm import LMRequest
from tests.support.cued import OTHER, QUESTION, Sum, asked, sdk


@pytest.fixture(scope="module", name="server")
def _server() -> Iterator[LaneServer]:
    with LaneServer() as running:
        yield running


@pytest.fixture(name="lm")
def _lm(server: LaneServer) -> CuedEndpoint:
    return CuedEndpoint(server)


@pytest.mark.parametrize("times", [0, -1, 1.5, True, "often"])
def test_a_number_of_times_that_can_not_be_is_refused_at_once(lm: CuedEndpoint, times: Any) -> None:
    with pytest.raises(ValueError, match=f"times: a reply can't be given {times!r} times; it can 1, 2, 3 … times, or "):
        lm.times(times).says("5")


def test_a_condition_without_a_reply_is_told_of(lm: CuedEndpoint) -> None:
    lm.when("weather").always()

    assert lm.complaints == ("when, times of a reply that was never said",)


@pytest.mark.parametrize("condition", ["when", "times", "always", "usage"])
def test_a_function_takes_no_condition(lm: CuedEndpoint, condition: str) -> None:
    values = {"when": ("1+1",), "times": (2,)}.get(condition, ())
    with pytest.raises(ValueError, match=f"it takes no {condition.replace('always', 'times')} of another reply's"):
        getattr(lm, condition)(*values).replies(lambda _: {"says": "5"})


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


def test_replies_left_for_others_are_named(lm: CuedEndpoint) -> None:
    lm.when("weather").says("Sunny.").after("search").when("sun", role="tool").says("2").when(lambda _: False).says("3")
    left = "'weather', 'sun' role='tool' after='search', what a function looks for, and this asks model 'm'"

    with pytest.raises(openai.BadRequestError, match=f"those left are for requests with {left}; it is the first"):
        asked(lm)
    assert lm.complaints[1] == 'never asked for: reply {"says":"Sunny.","when":"weather"}'


def test_a_condition_that_raises_is_told_of(lm: CuedEndpoint) -> None:
    lm.when(_raises).says("5")
    with pytest.raises(openai.BadRequestError, match="the function '_raises' raised KeyError: 'city'"):
        asked(lm)


def test_an_answer_that_does_not_fit_the_schema_is_refused(lm: CuedEndpoint) -> None:
    lm.answers(counts=42, note="x")

    with pytest.raises(openai.BadRequestError, match=r"demands \(count, note\): 'count' is missing, there is no 'coun"):
        sdk(lm).chat.completions.parse(model="m", messages=QUESTION, response_format=Sum)


SUM = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a"]}
REPORT = {"type": "object", "properties": {"city": {"type": "string"}, "degrees": {"type": "integer"}}}


def _offers(**parameters: Any) -> list[Any]:
    return [{"type": "function", "function": {"name": name, "parameters": each}} for name, each in parameters.items()]


@pytest.mark.parametrize(
    ("args", "parameters", "wrong"),
    [
        ({"a": "two", "zzz": 3}, SUM, "there is no 'zzz', at $.a, 'two' is not of type 'integer'"),
        ({"b": 3}, SUM, "'a' is missing"),
        ({"a": 2, "zzz": 3}, {**SUM, "additionalProperties": False}, "there is no 'zzz'"),
        ({"a": 2, "b": 3}, SUM, None),
        ({"a": math.nan}, {}, None),
        ({"a": 2, "zzz": 3}, {**SUM, "additionalProperties": True}, None),
        ({"a": 2, "zzz": 3}, {**SUM, "allOf": [{"properties": {"zzz": {}}}]}, None),
        ({"a": 2}, {"type": "object", "properties": {"a": {"$ref": "https://nowhere.invalid/a"}}}, None),
        ({"a": 2}, {}, None),
    ],
)
def test_args_are_held_against_what_is_offered(
    server: LaneServer, lm: CuedEndpoint, args: Any, parameters: Any, wrong: str | None
) -> None:
    lax = CuedEndpoint(server, checks=False).calls("add", **args)
    lm.calls("add", **args).on_purpose().calls("add", **args)

    for each in (lm, lm, lax):
        assert asked(each, tools=_offers(add=parameters)).tool_calls
    assert lax.complaints == ()
    told = f"request 1: the reply calls 'add' with {json.dumps(args)}: {wrong}; where that is meant, the reply says so"
    assert lm.complaints == ((f"{told}: on_purpose",) if wrong else ())


@pytest.mark.parametrize(
    ("values", "tools", "why"),
    [
        (
            {"city": "Rome", "temp": 31},
            _offers(add=SUM, final_result=REPORT),
            "a call, and none of the tools offered (add, final_result) takes exactly city, temp: "
            """write calls("final_result", city="Rome", temp=31) with what it takes""",
        ),
        (
            {"city": "Rome"},
            _offers(search=REPORT, final_result=REPORT),
            "a call, and several of the tools offered (search, final_result) take city: "
            """write calls("search", city="Rome"), or another's name""",
        ),
        ({"city": "Rome"}, [], "that a tool is called, and the reply calls none"),
    ],
)
def test_an_answer_that_no_tool_takes_says_what_to_write(lm: CuedEndpoint, values: Any, tools: Any, why: str) -> None:
    lm.answers(**values)

    with pytest.raises(openai.BadRequestError):
        asked(lm, tools=tools, tool_choice="required")
    assert lm.complaints[0] == f"request 1 was refused: the request demands {why}"


def test_a_word_that_is_none_says_which_is_meant(lm: Any) -> None:
    with pytest.raises(AttributeError, match=r"an LM has no 'say'; is lm\.says meant\?"):
        lm.say("5")


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
        (lambda lm: lm.when(matches="(").says("5"), r"when.matches is '\(': it should be a valid regular expression"),
        (lambda lm: lm.when(5).says("5"), "when.text is 5: it should be a valid string"),
    ],
)
def test_what_is_no_reply_is_refused_at_once(lm: CuedEndpoint, say: Callable[[Any], object], wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        say(lm)
