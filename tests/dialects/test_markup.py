"""What no encoding can carry is known, and JSON that has it escaped can be read all the same (ERR-017)."""

import json

import pytest

from react_tck.dialects.markup import is_encodable, replace_half_pairs


@pytest.mark.parametrize("value", ["half \ud83d", "\udc00", "nul \0", {"\ud800": 1}, ["a", {"b": "\udfff"}]])
def test_halves_of_pairs_and_nul_have_no_encoding(value: object) -> None:
    assert not is_encodable(value)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", ["", "🙂 é \u2028", None, 7, {"a": ["b"]}])
def test_everything_else_has_one(value: object) -> None:
    assert is_encodable(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (rb'"half \ud83d here"', "half \ufffd here"),
        (rb'"\udc00\ud83d"', "\ufffd\ufffd"),
        (rb'"\ud83d\ude42 \u00e9"', "🙂 é"),
        (rb'"a backslash: \\ud83d"', r"a backslash: \ud83d"),
    ],
)
def test_a_half_is_read_as_the_replacement_character(written: bytes, read: str) -> None:
    assert json.loads(replace_half_pairs(written)) == read
