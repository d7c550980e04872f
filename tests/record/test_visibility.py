"""What is found in a text of unknown form, and what is too small to be found."""

import json
from itertools import product
from typing import Any

import pytest

from react_tck.record.visibility import hides_value, is_small, tells_args, text_shows


def test_what_is_next_to_nothing_is_neither_shown_nor_hidden(subtests: pytest.Subtests) -> None:
    cases: list[Any] = [0, 0.0, False, "", " ", [], {}, [[], {}], {"": ""}]
    for value in cases:
        with subtests.test(value=value):
            assert is_small(value)
            assert not text_shows("any text: 0 false []", value)
            assert not hides_value("any text", value)


def test_shown(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, Any]] = [
        ("it is\n5.", 5),
        ("it is 5.0", 5),
        ("it is -2", -2.0),
        (r'"found:\n5"', 5),
        ("true", True),
        ("it was <nil>", None),
        ("a\n b", "a b"),
        (r'{"a": "\u001B[31m \u00E9"}', {"a": "\x1b[31m é"}),
        ('{"a": [1, "b"]}', {"a": [1, "b"]}),
        ("{'a': [1, 'b'], 'c': 0}", {"a": [1, "b"], "c": 0}),
    ]
    for text, value in cases:
        with subtests.test(text=text, value=value):
            assert text_shows(text, value)
            assert not hides_value(text, value)


def test_shown_as_json_inside_of_json(subtests: pytest.Subtests) -> None:
    for value, inner, outer in product(
        ["form\ffeed \u000b \u0085 \u2028 é 🙂", 'a "quote" and a \\', "\u00a0"], [True, False], [True, False]
    ):
        with subtests.test(value=value, inner=inner, outer=outer):
            args = json.dumps({"text": value}, ensure_ascii=inner)
            assert text_shows(json.dumps({"tool_args": args}, ensure_ascii=outer), {"text": value})


def test_hidden(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, Any]] = [
        ("it is 15", 5),
        ("it is 5.5", 5),
        ("2025-5x", 5),
        ('{"a": []}', {"a": ["b"]}),
        ("a", {"a": True}),
    ]
    for text, value in cases:
        with subtests.test(text=text, value=value):
            assert hides_value(text, value)
            assert not text_shows(text, value)


def test_a_text_is_shown_whichever_of_its_characters_are_escaped(subtests: pytest.Subtests) -> None:
    for written in [
        # Go escapes these and no others; JavaScript none.
        '{"said": "a \\u003cb\\u003e \\u0026 é 🙂 \\u2028."}',
        '{"said": "a <b> & \\u00e9 \\uD83D\\uDE42 \\u2028."}',
        # JSON inside JSON.
        '{"said": "{\\\\u003c": "a \\\\u003cb> & é \\\\ud83d\\\\ude42 \u2028."}',
    ]:
        with subtests.test(written=written):
            assert text_shows(written, "a <b> & é 🙂 \u2028.")
            assert not text_shows(written, "a <c> & é 🙂 \u2028.")


def test_a_text_is_shown_whichever_of_its_blanks_are_escaped(subtests: pytest.Subtests) -> None:
    for blank in ["\\u000A", "\\u000a\\u0009", "\\\\u000a"]:
        with subtests.test(blank=blank):
            written = '{"said": "a' + blank + '\\"b\\\\c\\""}'
            assert text_shows(written, 'a\n"b\\c"')
            assert hides_value(written, 'a\n"b"')


def test_empty_args_are_told_as_the_lm_may_have_written_them(subtests: pytest.Subtests) -> None:
    cases: list[Any] = ["", "null", '""', "{}", {}, None]
    for told in cases:
        with subtests.test(told=told):
            assert tells_args(told, {})
            assert not tells_args(told, {"a": 0})
