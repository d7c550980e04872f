"""Equality of values as JSON has them, and the one text of each."""

from math import inf
from typing import Any

import pytest

from react_tck.record.values import is_same_value, write_canonical


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (2, 2.0),
        ({"a": 1, "b": [None]}, {"b": [None], "a": 1.0}),
        (2**53 + 1, 2**53),
        (10**400, 10**400),
        (inf, inf),
        ("", ""),
    ],
)
def test_equal(one: Any, other: Any) -> None:
    assert is_same_value(one, other)
    assert is_same_value(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (0, False),
        (None, 0),
        ("2", 2),
        ("", None),
        ([], {}),
        ({"a": None}, {}),
        (2**53 - 1, 2**53),
        (inf, 2**53),
    ],
)
def test_different(one: Any, other: Any) -> None:
    assert not is_same_value(one, other)
    assert not is_same_value(other, one)


def test_canonical() -> None:
    assert write_canonical({"b": 2.0, "a": [True, 1, "é"]}) == '{"a": [true, 1, "é"], "b": 2}'
    assert write_canonical({"a": 1}) != write_canonical({"a": True})
