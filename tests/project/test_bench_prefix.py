"""How much of a request a prompt cache has already: the bytes with which the request before it began."""

import pytest

from benchmarks.prefix import Reuse, prompt, reuses, together
from react_tck.model.lm import LMRequest, Message, ToolCall, ToolOffer

SYSTEM = Message(role="system", content="You are an agent.")
FIRST = Message(role="user", content="2+3?")


def _request(*messages: Message) -> LMRequest:
    return LMRequest(messages=messages)


def test_request_that_extends_the_one_before_repeats_all_of_it() -> None:
    before, after = _request(SYSTEM, FIRST), _request(SYSTEM, FIRST, Message(role="assistant", content="5"))
    (reuse,) = reuses([before, after])
    assert reuse.repeated == len(prompt(before))
    assert reuse.fresh == len(prompt(after)) - len(prompt(before))


def test_change_in_an_early_message_ends_the_repetition_there() -> None:
    changed = Message(role="user", content="2+4?")
    (reuse,) = reuses([_request(SYSTEM, FIRST), _request(SYSTEM, changed)])
    assert reuse.repeated == len(prompt(_request(SYSTEM, FIRST))) - len("3?")


def test_other_tools_leave_nothing_to_repeat() -> None:
    offers = [(ToolOffer(name=name),) for name in ("add", "search")]
    requests = [LMRequest(messages=(SYSTEM,), tools=tools) for tools in offers]
    assert reuses(requests)[0].share < 0.1


def test_native_calls_are_part_of_the_prompt() -> None:
    calls = [Message(role="assistant", tool_calls=(ToolCall(id="c", name="add", arguments=a),)) for a in ("{}", "[]")]
    (reuse,) = reuses([_request(SYSTEM, calls[0]), _request(SYSTEM, calls[1])])
    assert reuse.fresh == 2


def test_bytes_are_counted_and_not_characters() -> None:
    assert together(reuses([_request(), _request(Message(role="user", content="é"))])).total == len("<user >\né") + 1


@pytest.mark.parametrize("requests", [[], [_request(SYSTEM)]])
def test_first_request_has_none_before_it(requests: list[LMRequest]) -> None:
    assert reuses(requests) == []


def test_several_requests_are_taken_as_one() -> None:
    assert together([Reuse(1, 2), Reuse(2, 2)]).share == 0.75


def test_nothing_is_no_share() -> None:
    assert together([]).share == 0
