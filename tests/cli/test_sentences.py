"""`react-tck list --sentences`: the vocabulary, or the part of it that has a word."""

import pytest

from react_tck.catalogue.sentences import load_step_sentences
from tests.cli.test_cli import is_a_paragraph, told


def test_it_lists_all_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, error = told(capsys, "list", "--sentences")
    assert (status, error) == (0, "")
    heads = [line for line in out.splitlines() if line.startswith(" ")]
    assert heads == [f"  {each.keyword} {each.text}" for each in load_step_sentences()]
    assert out.startswith("steps/arrange.py\n")


def test_each_is_shown_with_its_values_and_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = told(capsys, "list", "--sentences", "max_steps is {steps}")
    first, meaning, place, announced, example, location = out.splitlines()
    assert first == "Given max_steps is {steps}"
    assert meaning == "    The number of steps that the agent is constructed with (LOOP-008)."
    assert place == "    {steps}: `3`, or `3 more than the default`."
    assert announced == "    for example:"
    assert example.startswith("      Given max_steps is ")
    assert location.startswith("    steps/arrange.py:")


@pytest.mark.parametrize("word", ["confirmation", "CONFIRMATION", "lighthouse keeper", "agent is constructed with"])
def test_a_word_filters(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, "list", "--sentences", word)
    shown = [line for line in out.splitlines() if not line.startswith(" ")]
    assert status == 0
    assert 0 < len(shown) < len(load_step_sentences()) / 3
    assert word.lower() in out.lower()


@pytest.mark.parametrize(
    ("word", "hint"),
    [("max_step", "Did you mean max_steps"), ("qqqq", "`react-tck list --sentences` lists them all.")],
)
def test_a_word_that_no_sentence_has(word: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, error = told(capsys, "list", "--sentences", f"{word}x")
    assert (status, out) == (2, "")
    assert is_a_paragraph(error)
    assert f"No sentence has '{word}x' in it." in error
    assert hint in error
