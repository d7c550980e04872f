"""Which failures become unit tests, what such a test says was due, and what is said of those that none can tell."""

import json
from pathlib import Path

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.cli.main import main
from react_tck.engine.run import Run
from react_tck.model.report import Finding, KitInfo, SubjectInfo
from react_tck.results.books import Unheard
from react_tck.subjects.catalogue import resolve
from react_tck.unit_tests.failures import NothingFails, build_finding_test, build_requirement_test
from react_tck.unit_tests.unit_test import UnitTest

TITLE = "ReAct selects and executes a tool"


def failing(name: str) -> str:
    return f"python:tests.unit_tests.failing:{name}"


def written(name: str, requirement_id: str, title: str | None = TITLE) -> UnitTest:
    return build_requirement_test(resolve(failing(name)), failing(name), requirement_id, title)


def test_what_was_due_goes_on_where_the_subject_departs() -> None:
    test = written("Twice", "LOOP-001")
    mark = test.courses[0].due[-1].removesuffix('"}').rpartition("~")[2]
    assert test.courses[0].due == (
        *("asks the LM", 'runs add({"a":2,"b":3})', "asks the LM", "asks the LM"),
        f'ends with {{"answer":"5 ~{mark}"}}',
    )
    assert test.actual[:3] == ("asks the LM", *['runs add({"a":2,"b":3})'] * 2)
    assert [json.loads(answer.body)["object"] for answer in test.courses[0].answers] == ["chat.completion"] * 3
    assert {answer.status for answer in test.courses[0].answers} == {200}


def test_who_stops_too_early_is_shown_what_would_have_come() -> None:
    """The extraction that it never asked for is asked for as in an episode in which it finishes."""
    test = written("Impatient", "TOOL-003")
    assert (len(test.actual), len(test.courses[0].due)) == (3, 5)
    assert "answer" in json.loads(test.courses[0].answers[-1].body)["choices"][0]["message"]["content"]


def test_an_observation_that_is_not_shown_is_looked_for_in_the_request() -> None:
    test = written("Forgetful", "SAN-004")
    (text,) = test.courses[0].shows[1]
    assert test.actual[2] == f"asks the LM, not showing {text}"
    assert test.courses[0].due[2] == "asks the LM"


@pytest.mark.parametrize(
    ("subject", "requirement_id", "title", "told"),
    [
        ("Good", "LOOP-001", TITLE, f"Nothing fails of LOOP-001 in the scenarios with {TITLE!r}; `react-tck explain"),
        ("Good", "LOOP-999", None, "There is no requirement LOOP-999; `react-tck list` shows them."),
        ("Good", "SAN-004", None, "SAN-004 has no scenario of its own; name one in which it fails with -k."),
    ],
)
def test_where_nothing_fails(subject: str, requirement_id: str, title: str | None, told: str) -> None:
    with pytest.raises(NothingFails) as error:
        written(subject, requirement_id, title)
    assert str(error.value).startswith(told)


def test_a_finding_of_the_fuzzer_is_told_too(tmp_path: Path) -> None:
    subject = resolve(failing("Twice"))
    told = Run(subject, "x", Selection(title=TITLE), transcripts=tmp_path, replays=False)
    told.collect_results(Unheard())
    (path,) = tmp_path.glob("*.jsonl")
    episode = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    info = {"kit": KitInfo(version="0"), "subject": SubjectInfo(name="x", version="0")}
    finding = Finding(requirements=("SAN-003",), episode=episode, **info)
    test = build_finding_test(subject, failing("Twice"), finding, Path("case-1.json"))
    assert test.failure.command == f"react-tck replay case-1.json {failing('Twice')}"
    assert test.courses[0].due[1] == 'runs add({"a":2,"b":3})'


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("repro", "loop-001", "--as", "pytest", "-k", TITLE, failing("Twice"))
    assert main(words) == 0
    text = capsys.readouterr().out
    assert text.startswith('"""LOOP-001 (MUST')
    compile(text, "test_loop_001.py", "exec")
    file = tmp_path / "test_loop_001.py"
    assert main((*words, "--out", str(file), "--agent", "mine:build")) == 0
    assert capsys.readouterr().out == ""
    assert "\nfrom mine import build as build_agent\n" in file.read_text(encoding="utf-8")

    assert main((*words, "--agent", "mine")) == 2
    assert capsys.readouterr().err == "react-tck: --agent mine: write MODULE:FUNCTION, such as my_agent:build.\n"
    assert main(("repro", "LOOP-001", "--as", "pytest", "-k", TITLE, failing("Good"))) == 2
    assert capsys.readouterr().err.startswith("react-tck: Nothing fails of LOOP-001")
