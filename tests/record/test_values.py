"""Equality of values as JSON has them, and the one text of each."""

from math import inf
from typing import Any

import pytest

from react_tck.record.values import is_same_value, write_canonical


def test_equal(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Any, Any]] = [
        (2, 2.0),
        ({"a": 1, "b": [None]}, {"b": [None], "a": 1.0}),
        (2**53 + 1, 2**53),
        (10**400, 10**400),
        (inf, inf),
        ("", ""),
    ]
    for one, other in cases:
        with subtests.test(one=one, other=other):
            assert is_same_value(one, other)
            assert is_same_value(other, one)


def test_different(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Any, Any]] = [
        (1, True),
        (0, False),
        (None, 0),
        ("2", 2),
        ("", None),
        ([], {}),
        ({"a": None}, {}),
        (2**53 - 1, 2**53),
        (inf, 2**53),
    ]
    for one, other in cases:
        with subtests.test(one=one, other=other):
            assert not is_same_value(one, other)
            assert not is_same_value(other, one)


def test_canonical() -> None:
    assert write_canonical({"b": 2.0, "a": [True, 1, "é"]}) == '{"a": [true, 1, "é"], "b": 2}'
    assert write_canonical({"a": 1}) != write_canonical({"a": True})
