"""A text in a place of its own, held against the value that it is to tell."""

from typing import Any

import pytest

from react_tck.record.readings import holds_value, strip_mark


@pytest.mark.parametrize("written", ["null", "None", "nil", "undefined", "<nil>", " None\n"])
def test_null_is_spelled_in_many_ways(written: str) -> None:
    assert holds_value(written, None)
    assert not holds_value(written, "")
    assert not holds_value(written, 0)


@pytest.mark.parametrize(
    ("told", "value"),
    [
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
    ],
)
def test_a_text_that_tells_the_value(told: str, value: Any) -> None:
    assert holds_value(told, value)


@pytest.mark.parametrize(
    ("told", "value"),
    [
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
    ],
)
def test_what_tells_another_value(told: Any, value: Any) -> None:
    assert not holds_value(told, value)


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ("five", []),
        (5, []),
        ("[add(a=2, b=3)] five", ["five"]),
        ("[add(a=2, b=3)]", [""]),
        ("[add(a='x)] y')] five\n)] six", ["y')] five\n)] six", "five\n)] six"]),
        ("[search(a=2)] five", []),
        ("[(1, 2)] five", []),
    ],
)
def test_what_is_left_behind_a_mark_of_the_call(told: Any, left: list[str]) -> None:
    assert [*strip_mark(told, "add")] == [told, *left]
    assert [*strip_mark(told, None)] == [told]
