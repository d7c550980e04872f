"""How the LM of agents' tests says what it says: text beside calls, refusals, filters, a pace; and what it won't do."""

import json
import time
from collections.abc import Iterator
from typing import Any

import openai
import pytest

from react_tck.fakes.server import CuedEndpoint, LaneServer
from react_tck.model.lm import LMRequest
from tests.support.cued import QUESTION, asked, sdk

PARAMETERS = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}
TOOLS: list[Any] = [{"type": "function", "function": {"name": "add", "parameters": PARAMETERS}}]


@pytest.fixture(scope="module", name="server")
def _server() -> Iterator[LaneServer]:
    with LaneServer() as running:
        yield running


@pytest.fixture(name="lm")
def _lm(server: LaneServer) -> CuedEndpoint:
    return CuedEndpoint(server)


def streamed(lm: CuedEndpoint, **options: Any) -> Any:
    """The choice that the official client puts together of a stream."""
    with sdk(lm).chat.completions.stream(model="m", messages=QUESTION, **options) as stream:
        return stream.get_final_completion().choices[0]


@pytest.mark.parametrize("stream", [False, True])
def test_a_text_and_calls_are_one_reply(lm: CuedEndpoint, stream: bool) -> None:
    lm.says("Let me add.", calls=[("add", {"a": 2, "b": 3}), ("add", {"a": 4, "b": 5})])

    said = streamed(lm, tools=TOOLS).message if stream else asked(lm, tools=TOOLS)
    assert said.content == "Let me add."
    assert [json.loads(call.function.arguments) for call in said.tool_calls] == [{"a": 2, "b": 3}, {"a": 4, "b": 5}]
    assert (lm.complaints, len(lm.requests)) == ((), 1)


def test_chained_replies_are_two(lm: CuedEndpoint) -> None:
    lm.says("Let me add.").calls("add", a=2, b=3)

    first, second = asked(lm, tools=TOOLS), asked(lm, tools=TOOLS)
    assert (first.content, first.tool_calls) == ("Let me add.", None)
    assert (second.content, len(second.tool_calls)) == (None, 1)


def test_a_text_beside_a_call_is_its_thought_where_steps_are_written_as_text(lm: CuedEndpoint) -> None:
    lm.says("Let me add.", calls=[("add", {"a": 2, "b": 3})])
    form = "Use this format:\n\nThought: what to do\nAction: the tool\nAction Input: its input\nObservation: its result"

    said = asked(lm, [{"role": "system", "content": form}, *QUESTION]).content
    assert "Thought: Let me add.\nAction: add\n" in said


@pytest.mark.parametrize("calls", [["add"], [("add",)], [{"tool": "add"}], "add"])
def test_calls_that_are_no_pairs_are_refused_at_once(lm: CuedEndpoint, calls: Any) -> None:
    with pytest.raises(ValueError, match=r"calls=.* isn't how calls are written: say calls\('add', a=2\)"):
        lm.says("Let me add.", calls=calls)


@pytest.mark.parametrize("stream", [False, True])
def test_a_refusal_is_none_of_the_content(lm: CuedEndpoint, stream: bool) -> None:
    lm.refuses("I can't help with that.")

    said = streamed(lm).message if stream else asked(lm)
    assert (said.content or None, said.refusal) == (None, "I can't help with that.")


@pytest.mark.parametrize("stream", [False, True])
def test_what_is_filtered_ends_for_that_reason(lm: CuedEndpoint, stream: bool) -> None:
    lm.filters("First, take")

    if stream:
        chunks = list(sdk(lm).chat.completions.create(model="m", messages=QUESTION, stream=True))
        text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
        found = text, chunks[-1].choices[0].finish_reason
    else:
        choice = sdk(lm).chat.completions.create(model="m", messages=QUESTION).choices[0]
        found = choice.message.content or "", choice.finish_reason
    assert found == ("First, take", "content_filter")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"n": 2}, "`n` isn't supported here, but for 1; a request is given one reply"),
        ({"logprobs": True}, "`logprobs` isn't supported here; a scripted LM has no probabilities"),
    ],
)
def test_what_is_not_given_is_refused_with_a_sentence(lm: CuedEndpoint, options: Any, why: str) -> None:
    lm.always().says("5")

    with pytest.raises(openai.BadRequestError, match=why):
        asked(lm, **options)
    assert [why in complaint for complaint in lm.complaints] == [True]


