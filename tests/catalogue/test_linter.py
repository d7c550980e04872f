"""The linter: every check has a small broken feature that it names by file, line and message."""

from pathlib import Path

import pytest

from react_tck.catalogue.kill_matrix import FILE
from tests.support.lint_stage import (
    FIRST,
    SOUND,
    change,
    feature_problems,
    problems,
    sound_features,
    write,
)


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    return sound_features(tmp_path)


def test_sound_features_have_no_problem(root: Path) -> None:
    assert problems(root) == []


# What is broken: the change to the sound feature, and all problems of the file (line and message).
BROKEN = {
    "no requirement id": (
        (FIRST, "@must"),
        ["10: the scenario has no requirement id; give it exactly one, like @LOOP-001"],
    ),
    "two requirement ids": (
        (FIRST, f"{FIRST} @SAN-001"),
        ["10: the scenario has 2 requirement ids, LOOP-001, SAN-001; keep one"],
    ),
    "unknown requirement id": (
        (FIRST, "@LOOP-009 @must"),
        ["10: requirement LOOP-009 is not in the registry"],
    ),
    "excluded requirement": (
        (FIRST, "@TRJ-009 @may"),
        ["10: TRJ-009 has a scenario, yet is excluded in the registry: elegance can't be observed"],
    ),
    "no level": (
        (FIRST, "@LOOP-001"),
        ["10: the scenario has no level tag; give it one of @must, @should, @may, @practice, @retired"],
    ),
    "level other than the registry's": (
        (FIRST, "@LOOP-001 @should"),
        ["10: LOOP-001 is @must by the registry, @should here"],
    ),
    "unknown tag": (
        (FIRST, f"{FIRST} @slow"),
        ["10: unknown tag @slow"],
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
        ["10: the scenario has no Then; it would pass whatever happens"],
    ),
    "undefined step": (
        ("When it is called", "When it is hailed"),
        ["11: undefined step: When it is hailed"],
    ),
    "ambiguous step": (
        ("And it ends", "And it ends twice"),
        ["13: ambiguous step: Then it ends twice; it matches then.py:2, then.py:3"],
    ),
    "misspelt first step": (
        ("When it is called", "Wehn it is called"),
        ["10: this is read as a description, not as a step: Wehn it is called"],
    ),
    "docstring": (
        ("When it is called\n", 'When it is called\n        """\n        x\n        """\n'),
        ["12: no step takes a docstring; put the text in a table or a fault name"],
    ),
    "outline without examples": (
        ("      Examples:\n        | what   |\n        | text   |\n        | a list |\n", ""),
        ["16: the outline has no Examples:"],
    ),
    "examples without a row": (
        ("        | text   |\n        | a list |\n", ""),
        ["20: the examples have no row"],
    ),
    "placeholder without a column": (
        ("Scenario Outline: ReAct returns <what>", "Scenario Outline: ReAct returns <that>"),
        ["20: the examples have no column for <that>"],
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
    change(root / "core" / "loop.feature", old, new)
    found = feature_problems(root)
    assert sorted(found) == sorted(f"core/loop.feature:{problem}" for problem in expected)


def test_a_pending_requirement_with_a_scenario_is_one_or_the_other(root: Path) -> None:
    text = SOUND.replace("@core", "@robustness").replace("LOOP-001", "ERR-001").replace("ReAct", "It")
    text = text.replace("Given a It", "Given a ReAct")
    write(root / "robustness" / "faults.feature", text)
    reason = "ERR-001 has a scenario, yet is pending in the registry: not yet transcribed"
    assert feature_problems(root) == [f"robustness/faults.feature:{line}: {reason}" for line in (10, 16)]


def test_a_scenario_lies_in_the_folder_of_its_profile(root: Path) -> None:
    (root / "udspy").mkdir()
    (root / "core" / "loop.feature").rename(root / "udspy" / "loop.feature")
    message = "LOOP-001 belongs into the folder core/ of its profile"
    assert problems(root) == [f"udspy/loop.feature:{line}: {message}" for line in (10, 16)]


def test_a_scenario_lies_in_some_folder(root: Path) -> None:
    (root / "core" / "loop.feature").rename(root / "loop.feature")
    message = "LOOP-001 belongs into the folder core/ of its profile"
    assert problems(root) == [f"loop.feature:{line}: {message}" for line in (10, 16)]


# What is wrong with the kill matrix: the change to the sound one, and all problems (file, line and message).
UNTRUE = {
    "a scenario that kills nothing": (
        ('"LOOP-001": ["ReAct selects a tool"', '"SAN-001": ["ReAct selects a tool"'),
        [
            "core/loop.feature:10: no mutant is known that the scenario kills; "
            "write one, and run python -m react_tck.prove --write"
        ],
    ),
    "an unknown mutant": (
        (' "args-dropped": {', ' "args-droped": {'),
        ["kill_matrix.json:2: there is no mutant 'args-droped'; did you mean 'args-dropped'?"],
    ),
    "an unknown requirement": (
        ('"SAN-001": [', '"SAN-01": ['),
        ["kill_matrix.json:2: requirement SAN-01 is not in the registry; did you mean 'SAN-001'?"],
    ),
    "an unknown row": (
        ("[text]", "[texts]"),
        [
            "kill_matrix.json:2: no scenario has the row 'ReAct returns <what> [texts]'; "
            "did you mean 'ReAct returns <what> [text]'?"
        ],
    ),
}


@pytest.mark.parametrize("reason", UNTRUE)
def test_what_the_kill_matrix_says_can_be(root: Path, reason: str) -> None:
    (old, new), found = UNTRUE[reason]
    change(root / FILE, old, new)
    assert problems(root) == found


def test_titles_are_unique_across_files(root: Path) -> None:
    write(root / "core" / "other.feature", SOUND)
    assert problems(root) == [
        "core/other.feature:10: loop.feature:10 has the same title: 'ReAct selects a tool'",
        "core/other.feature:16: loop.feature:16 has the same title: 'ReAct returns <what>'",
    ]


def test_a_requirement_needs_a_scenario(root: Path) -> None:
    change(root / "requirements.toml", 'id = "TRJ-009"\nlevel = "MAY"', 'id = "TRJ-009"\nlevel = "MUST"')
    change(root / "requirements.toml", 'excluded = "elegance can\'t be observed"\n', "")
    message = "TRJ-009 has no scenario; write one, or say why under `pending` or `excluded`"
    assert problems(root) == [f"requirements.toml:37: {message}"]


def test_one_unreadable_file_does_not_hide_the_problems_of_another(root: Path) -> None:
    write(root / "core" / "broken.feature", "Fature: f\n")
    change(root / "core" / "loop.feature", FIRST, f"{FIRST} @slow")
    first, second = problems(root)
    assert first.startswith("core/broken.feature:1: this is not Gherkin")
    assert second == "core/loop.feature:10: unknown tag @slow"
