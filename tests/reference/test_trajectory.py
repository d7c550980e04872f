"""The trajectory: numbered keys for the caller, the same as text for the LM, and observations of their own."""

import math
from datetime import date
from typing import Any

import pytest
from pydantic import BaseModel

from react_tck.reference.loop.views.trajectory import in_format, observe_result


class Place(BaseModel):
    """Where something is."""

    street: str
    since: date


def test_whatever_a_tool_returns_becomes_a_json_value(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Any, Any]] = [
        (None, None),
        (True, True),
        (0, 0),
        (1.5, 1.5),
        ("", ""),
        ([1, (2, "a")], [1, [2, "a"]]),
        ({1: {"a": None}}, {"1": {"a": None}}),
        (math.nan, "nan"),
        (-math.inf, "-inf"),
        ({"deep": [math.inf]}, {"deep": ["inf"]}),
        (b"caf\xc3\xa9", "café"),
        (b"\x00\xff", "\x00\\xff"),
        ({1}, "{1}"),
        (date(2026, 1, 2), "2026-01-02"),
        (Place(street="Rigistrasse", since=date(2026, 1, 2)), {"street": "Rigistrasse", "since": "2026-01-02"}),
    ]
    for result, seen in cases:
        with subtests.test(result=result, seen=seen):
            value = observe_result(result)
            assert value == seen
            assert type(value) is type(seen)


def test_the_callers_trajectory_is_the_text_of_a_prompt_where_that_is_wanted() -> None:
    told = in_format({"thought_0": "add", "observation_0": {"sum": 5}}, "text")

    assert told == '[[ ## thought_0 ## ]]\nadd\n\n[[ ## observation_0 ## ]]\n{"sum": 5}'
