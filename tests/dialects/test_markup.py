"""What no encoding can carry is known, and JSON that has it escaped can be read all the same (ERR-017)."""

import json

import pytest

from react_tck.dialects.markup import is_encodable, replace_half_pairs


def test_halves_of_pairs_and_nul_have_no_encoding(subtests: pytest.Subtests) -> None:
    cases: list[object] = ["half \ud83d", "\udc00", "nul \0", {"\ud800": 1}, ["a", {"b": "\udfff"}]]
    for value in cases:
        with subtests.test(value=value):
            assert not is_encodable(value)  # type: ignore[arg-type]


def test_everything_else_has_one(subtests: pytest.Subtests) -> None:
    cases: list[object] = ["", "🙂 é \u2028", None, 7, {"a": ["b"]}]
    for value in cases:
        with subtests.test(value=value):
            assert is_encodable(value)  # type: ignore[arg-type]


def test_a_half_is_read_as_the_replacement_character(subtests: pytest.Subtests) -> None:
    cases: list[tuple[bytes, str]] = [
        (rb'"half \ud83d here"', "half \ufffd here"),
        (rb'"\udc00\ud83d"', "\ufffd\ufffd"),
        (rb'"\ud83d\ude42 \u00e9"', "🙂 é"),
        (rb'"a backslash: \\ud83d"', r"a backslash: \ud83d"),
    ]
    for written, read in cases:
        with subtests.test(written=written, read=read):
            assert json.loads(replace_half_pairs(written)) == read
