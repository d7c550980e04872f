"""The step definitions of a package: found where they stand, matched by type and text."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from react_tck.catalogue.features import StepType
from react_tck.catalogue.step_definitions import StepDefinitions, load_step_definitions
from tests.support.lint_stage import write


@pytest.fixture(name="definitions")
def _definitions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StepDefinitions]:
    package = tmp_path / "sample_steps"
    write(package / "__init__.py", "")
    write(
        package / "one.py",
        "from pytest_bdd import given, parsers, step, then, when\n"
        "from react_tck.steps.language import sentence\n"
        "@given('a ReAct')\n@given('an agent')\ndef agent(world): world.append('agent')\n"
        "@when(sentence('it is called {n:d} times'))\ndef call(world, n): world.append(n)\n"
        "@then(parsers.re('it is (?P<what>.*?)(?P<more>, really)?'))\ndef is_(world, what): world.append(what)\n"
        "@step('anything goes')\ndef any_(): ...\n"
        "@given(sentence('values {given:Object}'))\ndef values(world, given): world.append(given)\n"
        "@given('a table:')\ndef table(world, datatable): world.append(datatable)\n",
    )
    write(
        package / "deep" / "two.py",
        "from pytest_bdd import then\nfrom sample_steps.one import *\n@then('it is well')\ndef well(): ...\n",
    )
    write(package / "deep" / "__init__.py", "")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    yield load_step_definitions("sample_steps")
    for name in [name for name in sys.modules if name.partition(".")[0] == "sample_steps"]:
        del sys.modules[name]


MATCHES: list[tuple[StepType, str, list[str]]] = [
    ("given", "a ReAct", ["one.py:3"]),
    ("given", "an agent", ["one.py:3"]),
    ("when", "a ReAct", []),
    ("when", "it is called 2 times", ["one.py:6"]),
    ("when", "it is called two times", []),
    ("then", "it is fine", ["one.py:8"]),
    ("then", "it is well", ["one.py:8", "two.py:3"]),
    ("given", "anything goes", ["one.py:10"]),
    ("then", "anything goes", ["one.py:10"]),
]


def test_a_step_is_matched_by_its_type_and_its_whole_text(
    definitions: StepDefinitions, subtests: pytest.Subtests
) -> None:
    for type_, text, places in MATCHES:
        with subtests.test(type_=type_, text=text, places=places):
            assert list(definitions.find_locations(type_, text)) == places


def test_a_definition_imported_twice_is_one(definitions: StepDefinitions) -> None:
    assert len(definitions.definitions) == 8


def test_values_are_read_anew_each_time(definitions: StepDefinitions) -> None:
    """Whoever is given a value may change it."""
    (found,) = [
        each.context.parser for each in definitions.definitions if each.matches_step("given", 'values {"a": 1}')
    ]
    for _ in range(2):
        values = found.parse_arguments('values {"a": 1}') or {}
        assert values == {"given": {"a": 1}}
        values["given"]["a"] += 1


def test_what_is_no_sentence_matches_nothing(definitions: StepDefinitions, subtests: pytest.Subtests) -> None:
    cases: list[tuple[StepType, str]] = [("when", "a ReAct"), ("given", "values {]}"), ("given", "a ReAct, too")]
    for type_, text in cases:
        with subtests.test(type_=type_, text=text):
            assert definitions.find_locations(type_, text) == ()
