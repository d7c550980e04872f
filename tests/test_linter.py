"""The linter: every check has a small broken feature that it names by file, line and message."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from react_tck.runner import linter
from react_tck.runner.features import StepType
from react_tck.runner.linter import Problem, lint
from react_tck.runner.registry import load_registry
from react_tck.runner.step_definitions import StepDefinitions, load_step_definitions

REGISTRY = """\
revision = 1

[sources]
S4 = "004, the specification"

[[requirement]]
id = "LOOP-001"
level = "MUST"
profile = "core"
sentence = "The tool runs once."
source = "S4"
since = 1

[[requirement]]
id = "SAN-001"
level = "MUST"
profile = "sanitizer"
sentence = "No tool runs unasked."
source = "S4"
since = 1

[[requirement]]
id = "ERR-001"
level = "MUST"
profile = "robustness"
sentence = "Nothing is executed."
source = "S4"
since = 1
pending = "not yet transcribed"

[[requirement]]
id = "TRJ-009"
level = "MAY"
profile = "core"
sentence = "It is elegant."
source = "S4"
since = 1
excluded = "elegance can't be observed"

[[choice]]
name = "tool-error"
variants = ["observe", "error"]
"""

SOUND = """\
@core
Feature: The tool loop

  Background:
    Given a ReAct

  Rule: ReAct executes a tool loop

    @LOOP-001 @must @kills:tool-run-twice
    Scenario: ReAct selects a tool
      When it is called
      Then the tool ran once
      And it ends

    @LOOP-001 @must @kills:args-dropped @smoke
    Scenario Outline: ReAct returns <what>
      When the tool returns <what>
      Then it ends

      Examples:
        | what   |
        | text   |
        | a list |
