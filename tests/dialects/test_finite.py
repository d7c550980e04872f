"""Bytes are searched for numbers that JSON doesn't have, as a pattern would that says what they look like."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from react_tck.dialects.fields import NotFinite, check_finite, finite_json
from react_tck.model.outcome import Outcome

_LOOKS_NOT_FINITE = re.compile(rb"NaN|Infinity|\d[eE]\+?\d{3}|\d{210}")
_ANSWER = '{"status": "ok", "outputs": {"answer": %s}}'
NOT_FINITE = [b"NaN", b"-Infinity", b"1e999", b"-1E400", b"2e+308999"]
_PIECES = [
    "NaN",
    "Infinity",
    "-",
    "e",
    "E",
    "+",
    "0",
    "9",
    "12",
    "309",
    "400",
    "9" * 210,
    ".5",
    '"',
    "\\",
    "[",
    "]",
    ",",
    " ",
    "é",
]


def refused(text: bytes) -> str | None:
    try:
        check_finite(text)
    except NotFinite as error:
        return str(error)
    return None


def by_the_pattern(text: bytes) -> str | None:
    if _LOOKS_NOT_FINITE.search(text) is None:
        return None
    try:
        finite_json(text.decode(errors="replace"))
    except NotFinite as error:
        return str(error)
    except ValueError:
        return None
    return None


@given(st.lists(st.sampled_from(_PIECES), max_size=12).map("".join).map(str.encode))
@example(b"[1e999, NaN]")
@example(b'"NaN and 1e999"')
@example(b"1E+400")
@example(b"1e-400")
@example(b"1e99")
def test_numbers_are_found_as_the_pattern_finds_them(text: bytes) -> None:
    for json in (text, b"[" + text + b"]"):
        assert refused(json) == by_the_pattern(json)


def test_what_json_does_not_have_is_refused(subtests: pytest.Subtests) -> None:
    cases: list[bytes] = [*NOT_FINITE, b"9" * 309 + b".5", b"-" + b"9" * 210 + b"E99"]
    for number in cases:
        with subtests.test(number=number):
            assert refused(b'{"a": [' + number + b"]}") is not None
            assert refused(b'{"a": "' + number + b'"}') is None


def test_a_whole_number_is_json_however_long(subtests: pytest.Subtests) -> None:
    for digits in [309, 400, 4300]:
        with subtests.test(digits=digits):
            number = "9" * digits
            assert refused(b'{"a": ' + number.encode() + b"}") is None
            assert finite_json(number) == Outcome.model_validate_json(_ANSWER % number).outputs["answer"] == int(number)
