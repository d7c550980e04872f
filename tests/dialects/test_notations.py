"""What can be read with certainty in args, and what would be a guess (ERR-002, ERR-003)."""

import pytest

from react_tck.dialects.notations import parse_certain_args, read_both_values

SUM = {"a": 2, "b": 3}


def test_one_certain_value_is_read_in_whatever_notation(subtests: pytest.Subtests) -> None:
    for text in [
        '{"a": 2, "b": 3}',
        '"{\\"a\\": 2, \\"b\\": 3}"',
        "{'a': 2, 'b': 3}",
        '{"a": 2, "b": 3,}',
        "{a: 2, b: 3}",
        '{"a": 2, "b": 3} // the sum',
        '```json {"a": 2, "b": 3} ```',
        '```\n{"a": 2, "b": 3}\n```',
        '{"a": 2, "b": 0x3}',
    ]:
        with subtests.test(text=text):
            assert parse_certain_args(text) == SUM


def test_what_is_cut_off_contradictory_or_prose_is_not_read(subtests: pytest.Subtests) -> None:
    for text in [
        '{"a": 2 "b": 3}',
        '{"a": 2, "b": 3',
        "{'a': 2, 'b': 3",
        '"a": 2, "b": 3',
        '{"a": 2, "b": 3}}',
        '{"a": 2, "b": NaN}',
        "{a: 2, a: 3}",  # there are two values, and which of them counts is a choice
        "{,}",
        "{'a'}",
        "a=2, b=3",
        "add(2, 3)",
        "two and three",
        "[2, 3]",
        "{" * 100_000,
    ]:
        with subtests.test(text=text):
            assert parse_certain_args(text) is None


def test_a_key_that_stands_twice_has_two_readings() -> None:
    assert read_both_values('{"a": 1, "a": 2, "b": 3}') == ({"a": 1, "b": 3}, {"a": 2, "b": 3})
    assert read_both_values('{"a": 1, "a": 1}') is None
    assert read_both_values("{a: 1, 'a': 2, \"b\": 3}") == ({"a": 1, "b": 3}, {"a": 2, "b": 3})
    assert read_both_values("[1]") is None
    assert read_both_values("{a: 1, a: 2, b: NaN}") is None
    assert read_both_values("{a: 1, a: 2") is None
