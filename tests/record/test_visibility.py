"""What is found in a text of unknown form, and what is too small to be found."""

import json
from typing import Any

import pytest

from react_tck.record.visibility import hides_value, is_small, tells_args, tells_value, text_shows


@pytest.mark.parametrize("value", [0, 0.0, False, "", " ", [], {}, [[], {}], {"": ""}])
def test_what_is_next_to_nothing_is_neither_shown_nor_hidden(value: Any) -> None:
    assert is_small(value)
    assert not text_shows("any text: 0 false []", value)
    assert not hides_value("any text", value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
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
    ],
)
def test_shown(text: str, value: Any) -> None:
    assert text_shows(text, value)
    assert not hides_value(text, value)


@pytest.mark.parametrize("value", ["form\ffeed \u000b \u0085 \u2028 é 🙂", 'a "quote" and a \\', "\u00a0"])
@pytest.mark.parametrize("inner", [True, False])
@pytest.mark.parametrize("outer", [True, False])
def test_shown_as_json_inside_of_json(value: str, inner: bool, outer: bool) -> None:
    args = json.dumps({"text": value}, ensure_ascii=inner)
    assert text_shows(json.dumps({"tool_args": args}, ensure_ascii=outer), {"text": value})


@pytest.mark.parametrize(
    ("text", "value"),
    [("it is 15", 5), ("it is 5.5", 5), ("2025-5x", 5), ('{"a": []}', {"a": ["b"]}), ("a", {"a": True})],
)
def test_hidden(text: str, value: Any) -> None:
    assert hides_value(text, value)
    assert not text_shows(text, value)


def test_objects_in_a_notation_unknown_here_are_told_by_their_parts() -> None:
    assert tells_value("map[a:5 b:x]", {"a": 5, "b": "x"})
    assert not tells_value("map[a:5 b:x]", {"a": 5, "b": "y"})
    assert not tells_value("[object Object]", {"a": 5})
    assert not tells_value('{"a": 5, "b": 6}', {"a": 5})


@pytest.mark.parametrize(
    "written",
    [
        # Go escapes these and no others; JavaScript none.
        '{"said": "a \\u003cb\\u003e \\u0026 é 🙂 \\u2028."}',
        '{"said": "a <b> & \\u00e9 \\uD83D\\uDE42 \\u2028."}',
        # JSON inside JSON.
        '{"said": "{\\\\u003c": "a \\\\u003cb> & é \\\\ud83d\\\\ude42 \u2028."}',
    ],
)
def test_a_text_is_shown_whichever_of_its_characters_are_escaped(written: str) -> None:
    assert text_shows(written, "a <b> & é 🙂 \u2028.")
    assert not text_shows(written, "a <c> & é 🙂 \u2028.")


@pytest.mark.parametrize("blank", ["\\u000A", "\\u000a\\u0009", "\\\\u000a"])
def test_a_text_is_shown_whichever_of_its_blanks_are_escaped(blank: str) -> None:
    written = '{"said": "a' + blank + '\\"b\\\\c\\""}'
    assert text_shows(written, 'a\n"b\\c"')
    assert hides_value(written, 'a\n"b"')


@pytest.mark.parametrize("told", ["", "null", '""', "{}", {}, None])
def test_empty_args_are_told_as_the_lm_may_have_written_them(told: Any) -> None:
    assert tells_args(told, {})
    assert not tells_args(told, {"a": 0})
