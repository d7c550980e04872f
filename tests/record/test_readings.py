"""A text in a place of its own, held against the value that it is to tell."""

from typing import Any

import pytest

from react_tck.record.reactions import holds_value, strip_mark


def test_null_is_spelled_in_many_ways(subtests: pytest.Subtests) -> None:
    for written in ["null", "None", "nil", "undefined", "<nil>", " None\n"]:
        with subtests.test(written=written):
            assert holds_value(written, None)
            assert not holds_value(written, "")
            assert not holds_value(written, 0)


def test_a_text_that_tells_the_value(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, Any]] = [
        ("-2", -2),
        ("-2.0", -2),
        ("7.0", 7),
        ("7", 7.0),
        ("1e3", 1000),
        ("false", False),
        ("False", False),
        ("[]", []),
        ("{'a': [None, True]}", {"a": [None, True]}),
        ('{"a": [null, true]}', {"a": [None, True]}),
        ('"a  b"', "a  b"),
        ("a  b", "a  b"),
    ]
    for told, value in cases:
        with subtests.test(told=told, value=value):
            assert holds_value(told, value)


def test_what_tells_another_value(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Any, Any]] = [
        ("", 0),
        ("", False),
        ("", []),
        ("0", False),
        ("0", "0 "),
        (5, "5"),
        ("a b", "a  b"),
        ("15", 5),
        ("5 (cached)", 5),
        ("NaN", 0),
        ({"a": "1"}, {"a": 1}),
        (None, ""),
    ]
    for told, value in cases:
        with subtests.test(told=told, value=value):
            assert not holds_value(told, value)


def test_what_is_left_behind_a_mark_of_the_call(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Any, list[str]]] = [
        ("five", []),
        (5, []),
        ("[add(a=2, b=3)] five", ["five"]),
        ("[add(a=2, b=3)]", [""]),
        ("[add(a='x)] y')] five\n)] six", ["y')] five\n)] six", "five\n)] six"]),
        ("[search(a=2)] five", []),
        ("[(1, 2)] five", []),
    ]
    for told, left in cases:
        with subtests.test(told=told, left=left):
            assert [*strip_mark(told, "add")] == [told, *left]
            assert [*strip_mark(told, None)] == [told]