def test_a_call_of_what_is_not_offered_is_told_of(lm: CuedEndpoint) -> None:
    lm.calls("ad", a=2).garbles("ad", "{").says("Let me add.", calls=[("add", {"a": 2}), ("ad", {})])

    for _ in range(3):
        assert asked(lm, tools=TOOLS).tool_calls
    wrong = "the reply calls 'ad', which isn't among the tools offered (add); where that is meant, the reply says so"
    assert lm.complaints == tuple(f"request {number}: {wrong}: on_purpose" for number in (1, 2, 3))


def test_a_call_of_what_is_not_offered_may_be_meant(lm: CuedEndpoint) -> None:
    lm.on_purpose().calls("launch_rockets", at="noon").replies(
        lambda _: {"calls": [{"tool": "launch_rockets"}], "on_purpose": True}
    )

    for _ in range(2):
        assert asked(lm, tools=TOOLS).tool_calls[0].function.name == "launch_rockets"
    assert lm.complaints == ()


def _find_city(request: LMRequest) -> Any:
    places = {"Rome": 31}
    return {"says": str(places["Paris"])}


def _reply(request: LMRequest) -> Any:
    return _find_city(request)


def test_a_function_that_raises_is_shown_to_its_line(lm: CuedEndpoint) -> None:
    lm.replies(_reply)

    with pytest.raises(openai.BadRequestError) as refused:
        asked(lm)
    assert "Traceback" not in str(refused.value)
    [complaint] = lm.complaints
    first, *shown = complaint.splitlines()
    assert first == "request 1 was refused: the function '_reply' raised KeyError: 'Paris'"
    assert (shown[0], shown[-1]) == ("Traceback (most recent call last):", "KeyError: 'Paris'")
    assert [line.strip() for line in shown if "return" in line] == [
        "return _find_city(request)",
        'return {"says": str(places["Paris"])}',
    ]
    assert "cued_lm.py" not in complaint


def test_a_stream_comes_at_the_pace_that_is_set(lm: CuedEndpoint) -> None:
    lm.says("5").slowly(tokens_per_second=5).says("It is five, and it was.")  # six tokens
    client = sdk(lm)
    client.chat.completions.create(model="m", messages=QUESTION)  # what is slow at the first request only

    begun = time.monotonic()
    stream = client.chat.completions.create(model="m", messages=QUESTION, stream=True)
    came = [(time.monotonic() - begun, chunk.choices[0].delta.content) for chunk in stream]
    pieces = [(at, text) for at, text in came if text]
    assert [text for _, text in pieces] == ["It i", "s fi", "ve, ", "and ", "it w", "as."]
    # One may be late on a busy machine; none is early, and what comes late doesn't hurry the next.
    assert all(at >= 0.2 * number for number, (at, _) in enumerate(pieces, start=1))


def test_others_are_answered_while_one_reply_is_slow(server: LaneServer) -> None:
    slow, quick = CuedEndpoint(server).slowly(tokens_per_second=0.01).says("5"), CuedEndpoint(server).says("5")

    with sdk(slow).chat.completions.create(model="m", messages=QUESTION, stream=True):
        begun = time.monotonic()
        assert asked(quick).content == "5"
        assert time.monotonic() - begun < 90  # the slow one's first event comes after 100 s


@pytest.mark.parametrize("pace", [0, -1, "fast"])
def test_a_pace_that_can_not_be_is_refused_at_once(lm: CuedEndpoint, pace: Any) -> None:
    with pytest.raises(ValueError, match="tokens_per_second is "):
        lm.slowly(tokens_per_second=pace).says("5")


def test_the_headers_of_each_request_can_be_read(lm: CuedEndpoint) -> None:
    lm.says("5").says("5")

    asked(lm, extra_headers={"X-Request-Id": "17", "X-Gateway-Api-Key": "mine and nobody else's"})
    openai.OpenAI(base_url=lm.base_url, api_key="sk-a-real-one").chat.completions.create(model="m", messages=QUESTION)
    assert len(lm.headers) == len(lm.bodies) == 2
    assert lm.headers[0]["x-request-id"] == "17"
    assert lm.headers[0]["authorization"] == f"Bearer {lm.api_key}"
    assert lm.headers[0]["x-gateway-api-key"] == lm.headers[1]["authorization"] == "***"
    assert "sk-a-real-one" not in repr(lm.headers)
