"""The sentences as their writers read them."""

import re

import pytest

from react_tck.catalogue.sentences import StepSentence, load_step_sentences
from react_tck.catalogue.step_definitions import load_step_definitions


def sentence(text: str) -> StepSentence:
    (found,) = [each for each in load_step_sentences() if each.text == text]
    return found


def kinds(text: str) -> dict[str, str]:
    return {place.name: place.kind for place in sentence(text).places}


def test_there_is_one_for_each_definition_and_each_has_all_there_is_to_say() -> None:
    definitions = {f"{each.location} {each.context.type}" for each in load_step_definitions().definitions}
    found = load_step_sentences()
    assert {f"{each.location.rpartition('/')[2]} {each.type}" for each in found} == definitions
    for each in found:
        assert each.example, each.text
        assert each.meaning, each.text
        assert all(place.kind.endswith(".") for place in each.places), each.text
        assert re.findall(r"\{(.*?)\}", each.text) == [place.name for place in each.places]


def test_they_stand_in_the_order_of_an_episode() -> None:
    keywords = [each.keyword for each in load_step_sentences()]
    assert list(dict.fromkeys(keywords)) == ["Given", "When", "Then", "Given, When or Then"]
    assert keywords == sorted(keywords, key=list(dict.fromkeys(keywords)).index)


def test_each_example_is_a_step_of_that_sentence() -> None:
    definitions = load_step_definitions()
    for each in load_step_sentences():
        type_, _, text = each.example[0].partition(" ")
        context = definitions.find_step(type_.lower(), text)
        assert context is not None
        assert context.step_func.__code__.co_firstlineno == int(each.location.rpartition(":")[2])


def test_what_may_stand_in_a_place_is_told(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, str, str]] = [
        ("{who} is called {how}with {inputs}", "inputs", 'A JSON object: `{"a": 2}`.'),
        (
            "{who} is called {how}with {inputs}",
            "who",
            "`it` or `another one`. The instance there is, or a new one of the same arrangement.",
        ),
        ("the tool {tools} requires confirmation", "tools", 'Names in quotes: `"add"`, `"add" and "search"`'),
        ('the tool "{name}" is interrupted by {by}', "by", "`KeyboardInterrupt` or `CancelledError`."),
        ('the global adapter is "{dialect}"', "dialect", "Any text, such as `"),
        ('the LM calls "add" {count} times', "count", "A whole number."),
        ('the result of "{name}" is shown{exactly} in the next request', "exactly", "`unchanged` or nothing. "),
        ("{which} request asks for reasoning", "which", "`every` or `no`."),
    ]
    for text, name, kind in cases:
        with subtests.test(text=text, name=name, kind=kind):
            assert kinds(text)[name].startswith(kind)


def test_a_regular_expression_is_read_aloud() -> None:
    text = "the LM was asked for ({count} steps?|{more} steps more than the default|{default}){last}"
    assert kinds(text) == {
        "count": "A whole number.",
        "more": "A whole number.",
        "default": "`the default number of steps`.",
        "last": "`in the last call` or nothing.",
    }
