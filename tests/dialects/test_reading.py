"""A request is read once, and what it was read as answers every question about it."""

import pytest

from react_tck.dialects.reading import RequestReader, RequestReading, takes_submit
from react_tck.model.lm import Ask, LMRequest, Message, ToolOffer
from react_tck.model.record import Asked
from tests.support.texts import request_for

STEP = ("next_thought", "next_tool_name", "next_tool_args")
SMALL_TALK = LMRequest(messages=(Message(role="user", content="How are you?"),))


def native(*tools: str, choice: str | None = None) -> LMRequest:
    offers = tuple(ToolOffer(name=name, parameters={"properties": {"reply": {}}}) for name in tools)
    return LMRequest(messages=SMALL_TALK.messages, tools=offers, tool_choice=choice)


def read(request: LMRequest, *dialects: str, answer_tool: str | None = None) -> RequestReading:
    reading = RequestReader(dialects, has_extraction=False, answer_tool=answer_tool).read(request)
    assert reading
    return reading


def test_an_answer_may_be_given_instead_of_a_step(subtests: pytest.Subtests) -> None:
    cases: list[tuple[LMRequest, str | None, tuple[str, ...], str | None]] = [
        (native("add"), None, STEP, None),
        (native("add", "submit"), None, STEP, None),
        (native("add", "give"), "give", ("reply",), "give"),
    ]
    for request_, answer_tool, fields, named in cases:
        with subtests.test(request_=request_, answer_tool=answer_tool, fields=fields, named=named):
            answer = read(request_, "native", answer_tool=answer_tool).answer_ask

            assert answer == Ask(phase="step", dialect="native", fields=fields, answer_tool=named)


def test_submit_is_taken_by_a_tool_or_a_field(subtests: pytest.Subtests) -> None:
    cases: list[tuple[LMRequest, bool]] = [
        (native("add"), False),
        (native("add", "submit"), True),
        (request_for("next_thought", "tool_calls"), True),
    ]
    for request_, expected in cases:
        with subtests.test(request_=request_, expected=expected):
            reading = read(request_, "native", "json")

            assert reading.takes_submit is expected
            assert takes_submit(Asked(invocation=0, request=request_, ask=reading.ask)) is expected
