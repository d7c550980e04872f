"""Nonces: the same for the same episode, different for another, appended to texts and to nothing else."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from react_tck.model.episode import make_nonce, mark_value


def test_nonce_of_an_episode_is_the_same_everywhere() -> None:
    assert make_nonce("LOOP-001/a tool runs", 7) == "f13b0405"


@given(case=st.text(), seed=st.integers())
def test_nonce_is_eight_hexadecimal_digits(case: str, seed: int) -> None:
    assert re.fullmatch(r"[0-9a-f]{8}", make_nonce(case, seed))


def test_cases_and_seeds_have_nonces_of_their_own() -> None:
    nonces = {make_nonce(f"case {number}", seed) for number in range(20) for seed in range(5)}
    assert len(nonces) == 100


def test_texts_are_marked_and_everything_else_is_left_as_it_is(subtests: pytest.Subtests) -> None:
    cases: list[tuple[JsonValue, JsonValue]] = [
        ("Paris", "Paris ~n0nce"),
        ("", " ~n0nce"),
        (["a", ["b"], 1], ["a ~n0nce", ["b ~n0nce"], 1]),
        (5, 5),
        (True, True),
        (None, None),
        ({"text": "left alone"}, {"text": "left alone"}),
    ]
    for value, marked in cases:
        with subtests.test(value=value, marked=marked):
            assert mark_value(value, "n0nce") == marked
