"""Where the observations of a prompt stand, and whether one stands there as it is."""

import json
from itertools import product
from typing import Any

import pytest

from react_tck.model.lm import LMRequest, Message
from react_tck.record.places import find_headed_places, find_new_observations, find_places

HEADINGS = "[[ ## thought_0 ## ]]\nthink\n\n[[ ## observation_0 ## ]]\n{}\n\n{}"
RESPOND = "Respond with the field `[[ ## next_thought ## ]]`."
NEXT = "[[ ## thought_1 ## ]]\nthink"


def test_under_a_heading(subtests: pytest.Subtests) -> None:
    cases_1: list[tuple[str, Any]] = [
        ("", ""),
        ("0", 0),
        ("False", False),
        ("[]", []),
        ("a  b\n\n c", "a  b\n\n c"),
        ('{"a": 1}', {"a": 1}),
    ]
    for after, (written, value) in product([RESPOND, NEXT, "", "</trajectory>\n\nGo on."], cases_1):
        with subtests.test(after=after, written=written, value=value):
            (place,) = find_places(HEADINGS.replace("{}", written, 1).replace("{}", after, 1), "observation")
            assert place.has_value(value)
            assert not place.has_value("nothing")
            assert not place.has_value(7)


def test_another_value_under_a_heading(subtests: pytest.Subtests) -> None:
    cases: list[Any] = [("None", ""), ("", 0), ("(none)", []), ("a b", "a  b"), ("15", 5), ("5 (c)", "5"), ("", False)]
    for written, value in cases:
        with subtests.test(written=written, value=value):
            (place,) = find_places(HEADINGS.replace("{}", written, 1).replace("{}", RESPOND, 1), "observation")
            assert not place.has_value(value)


def test_other_marks(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, Any]] = [
        ("<observation_0>\n0\n</observation_0>", 0),
        ("<observation_0>\n\n</observation_0>", ""),
        ("<observation>a &lt; b</observation>", "a < b"),
        ("<observation>{}</observation>".replace("{}", json.dumps(["a </b>"] * 9)), ["a </b>"] * 9),
        ('{"thought_0": "x", "observation_0": []}', []),
        ('{"observation": "a  b", "args": {}}', "a  b"),
    ]
    for text, value in cases:
        with subtests.test(text=text, value=value):
            (place,) = find_places(text, "observation")
            assert place.has_value(value)
            assert not place.has_value("other")


def test_behind_a_mark_of_the_call(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, Any]] = [("", ""), ("0", 0), ("[]", []), ("a  b\n\n c", "a  b\n\n c")]
    for written, value in cases:
        with subtests.test(written=written, value=value):
            marked = f"[search(query='hills')] {written}"
            (place,) = find_places(f"[[ ## tool_result ## ]]\n{marked}\n\n{RESPOND}", "observation")
            assert place.has_value(value, "search")
            assert not place.has_value(value, "add")
            assert not place.has_value(7, "search")
            assert not place.has_value("nothing", "search")


def test_a_text_without_marks_has_no_places() -> None:
    assert find_places("Observation 0: nothing; result: 5", "observation") == []


def _request(*messages: tuple[Any, str]) -> LMRequest:
    return LMRequest(messages=tuple(Message(role=role, content=content) for role, content in messages))


def test_the_places_that_are_new() -> None:
    before = _request(("system", '{"observation": 1}'), ("tool", "0"))
    after = _request(("system", '{"observation": 1}'), ("tool", "0"), ("tool", ""))
    assert [place.has_value("") for place in find_new_observations(before, after)] == [True]
    assert [place.has_value(0) for place in find_new_observations(None, before)] == [True]


def test_a_list_in_a_notation_of_the_subject_s_own_has_all_its_items() -> None:
    (place,) = find_places("[[ ## observation_0 ## ]]\n[1] «a»\n[2] «b»\n\nGo on.", "observation")
    assert place.tells_value(["a", "b"])
    assert not place.has_value(["a", "b"])
    assert not place.tells_value(["a", "c"])
    assert not place.tells_value([])


def test_a_tool_s_message_may_have_words_of_its_own() -> None:
    (place,) = find_new_observations(None, _request(("tool", 'It returned: "a  b"')))
    assert place.tells_value("a  b")
    assert not place.tells_value("a b")
    assert not place.tells_value(0)


def test_an_empty_text_under_the_heading_of_a_field(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, bool]] = [
        ("[[ ## given ## ]]\n\n\n[[ ## question ## ]]\n2+3?", True),
        ("[[ ## given ## ]]\n\n\nRespond with the fields.", True),
        ("[[ ## given ## ]]", True),
        ("[[ ## given ## ]]\nN/A\n\n[[ ## question ## ]]\n2+3?", False),
    ]
    for text, is_empty in cases:
        with subtests.test(text=text, is_empty=is_empty):
            messages = (
                Message(role="system", content="[[ ## given ## ]]\n{given}"),
                Message(role="user", content=text),
            )
            assert [
                place.has_value("") for place in find_headed_places(LMRequest(messages=messages), "user", "given")
            ] == [is_empty]
