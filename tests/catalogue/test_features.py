"""The features reader: what it hands over is what gherkin means."""

from pathlib import Path
from typing import Any

import pytest
from gherkin.parser import Parser
from gherkin.pickles.compiler import Compiler

from react_tck.catalogue.feature_files import FeatureError, list_feature_files
from react_tck.catalogue.features import (
    ScenarioInfo,
    load_feature,
    load_features,
)

LOOP = """\
@core
Feature: The tool loop

  Background:
    Given a ReAct

  @area
  Rule: ReAct executes a tool loop

    Background:
      Given a tool
      And another tool

    @LOOP-001 @must
    Scenario: ReAct selects and executes a tool
      Why it matters.

      When it is called with
        | question | 2+3 |
      Then the tool ran once
      And it ends

    @LOOP-002 @should @core
    Scenario Outline: ReAct shows <what>
      When the tool returns <what>
        | value  |
        | <what> |
      Then <what> is shown

      @odd
      Examples: simple values
        | what   |
        | text   |
        | a list |
"""


def _write(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(name="loop")
def _loop(tmp_path: Path) -> tuple[ScenarioInfo, ...]:
    return load_feature(_write(tmp_path, "core/loop.feature", LOOP))


def test_the_reader_agrees_with_gherkins_own_compiler(subtests: pytest.Subtests) -> None:
    """The same steps, tables and tags of every row, as gherkin itself reads backgrounds and outlines."""
    for path in list_feature_files():
        with subtests.test(path=path):
            document = {**Parser().parse(path.read_text(encoding="utf-8")), "uri": str(path)}
            types = {"Context": "given", "Action": "when", "Outcome": "then"}
            theirs = [
                (
                    {tag["name"].removeprefix("@") for tag in pickle["tags"]},
                    [(types[step["type"]], step["text"], _table(step.get("argument"))) for step in pickle["steps"]],
                )
                for pickle in Compiler().compile(document)  # type: ignore[arg-type]
            ]
            ours = [
                (set(scenario.tags), [(step.type, step.text, step.table) for step in row.steps])
                for scenario in load_feature(path)
                for row in scenario.rows
            ]
            assert ours == theirs


def _table(argument: Any) -> tuple[tuple[str, ...], ...]:
    rows = argument["dataTable"]["rows"] if argument and "dataTable" in argument else ()
    return tuple(tuple(cell["value"] for cell in row["cells"]) for row in rows)


BROKEN = {
    "misspelt keyword": (
        "Feature: f\n  Scenario: s\n    Given x\n    Thne y\n",
        4,
        "this is not Gherkin: expected: the end of the file, a table row, a docstring, a step, tags, "
        "Examples:, Scenario:, Rule:, a comment, an empty line, got 'Thne y'",
    ),
    "several errors": (
        "Feature: f\n  Scenario: s\n    Given x\n    Thne y\n    adn z\n",
        4,
        "got 'Thne y' (1 more after it)",
    ),
    "ragged table": (
        "Feature: f\n  Scenario: s\n    Given x\n      | a | b |\n      | c |\n",
        5,
        "this is not Gherkin: inconsistent cell count within the table",
    ),
    "unknown language": (
        "# language: klingon\nFeature: f\n",
        1,
        "this is not Gherkin: Language not supported: klingon",
    ),
    "unclosed docstring": (
        'Feature: f\n  Scenario: s\n    Given x\n      """\n',
        5,
        "this is not Gherkin: unexpected end of file, expected: a docstring, text",
    ),
    "no feature": ("# nothing here\n", 1, "the file has no Feature:"),
    "first step is a conjunction": (
        "Feature: f\n  Scenario: s\n    And x\n",
        3,
        "the first step begins with And; begin with Given, When or Then",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_unreadable_feature_is_refused_in_one_paragraph(name: str, tmp_path: Path) -> None:
    text, line, message = BROKEN[name]
    path = _write(tmp_path, "broken.feature", text)
    with pytest.raises(FeatureError) as caught:
        load_features(tmp_path)
    assert (caught.value.file, caught.value.line) == (path, line)
    assert message in caught.value.message
    assert str(caught.value) == f"{path}:{line}: {caught.value.message}"
    assert "\n" not in str(caught.value)


def test_feature_that_is_not_text_is_refused_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.feature"
    path.write_bytes(b"Feature: f\n  Scenario: \xff\n")
    with pytest.raises(FeatureError, match=r"broken\.feature is not UTF-8: .* in line 2\."):
        load_feature(path)