"""

MUTANTS = {"tool-run-twice": object(), "args-dropped": object()}


class FakeSteps:
    """A step matcher over literal step texts."""

    known: dict[str, tuple[StepType, tuple[str, ...]]] = {
        "a ReAct": ("given", ("given.py:1",)),
        "it is called": ("when", ("when.py:1",)),
        "the tool returns text": ("when", ("when.py:2",)),
        "the tool returns a list": ("when", ("when.py:2",)),
        "the tool ran once": ("then", ("then.py:1",)),
        "it ends": ("then", ("then.py:2",)),
        "it ends twice": ("then", ("then.py:2", "then.py:3")),
    }

    def matching(self, type_: StepType, text: str) -> tuple[str, ...]:
        wanted, places = self.known.get(text, (type_, ()))
        return places if wanted == type_ else ()


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    """A features folder without a problem."""
    root = tmp_path / "features"
    _write(root / "core" / "loop.feature", SOUND)
    _write(root / "requirements.toml", REGISTRY)
    return root


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
    path.write_text(text.replace(old, new), encoding="utf-8")


def _problems(root: Path) -> list[str]:
    found = lint(root, load_registry(root / "requirements.toml"), FakeSteps(), MUTANTS)
    return [str(problem).removeprefix(f"{root}/") for problem in found]


def test_sound_features_have_no_problem(root: Path) -> None:
    assert _problems(root) == []


FIRST = "@LOOP-001 @must @kills:tool-run-twice"

# What is broken: the change to the sound feature, and all problems of the file (line and message).
BROKEN = {
    "no requirement id": (
        (FIRST, "@must @kills:tool-run-twice"),
        ["10: the scenario has no requirement id; give it exactly one, like @LOOP-001"],
    ),
    "two requirement ids": (
        (FIRST, f"{FIRST} @SAN-001"),
        ["10: the scenario has 2 requirement ids, LOOP-001, SAN-001; keep one"],
    ),
    "unknown requirement id": (
        (FIRST, "@LOOP-009 @must @kills:tool-run-twice"),
        ["10: requirement LOOP-009 is not in the registry"],
    ),
    "excluded requirement": (
        (FIRST, "@TRJ-009 @may @kills:tool-run-twice"),
        ["10: TRJ-009 has a scenario, yet is excluded in the registry: elegance can't be observed"],
    ),
    "no level": (
        (FIRST, "@LOOP-001 @kills:tool-run-twice"),
        ["10: the scenario has no level tag; give it one of @must, @should, @may"],
    ),
    "two levels": (
        (FIRST, f"{FIRST} @may"),
        ["10: the scenario has 2 level tags; give it one of @must, @should, @may"],
    ),
    "level other than the registry's": (
        (FIRST, "@LOOP-001 @should @kills:tool-run-twice"),
        ["10: LOOP-001 is MUST in the registry, SHOULD here"],
    ),
    "no mutant": (
        (FIRST, "@LOOP-001 @must"),
        ["10: the scenario names no mutant; prove it can be red with @kills:<mutant>"],
    ),
    "unknown mutant": (
        (FIRST, "@LOOP-001 @must @kills:tool-run-thrice"),
        ["10: there is no mutant 'tool-run-thrice'; did you mean 'tool-run-twice'?"],
    ),
    "mutant without a name": (
        (FIRST, "@LOOP-001 @must @kills:"),
        ["10: there is no mutant ''"],
    ),
    "unknown tag": (
        (FIRST, f"{FIRST} @slow"),
        ["10: unknown tag @slow"],
    ),
    "level in capitals": (
        (FIRST, f"{FIRST} @MUST"),
        ["10: unknown tag @MUST"],
    ),
    "misspelt tag": (
        (FIRST, f"{FIRST} @smok"),
        ["10: unknown tag @smok; did you mean 'smoke'?"],
    ),
    "malformed requirement id": (
        (FIRST, f"{FIRST} @LOOP-01"),
        ["10: unknown tag @LOOP-01"],
    ),
    "no profile tag": (
        ("@core\n", ""),
        [
            "9: LOOP-001 needs @core on its feature or rule; the profile tags are: none",
            "15: LOOP-001 needs @core on its feature or rule; the profile tags are: none",
        ],
    ),
    "profile tag of another profile": (
        (FIRST, f"{FIRST} @udspy"),
        ["10: LOOP-001 needs @core on its feature or rule; the profile tags are: @core, @udspy"],
    ),
    "no rule": (
        ("  Rule: ReAct executes a tool loop\n", ""),
        [
            "9: the scenario is under no Rule:; a rule states the requirement it tests",
            "15: the scenario is under no Rule:; a rule states the requirement it tests",
        ],
    ),
    "no Then": (
        ("      Then the tool ran once\n      And it ends\n", ""),
        ["10: the scenario has no Then; pytest-bdd would pass it whatever happens"],
    ),
    "no Then but in the background": (
        (
            "    Given a ReAct\n",
            "    Given a ReAct\n    Then it ends\n\n  Rule: A rule\n"
            "    @core @LOOP-001 @must @kills:args-dropped\n    Scenario: Other\n      When it is called\n",
        ),
        ["10: the scenario has no Then; pytest-bdd would pass it whatever happens"],
    ),
    "undefined step": (
        ("When it is called", "When it is hailed"),
        ["11: undefined step: When it is hailed"],
    ),
    "step of another type": (
        ("When it is called", "When it ends"),
        ["11: undefined step: When it ends"],
    ),
    "undefined step in the background, said once": (
        ("Given a ReAct", "Given a robot"),
        ["5: undefined step: Given a robot"],
    ),
    "undefined step in one row of an outline": (
        ("| a list |", "| a book |"),
        ["17: undefined step: When the tool returns a book"],
    ),
    "ambiguous step": (
        ("And it ends", "And it ends twice"),
        ["13: ambiguous step: Then it ends twice; it matches then.py:2, then.py:3"],
    ),
    "misspelt first step": (
        ("When it is called", "Wehn it is called"),
        ["10: this is read as a description, not as a step: Wehn it is called"],
    ),
    "lower-case first step": (
        ("When it is called", "when it is called"),
        ["10: this is read as a description, not as a step: when it is called"],
    ),
    "docstring": (
        ("When it is called\n", 'When it is called\n        """\n        x\n        """\n'),
        ["12: pytest-bdd dedents docstrings; put the text in a table or a fault name"],
    ),
    "outline without examples": (
        ("      Examples:\n        | what   |\n        | text   |\n        | a list |\n", ""),
        ["16: the outline has no Examples:"],
    ),
    "examples without a row": (
        ("        | text   |\n        | a list |\n", ""),
        ["20: the examples have no row"],
    ),
    "examples without a table": (
        ("        | what   |\n        | text   |\n        | a list |\n", ""),
        ["20: the examples have no row", "20: the examples have no column for <what>"],
    ),
    "second examples without a row": (
        ("        | a list |\n", "        | a list |\n\n      Examples:\n        | what |\n"),
        ["25: the examples have no row"],
    ),
    "placeholder without a column": (
        ("Scenario Outline: ReAct returns <what>", "Scenario Outline: ReAct returns <that>"),
        ["20: the examples have no column for <that>"],
    ),
    "placeholder in a table without a column": (
        ("When the tool returns <what>\n", "When the tool returns <what>\n        | <that> |\n"),
        ["21: the examples have no column for <that>"],
    ),
    "column nobody uses": (
        ("| what   |\n        | text   |\n        | a list |", "| what | why |\n        | text | so |"),
        ["20: no step uses the column 'why'"],
    ),
    "column twice": (
        ("| what   |\n        | text   |\n        | a list |", "| what | what |\n        | text | text |"),
        ["20: the examples have the column 'what' twice"],
    ),
    "tags on examples": (
        ("      Examples:", "      @smoke\n      Examples:"),
        ["21: the examples have tags, smoke; the kit reads those of the scenario only"],
    ),
    "two scenarios of one title": (
        ("Scenario Outline: ReAct returns <what>", "Scenario Outline: ReAct selects a tool"),
        ["16: loop.feature:10 has the same title: 'ReAct selects a tool'"],
    ),
    "two scenarios of one test name": (
        ("Scenario Outline: ReAct returns <what>", "Scenario Outline: 2 react selects: a Tool!"),
        ["16: loop.feature:10 has a title of the same test name: 'ReAct selects a tool'"],
    ),
    "title without a word": (
        ("Scenario: ReAct selects a tool", "Scenario: 42"),
        ["10: no test name can be made of the title '42'; use words"],
    ),
    "no scenario": (
        (SOUND, "Feature: Nothing\n"),
        ["1: the file has no scenario"],
    ),
    "syntax error": (
        ("And it ends", "Adn it ends"),
        [
            "13: this is not Gherkin: expected: the end of the file, a table row, a docstring, a step, tags, "
            "Examples:, Scenario:, Rule:, a comment, an empty line, got 'Adn it ends'"
        ],
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_feature_is_named_by_file_line_and_message(name: str, root: Path) -> None:
    (old, new), expected = BROKEN[name]
    _change(root / "core" / "loop.feature", old, new)
    found = _problems(root)
    assert sorted(found) == sorted(f"core/loop.feature:{problem}" for problem in expected)


def test_a_pending_requirement_with_a_scenario_is_one_or_the_other(root: Path) -> None:
    text = SOUND.replace("@core", "@robustness").replace("LOOP-001", "ERR-001").replace("ReAct", "It")
    text = text.replace("Given a It", "Given a ReAct")
    _write(root / "robustness" / "faults.feature", text)
    reason = "ERR-001 has a scenario, yet is pending in the registry: not yet transcribed"
    assert _problems(root) == [f"robustness/faults.feature:{line}: {reason}" for line in (10, 16)]


def test_a_scenario_lies_in_the_folder_of_its_profile(root: Path) -> None:
    (root / "udspy").mkdir()
    (root / "core" / "loop.feature").rename(root / "udspy" / "loop.feature")
    message = "LOOP-001 belongs into the folder core/ of its profile"
    assert _problems(root) == [f"udspy/loop.feature:{line}: {message}" for line in (10, 16)]


def test_a_scenario_lies_in_some_folder(root: Path) -> None:
    (root / "core" / "loop.feature").rename(root / "loop.feature")
    message = "LOOP-001 belongs into the folder core/ of its profile"
    assert _problems(root) == [f"loop.feature:{line}: {message}" for line in (10, 16)]


@pytest.mark.parametrize("profile", ["core", "sanitizer"])
def test_a_sanitizer_may_have_a_scenario_in_core(profile: str, root: Path) -> None:
    text = SOUND.replace("LOOP-001", "SAN-001").replace("@core", f"@{profile}").replace("Scenario:", "Scenario: S")
    _write(root / profile / "sanitizers.feature", text.replace("Outline: ReAct", "Outline: S"))
    assert _problems(root) == []


def test_titles_are_unique_across_files(root: Path) -> None:
    _write(root / "core" / "other.feature", SOUND)
    assert _problems(root) == [
        "core/other.feature:10: loop.feature:10 has the same title: 'ReAct selects a tool'",
        "core/other.feature:16: loop.feature:16 has the same title: 'ReAct returns <what>'",
    ]


def test_a_requirement_needs_a_scenario(root: Path) -> None:
    _change(root / "requirements.toml", 'id = "TRJ-009"\nlevel = "MAY"', 'id = "TRJ-009"\nlevel = "MUST"')
    _change(root / "requirements.toml", 'excluded = "elegance can\'t be observed"\n', "")
    message = "TRJ-009 has no scenario; write one, or say why under `pending` or `excluded`"
    assert _problems(root) == [f"requirements.toml:31: {message}"]


def test_no_feature_at_all_is_a_problem(root: Path) -> None:
    (root / "core" / "loop.feature").unlink()
    [problem] = lint(root, load_registry(root / "requirements.toml"), FakeSteps(), MUTANTS)
    assert problem == Problem(root, 1, "there is no feature file; a run of nothing proves nothing")


def test_one_unreadable_file_does_not_hide_the_problems_of_another(root: Path) -> None:
    _write(root / "core" / "broken.feature", "Fature: f\n")
    _change(root / "core" / "loop.feature", FIRST, f"{FIRST} @slow")
    first, second = _problems(root)
    assert first.startswith("core/broken.feature:1: this is not Gherkin")
    assert second == "core/loop.feature:10: unknown tag @slow"


# Step definitions


@pytest.fixture(name="definitions")
def _definitions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StepDefinitions]:
    package = tmp_path / "sample_steps"
    _write(package / "__init__.py", "")
    _write(
        package / "one.py",
        "from pytest_bdd import given, parsers, step, then, when\n"
        "@given('a ReAct')\n@given('an agent')\ndef _agent(): ...\n"
        "@when(parsers.parse('it is called {n:d} times'))\ndef _call(n): ...\n"
        "@then(parsers.re('it is (?P<what>.*)'))\ndef _is(what): ...\n"
        "@step('anything goes')\ndef _any(): ...\n",
    )
    _write(
        package / "deep" / "two.py",
        "from pytest_bdd import then\nfrom sample_steps.one import *\n@then('it is well')\ndef _well(): ...\n",
    )
    _write(package / "deep" / "__init__.py", "")
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


# The command


@pytest.fixture(name="kit")
def _kit(monkeypatch: pytest.MonkeyPatch) -> None:
    mutants = ModuleType("react_tck.fakes.mutants")
    mutants.catalogue = lambda: MUTANTS  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "react_tck.fakes.mutants", mutants)
    monkeypatch.setattr(linter, "load_step_definitions", FakeSteps)


@pytest.mark.usefixtures("kit")
def test_command_sums_up_sound_features(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert linter.main([str(root)]) == 0
    assert capsys.readouterr().out == (
        "2 scenarios; 4 requirements: 2 covered (1 of them by sanitizers), 1 pending, 1 excluded\n"
    )


@pytest.mark.usefixtures("kit")
def test_command_prints_problems_from_where_it_stands(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _change(root / "core" / "loop.feature", FIRST, f"{FIRST} @slow")
    monkeypatch.chdir(root.parent)
    assert linter.main(["features"]) == 1
    assert capsys.readouterr().out == "features/core/loop.feature:10: unknown tag @slow\n"


@pytest.mark.usefixtures("kit")
def test_command_reports_a_broken_registry(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _change(root / "requirements.toml", 'level = "MAY"', 'level = "CAN"')
    assert linter.main([str(root)]) == 1
    assert capsys.readouterr().out.startswith(f"{root}/requirements.toml:33: requirement TRJ-009: level = 'CAN'")
