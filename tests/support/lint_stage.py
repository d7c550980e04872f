"""A features folder without a problem, for tests of what finds one when it is changed."""

from pathlib import Path

from react_tck.catalogue.features import StepType
from react_tck.catalogue.kill_matrix import FILE
from react_tck.catalogue.linter import lint_features
from react_tck.catalogue.registry import load_registry

REGISTRY = """\
revision = 1

[sources]
S4 = "004, the specification"

[[requirement]]
id = "LOOP-001"
level = "MUST"
profile = "core"
sentence = "The tool runs once."
basis = "stated"
quote = "so it is said"
where = "S4"
since = 1

[[requirement]]
id = "SAN-001"
level = "MUST"
profile = "sanitizer"
sentence = "No tool runs unasked."
basis = "stated"
quote = "so it is said"
where = "S4"
since = 1

[[requirement]]
id = "ERR-001"
level = "MUST"
profile = "robustness"
sentence = "Nothing is executed."
basis = "stated"
quote = "so it is said"
where = "S4"
since = 1
pending = "not yet transcribed"

[[requirement]]
id = "TRJ-009"
level = "MAY"
profile = "core"
sentence = "It is elegant."
basis = "stated"
quote = "so it is said"
where = "S4"
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

    @LOOP-001 @must
    Scenario: ReAct selects a tool
      When it is called
      Then the tool ran once
      And it ends

    @must @LOOP-001 @smoke
    Scenario Outline: ReAct returns <what>
      When the tool returns <what>
      Then it ends

      Examples:
        | what   |
        | text   |
        | a list |
"""

_ROWS = '["ReAct returns <what> [a list]", "ReAct returns <what> [text]"]'
KILL_MATRIX = f"""\
{{
 "args-dropped": {{"LOOP-001": {_ROWS}, "SAN-001": ["ReAct selects a tool"]}},
 "tool-run-twice": {{"LOOP-001": ["ReAct selects a tool"]}}
}}
"""

#: The annotation that most changes are made to.
FIRST = "@LOOP-001 @must"

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

    def find_locations(self, type_: StepType, text: str) -> tuple[str, ...]:
        wanted, places = self.known.get(text, (type_, ()))
        return places if wanted == type_ else ()


def sound_features(folder: Path) -> Path:
    """A features folder without a problem."""
    root = folder / "features"
    write(root / "core" / "loop.feature", SOUND)
    write(root / "requirements.toml", REGISTRY)
    write(root / FILE, KILL_MATRIX)
    return root


def write(path: Path, text: str) -> None:
    """Write a file, and the folders to it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def change(path: Path, old: str, new: str) -> None:
    """Replace what stands there once."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
    path.write_text(text.replace(old, new), encoding="utf-8")


def problems(root: Path) -> list[str]:
    """What the linter finds, with paths below the root."""
    found = lint_features(root, load_registry(root / "requirements.toml"), FakeSteps(), MUTANTS)
    return [str(problem).removeprefix(f"{root}/") for problem in found]


def feature_problems(root: Path) -> list[str]:
    """What the linter finds, except that the kill matrix doesn't know of a change."""
    unknown = "kill_matrix.json:", "no mutant is known"
    return [problem for problem in problems(root) if not any(words in problem for words in unknown)]
