"""The features reader: what it hands over is what gherkin means."""

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from gherkin.parser import Parser
from gherkin.pickles.compiler import Compiler

from react_tck.catalogue.feature_files import FeatureError, list_feature_files
from react_tck.catalogue.features import (
    ExamplesInfo,
    RowInfo,
    ScenarioInfo,
    StepInfo,
    load_feature,
    load_features,
)
from react_tck.catalogue.scenario_checks import find_placeholders
from tests.support.timing import holds_once

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


def test_scenario_knows_where_it_stands(loop: tuple[ScenarioInfo, ...], tmp_path: Path) -> None:
    scenario = loop[0]
    assert (scenario.path, scenario.line) == (tmp_path / "core/loop.feature", 15)
    assert scenario.feature == "The tool loop"
    assert scenario.rule == "ReAct executes a tool loop"
    assert scenario.title == "ReAct selects and executes a tool"
    assert scenario.description.strip() == "Why it matters."


def test_scenario_inherits_the_tags_of_feature_and_rule_once(loop: tuple[ScenarioInfo, ...]) -> None:
    assert loop[0].tags == ("core", "area", "LOOP-001", "must")
    assert loop[1].tags == ("core", "area", "LOOP-002", "should")


def test_tags_are_told_apart(loop: tuple[ScenarioInfo, ...]) -> None:
    assert (loop[0].requirement_id, loop[0].level_tags) == ("LOOP-001", ("must",))
    assert (loop[1].requirement_id, loop[1].level_tags) == ("LOOP-002", ("should",))


def test_steps_include_both_backgrounds_and_the_tables(loop: tuple[ScenarioInfo, ...]) -> None:
    assert loop[0].steps == (
        StepInfo("Given", "given", "a ReAct", 5, from_background=True),
        StepInfo("Given", "given", "a tool", 11, from_background=True),
        StepInfo("And", "given", "another tool", 12, from_background=True),
        StepInfo("When", "when", "it is called with", 18, table=(("question", "2+3"),)),
        StepInfo("Then", "then", "the tool ran once", 20),
        StepInfo("And", "then", "it ends", 21),
    )


def test_a_scenario_is_its_only_row(loop: tuple[ScenarioInfo, ...]) -> None:
    assert not loop[0].is_outline
    assert loop[0].rows == (RowInfo(loop[0].title, loop[0].steps, ()),)


def test_outline_has_its_examples(loop: tuple[ScenarioInfo, ...]) -> None:
    assert loop[1].is_outline
    assert loop[1].examples == (ExamplesInfo(31, ("what",), (("text",), ("a list",)), tags=("odd",)),)


def test_an_outline_has_a_row_for_each_line_of_examples(loop: tuple[ScenarioInfo, ...]) -> None:
    assert [row.title for row in loop[1].rows] == [f"{loop[1].title} [text]", f"{loop[1].title} [a list]"]
    assert [row.values for row in loop[1].rows] == [(("what", "text"),), (("what", "a list"),)]
    assert [[step.text for step in row.steps if not step.from_background] for row in loop[1].rows] == [
        ["the tool returns text", "text is shown"],
        ["the tool returns a list", "a list is shown"],
    ]


def test_tables_of_an_outline_are_filled_in(loop: tuple[ScenarioInfo, ...]) -> None:
    tables = [step.table for row in loop[1].rows for step in row.steps if step.table]
    assert tables == [(("value",), ("text",)), (("value",), ("a list",))]


def test_docstring_is_noticed_with_its_line(tmp_path: Path) -> None:
    text = 'Feature: f\n  Scenario: s\n    Given a text\n      """\n      x\n      """\n'
    [scenario] = load_feature(_write(tmp_path, "f.feature", text))
    assert scenario.steps[0].docstring_line == 4


def test_scenario_without_rule_tags_and_examples(tmp_path: Path) -> None:
    [scenario] = load_feature(_write(tmp_path, "f.feature", "Feature: f\n  Scenario: s\n    Then it ends\n"))
    assert (scenario.rule, scenario.tags, scenario.requirement_id, scenario.level_tags) == (None, (), None, ())


def test_a_star_takes_the_type_of_the_step_before(tmp_path: Path) -> None:
    text = "Feature: f\n  Scenario: s\n    When x\n    * y\n    But z\n"
    [scenario] = load_feature(_write(tmp_path, "f.feature", text))
    assert [step.type for step in scenario.steps] == ["when"] * 3


def test_placeholders_are_found_once_each() -> None:
    assert find_placeholders("<a> and <b c>", "<a> <") == ("a", "b c")


@pytest.mark.parametrize("path", list_feature_files(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_reader_agrees_with_gherkins_own_compiler(path: Path) -> None:
    """The same steps, tables and tags of every row, as gherkin itself reads backgrounds and outlines."""
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


def test_features_come_in_path_and_line_order(tmp_path: Path) -> None:
    for name in ("udspy/a.feature", "core/z.feature", "core/a.feature", "core.feature"):
        _write(tmp_path, name, f"Feature: {name}\n  Scenario: 1\n  Scenario: 2\n")
    _write(tmp_path, "core/notes.txt", "not a feature")
    order = [(scenario.feature, scenario.title) for scenario in load_features(tmp_path)]
    names = ["core/a.feature", "core/z.feature", "core.feature", "udspy/a.feature"]
    assert order == [(name, title) for name in names for title in ("1", "2")]


def test_shipped_features_are_the_default() -> None:
    assert all(path.parents[1].name == "features" for path in list_feature_files())
    assert len({scenario.path for scenario in load_features()}) == len(list_feature_files())


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
    with pytest.raises(FeatureError, match=r"broken\.feature:2: the file is not UTF-8"):
        load_feature(path)


def test_features_are_read_without_pytest() -> None:
    code = "import sys, react_tck.catalogue.features as f; f.load_features(); sys.exit('pytest' in sys.modules)"
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


def test_a_hundred_scenarios_are_read_well_under_half_a_second(tmp_path: Path) -> None:
    scenario = "".join(LOOP.partition("    @LOOP-001")[1:]).partition("    @LOOP-002")[0]
    for file in range(10):
        rules = "".join(scenario.replace("selects", f"selects {number} and") for number in range(10))
        _write(tmp_path, f"{file}.feature", f"Feature: f\n  Rule: r\n{rules}")

    def is_in_time() -> bool:
        start = time.process_time()
        assert len(load_features(tmp_path)) == 100
        return time.process_time() - start < 0.5

    assert holds_once(is_in_time)
