"""Features that somebody has written about their own agent: played, reported and gated as the kit's are."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from junitparser import JUnitXml

from react_tck.catalogue.linter import OwnFeaturesWrong, check_own_features
from react_tck.cli.main import main
from react_tck.model.report import Report, Verdict

ROOT = Path(__file__).parents[2]
PROJECT = ROOT / "examples" / "own_features"
RUN = ("run", "python:agent:Connected", "--features", "features")
Ran = Callable[..., tuple[int, str]]


@pytest.fixture(name="project")
def _project(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PROJECT, tmp_path / "project"))


@pytest.fixture(name="ran")
def _ran(project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ran:
    """How `react-tck` with these words ends in the project, and what it says."""
    monkeypatch.chdir(project)
    monkeypatch.syspath_prepend(project)

    def run(*words: str) -> tuple[int, str]:
        monkeypatch.delitem(sys.modules, "agent", raising=False)
        status = main([*words])
        return status, "".join(capsys.readouterr())

    return run


def say_in_pytest(folder: Path) -> tuple[int, str]:
    """How pytest ends in the folder, and what it says."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:langsmith_plugin", "-q"],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(ROOT), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_the_gate_is_open_for_what_the_baseline_accepts(project: Path, ran: Ran) -> None:
    status, said = ran(*RUN, "--json", "r.json", "--report", "junit=j.xml")
    assert status == 0, said
    assert "TRIP-002" in said.partition("travel 1.0")[2], said
    report = Report.model_validate(json.loads((project / "r.json").read_text(encoding="utf-8")))
    own = {each.id: each for each in report.requirements if each.id.startswith("TRIP")}
    assert report.features == "features"
    assert {id_: each.verdict for id_, each in own.items()} == {
        "TRIP-001": Verdict.PASSED,
        "TRIP-002": Verdict.EXPECTED_FAILURE,
    }
    assert [cause.requirement for cause in report.causes] == ["TRIP-002"]
    suites = {suite.name: suite.skipped for suite in JUnitXml.fromfile(str(project / "j.xml"))}
    assert suites["TRIP-002 (MUST)"] == 1


def test_compare_tells_what_has_gone_red(project: Path, ran: Ran) -> None:
    ran(*RUN, "--json", "before.json")
    agent = (project / "agent.py").read_text(encoding="utf-8")
    (project / "agent.py").write_text(agent.replace("return str(self.tools[name](**args))", "return 'nothing'"))
    ran(*RUN, "--json", "after.json")
    status, said = ran("compare", "before.json", "after.json")
    assert status == 1, said
    assert "TRIP-001" in said


def test_in_pytest_one_scenario_fails_and_one_passes(project: Path) -> None:
    status, said = say_in_pytest(project)
    assert status == 1, said
    assert "1 failed, 1 passed" in said
    assert "expected: 'add' runs 6 times" in said
    assert "reproduce: react-tck run --features features/travel.feature --profile core" in said
    assert "Traceback" not in said


def test_without_a_subject_it_says_how_to_name_one(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.pytest.ini_options]\npythonpath = ['.']\n", encoding="utf-8")
    _, said = say_in_pytest(project)
    assert "no subject is named: give --tck-subject NAME, or set tck_subject in pytest's configuration" in said


def feature(*lines: str) -> str:
    return "\n".join(["Feature: F", "  Rule: R", *(f"    {line}" for line in lines)]) + "\n"


BODY = ('Given a ReAct over "question -> answer"', 'When it is called with {"question": "Who?"}', "Then no tool ran")
WRONG = {
    "no id": (
        feature("@must", "Scenario: S", *BODY),
        ":4: the scenario has no requirement id; give it one of your own",
    ),
    "the kit's area": (
        feature("@LOOP-001 @must", "Scenario: S", *BODY),
        ":4: LOOP is an area of the kit's requirements",
    ),
    "two ids": (feature("@ACME-001 @ACME-002 @must", "Scenario: S", *BODY), ":4: the scenario has 2 requirement ids"),
    "no level": (feature("@ACME-001", "Scenario: S", *BODY), ":4: the scenario has no level tag; give it one of @must"),
    "two levels of one id": (
        feature("@ACME-001 @must", "Scenario: S", *BODY, "", "@ACME-001 @may", "Scenario: T", *BODY),
        ":10: ACME-001 is @must where it first stands, @may here",
    ),
    "two profiles of one id": (
        feature("@ACME-001 @must", "Scenario: S", *BODY, "", "@ACME-001 @must @udspy", "Scenario: T", *BODY),
        ":10: ACME-001 is in the profile core where it first stands, udspy here",
    ),
    "no Then": (feature("@ACME-001 @must", "Scenario: S", *BODY[:2]), ":4: the scenario has no Then"),
    "an unknown sentence": (
        feature("@ACME-001 @must", "Scenario: S", *BODY, "And the moon is full"),
        ":8: undefined step: Then the moon is full",
    ),
    "a sentence that is nearly one": (
        feature("@ACME-001 @must", "Scenario: S", *BODY, 'And the LM is show "no room"'),
        """:8: undefined step: Then the LM is show "no room"; is this meant: the LM is shown "{text}"?""",
    ),
    "JSON that is none": (
        feature("@ACME-001 @must", "Scenario: S", BODY[0], 'And the LM answers {"a": no}', *BODY[1:]),
        """:6: undefined step: Given the LM answers {"a": no}; its JSON is wrong after '{"a": ': Expecting value""",
    ),
    "a tool that isn't there": (
        feature("@ACME-001 @must", "Scenario: S", f'{BODY[0]} with the tools "add" and "serch"', *BODY[1:]),
        ":5: there is no tool 'serch' in the toolbox (add, search, translate, weather, ping, book, visit, publish); "
        "did you mean 'search'? One of your own is described in a table below `the tools:`",
    ),
    "a reply that the LM can't give": (
        feature("@ACME-001 @must", "Scenario: S", BODY[0], "And as its next step the LM whistles", *BODY[1:]),
        ":6: undefined step: Given as its next step the LM whistles",
    ),
    "one title twice": (
        feature("@ACME-001 @must", "Scenario: S", *BODY, "", "@ACME-001 @must", "Scenario: S", *BODY),
        ":10: own.feature:4 has the same title: 'S'",
    ),
    "no Gherkin": ("Feature: F\n  Scenario: S\n    Given x\n    Thne x\n", ":4: this is not Gherkin"),
    "no scenario": ("Feature: F\n", ":1: the file has no scenario"),
}


def test_what_is_wrong_is_said_with_file_and_line(tmp_path: Path) -> None:
    for name, (text, expected) in WRONG.items():
        own = tmp_path / name / "own.feature"
        own.parent.mkdir()
        own.write_text(text, encoding="utf-8")
        with pytest.raises(OwnFeaturesWrong) as caught:
            check_own_features(own.parent)
        assert f"{own}{expected}" in str(caught.value)


def test_wrong_features_are_a_mistake_of_the_user(project: Path, ran: Ran) -> None:
    (project / "wrong").mkdir()
    (project / "wrong" / "travel.feature").write_text(WRONG["no level"][0], encoding="utf-8")
    status, said = ran(*RUN[:-1], "wrong")
    assert (status, "Traceback" in said) == (2, False)
    assert "wrong/travel.feature:4: the scenario has no level tag" in said
