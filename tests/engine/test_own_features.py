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
    assert ("one of them   react-tck run --features features --profile" in said, "explain TRIP" in said) == (
        True,
        False,
    )
    report = Report.model_validate(json.loads((project / "r.json").read_text(encoding="utf-8")))
    own = {each.id: each for each in report.requirements if each.id.startswith("TRIP")}
    assert report.features == "features"
    assert {id_: each.verdict for id_, each in own.items()} == {
        "TRIP-001": Verdict.PASSED,
        "TRIP-002": Verdict.EXPECTED_FAILURE,
        "TRIP-003": Verdict.PASSED,
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


def test_in_pytest_one_scenario_fails_and_two_pass(project: Path) -> None:
    status, said = say_in_pytest(project)
    assert status == 1, said
    assert "1 failed, 2 passed" in said
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
        ":5: there is no tool 'serch' in the toolbox (add, search, translate, weather, ping, book, visit, publish)",
    ),
    "a tool that the scenario hasn't": (
        feature("@ACME-001 @must", "Scenario: S", BODY[0], 'And the tool "refund" returns 5', *BODY[1:]),
        ":6: the scenario has no tool so far, and no 'refund'",
    ),
    "an expression that is none": (
        feature("@ACME-001 @must", "Scenario: S", *BODY, 'And the answer matches "(a"'),
        ":8: the regular expression is wrong: missing )",
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


ENDED = feature(
    *("@TRIP-001 @must", "Scenario: S", BODY[0], "And the LM answers", *BODY[1:], ""),
    *("@TRIP-002 @must", "Scenario: T", BODY[0], "And the LM finishes", "And the LM answers", *BODY[1:], ""),
    *("@TRIP-003 @must", "Scenario: U", BODY[0], *("And the LM finishes",) * 2, "And the LM answers", *BODY[1:]),
)


def test_a_script_that_runs_out_is_the_scenarios_mistake_and_blocks_nothing(project: Path, ran: Ran) -> None:
    (project / "react-tck.baseline.toml").unlink()
    status, said = ran(*RUN[:-1], write_feature(project, "ended", ENDED), "--json", "r.json")
    told = "own.feature:4: the script runs out: the LM was asked for a step 1 time, and the scenario has 0; is `the LM"
    assert (status, told in " ".join(said.split())) == (2, True), said
    report = Report.model_validate(json.loads((project / "r.json").read_text(encoding="utf-8")))
    verdicts = [each.verdict for each in report.requirements if each.id.startswith("TRIP")]
    assert (verdicts, report.causes) == ([Verdict.ERROR, Verdict.PASSED, Verdict.ERROR], ())
    assert "own.feature:19: the script says more than is asked for; never asked for: finish" in " ".join(said.split())
    _, said = say_in_pytest(project)
    assert "FAILED test_features.py::test_s - travel.feature:4: the script runs out" in said


def write_feature(project: Path, folder: str, text: str) -> str:
    """Have pytest bind it, and a run find it in the folder: what a folder's features are is read once a process."""
    (project / "features" / "travel.feature").write_text(text, encoding="utf-8")
    (project / folder).mkdir()
    (project / folder / "own.feature").write_text(text, encoding="utf-8")
    return folder


ASKING = """
import react_tck
from agent import STEPS, Connected


class Waits(Exception):
    pass


@react_tck.subject("asking", version="1.0", dialects=["json"], capabilities=["extraction"], default_max_steps=STEPS)
class Asking(Connected):
    def build(self, task, tools, lm):
        super().build(task, tools, lm)
        self.run, self.agent._run = self.agent._run, self.ask

    def ask(self, name, args):
        raise Waits({"name": name, "args": args, "call_id": "1"})

    def call(self, inputs):
        self.inputs = inputs
        try:
            return super().call(inputs)
        except Waits as waits:
            asked = {"question": "Really?", "confirmation_id": "1", "tool_call": waits.args[0], "context": {}}
            return react_tck.Suspended(asked)

    def resume(self, suspension, response):
        self.agent._run = self.run
        return self.call(self.inputs)
"""


def test_who_asks_a_person_in_words_of_his_own_is_held_to_his_own_sentences(project: Path, ran: Ran) -> None:
    (project / "asking.py").write_text(ASKING, encoding="utf-8")
    given = ('Given a ReAct over "wish -> answer" with the tool "ping"', 'And the tool "ping" requires confirmation')
    said = ('And the LM calls "ping"', "And the LM finishes", "And the LM answers")
    when = ('When it is called with {"wish": "A room"}', 'And it is resumed with "yes"')
    text = feature("@TRIP-001 @must", "Scenario: S", *given, *said, *when, 'Then the tool "ping" ran 1 times')
    status, told = ran("run", "python:asking:Asking", "--features", write_feature(project, "asking", text))
    assert (status, "CNF-" in told) == (0, False), told


def test_a_tool_that_nobody_knows_is_told_with_what_keeps_it_away(project: Path, ran: Ran) -> None:
    text = feature("@TRIP-001 @must", "Scenario: S", f'{BODY[0]} with the tool "book_rom"', *BODY[1:])
    folder = write_feature(project, "unknown", text)
    _, said = say_in_pytest(project)
    assert "travel.feature:5: there is no tool 'book_rom' in the toolbox" in said
    assert "nor among yours (book_room); did you mean 'book_room'?" in said
    missing = ("import react_tck\n\nimport shop\n", "conftest.py:3: it can't be imported: ModuleNotFoundError: No mod")
    for code, told in (missing, ("raise SystemExit(0)\n", "conftest.py:1: it can't be imported: SystemExit: 0")):
        (project / "conftest.py").write_text(code, encoding="utf-8")
        status, said = ran(*RUN[:-1], folder)
        assert (status, told in said) == (2, True), said
