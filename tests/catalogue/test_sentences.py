"""The sentences as their writers read them."""

import re

from react_tck.catalogue.sentences import load_step_definitions, load_step_sentences


def test_there_is_one_for_each_definition_and_each_has_all_there_is_to_say() -> None:
    definitions = {f"{each.location} {each.context.type}" for each in load_step_definitions().definitions}
    found = load_step_sentences()
    assert {f"{each.location.rpartition('/')[2]} {each.type}" for each in found} == definitions
    for each in found:
        assert each.example, each.text
        assert each.meaning, each.text
        assert all(place.kind.endswith(".") for place in each.places), each.text
        assert re.findall(r"\{(.*?)\}", each.text) == [place.name for place in each.places]


def test_each_example_is_a_step_of_that_sentence() -> None:
    definitions = load_step_definitions()
    for each in load_step_sentences():
        type_, _, text = each.example[0].partition(" ")
        context = definitions.find_step(type_.lower(), text)
        assert context is not None
        assert context.step_func.__code__.co_firstlineno == int(each.location.rpartition(":")[2])
