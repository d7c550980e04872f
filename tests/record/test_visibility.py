"""What is found in a text of unknown form, and what is too small to be found."""

from typing import Any

import pytest

from react_tck.record.visibility import hides, is_small, shows, tells


@pytest.mark.parametrize("value", [0, 0.0, False, "", " ", [], {}, [[], {}], {"": ""}])
def test_what_is_next_to_nothing_is_neither_shown_nor_hidden(value: Any) -> None:
    assert is_small(value)
    assert not shows("any text: 0 false []", value)
    assert not hides("any text", value)


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
        ('{"a": [1, "b"]}', {"a": [1, "b"]}),
        ("{'a': [1, 'b'], 'c': 0}", {"a": [1, "b"], "c": 0}),
    ],
)
def test_shown(text: str, value: Any) -> None:
    assert shows(text, value)
    assert not hides(text, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [("it is 15", 5), ("it is 5.5", 5), ("2025-5x", 5), ('{"a": []}', {"a": ["b"]}), ("a", {"a": True})],
)
def test_hidden(text: str, value: Any) -> None:
    assert hides(text, value)
    assert not shows(text, value)


def test_objects_in_a_notation_unknown_here_are_told_by_their_parts() -> None:
    assert tells("map[a:5 b:x]", {"a": 5, "b": "x"})
    assert not tells("map[a:5 b:x]", {"a": 5, "b": "y"})
    assert not tells("[object Object]", {"a": 5})
    assert not tells('{"a": 5, "b": 6}', {"a": 5})
