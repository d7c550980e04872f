"""The step definitions of a package, found and matched as pytest-bdd would."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from react_tck.lint.step_definitions import StepDefinitions, load_step_definitions
from react_tck.suite.features import StepType
from tests.support.lint_stage import write


@pytest.fixture(name="definitions")
def _definitions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StepDefinitions]:
    package = tmp_path / "sample_steps"
    write(package / "__init__.py", "")
    write(
        package / "one.py",
        "from pytest_bdd import given, parsers, step, then, when\n"
        "@given('a ReAct')\n@given('an agent')\ndef _agent(): ...\n"
        "@when(parsers.parse('it is called {n:d} times'))\ndef _call(n): ...\n"
        "@then(parsers.re('it is (?P<what>.*)'))\ndef _is(what): ...\n"
        "@step('anything goes')\ndef _any(): ...\n",
    )
    write(
        package / "deep" / "two.py",
        "from pytest_bdd import then\nfrom sample_steps.one import *\n@then('it is well')\ndef _well(): ...\n",
    )
    write(package / "deep" / "__init__.py", "")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    yield load_step_definitions("sample_steps")
    for name in [name for name in sys.modules if name.partition(".")[0] == "sample_steps"]:
        del sys.modules[name]


MATCHES: list[tuple[StepType, str, list[str]]] = [
    ("given", "a ReAct", ["one.py:2"]),
    ("given", "an agent", ["one.py:2"]),
    ("when", "a ReAct", []),
    ("when", "it is called 2 times", ["one.py:5"]),
    ("when", "it is called two times", []),
    ("then", "it is fine", ["one.py:7"]),
    ("then", "it is well", ["one.py:7", "two.py:3"]),
    ("given", "anything goes", ["one.py:9"]),
    ("then", "anything goes", ["one.py:9"]),
]


@pytest.mark.parametrize(("type_", "text", "places"), MATCHES)
def test_a_step_is_matched_as_pytest_bdd_would(
    type_: StepType, text: str, places: list[str], definitions: StepDefinitions
) -> None:
    assert list(definitions.matching(type_, text)) == places


def test_a_definition_imported_twice_is_one(definitions: StepDefinitions) -> None:
    assert len(definitions.definitions) == 6
