"""The command line: what it prints, and how it ends when something is wrong."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import jsonschema
import pytest

import react_tck
from react_tck.catalogue import feature_files
from react_tck.cli.main import main
from react_tck.model.protocol import schema_texts
from react_tck.subjects import catalogue

TITLE = "ReAct selects and executes a tool"
GONE_WRONG = "python:tests.support.subjects_gone_wrong"
needs_dspy = pytest.mark.skipif(find_spec("dspy") is None, reason="needs the extra 'reference'")


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run a command: its status, and what it wrote to stdout and stderr."""
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def is_a_paragraph(text: str) -> bool:
    return text.startswith("react-tck: ") and text.count("\n") == 1 and "Traceback" not in text


def test_help_imports_neither_dspy_nor_pytest() -> None:
    code = (
        "import sys\nfrom react_tck.cli.main import main\n"
        "assert main(['--help']) == 0\n"
        "assert not {'dspy', 'pytest', 'pydantic'} & set(sys.modules), 'too much is imported'"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for command in ("run", "check", "list", "explain", "matrix"):
        assert command in done.stdout


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"react-tck {react_tck.__version__}\n"


def test_no_command_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys)
    assert status == 2
    assert "COMMAND" in out


@needs_dspy
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "dspi"), "There is no subject 'dspi'. Try one of reference, reference-transcript, "),
        (("run", "pyton:a:b"), "'pyton:a:b' is not a subject"),
        (("run", "mutant:tool-run-twise"), "Did you mean: tool-run-twice"),
        (("run", f"{GONE_WRONG}:raises"), "raised ValueError: no licence found"),
        (("run", f"{GONE_WRONG}:returns_a_number"), "returned a int, which has no method 'initialize'"),
        (("run", f"{GONE_WRONG}:absent"), "has no class or function 'absent'"),
        (("run", "python:tests.no_such_module:subject"), "raised ModuleNotFoundError"),
        (("run", GONE_WRONG), "names no class"),
        (("run", "reference", "-k", "no such title"), "No scenario fits the selection"),
        (("run", "reference", "--profile", "kore"), "There is no profile 'kore'"),
        (("run", "reference", "--tags", "@smoke and"), "@smoke and"),
        (("run", "reference", "-k", TITLE, "--json", "no/r.json"), "there is no folder no"),
        (("explain", "LOOP-091"), "Did you mean LOOP-012, LOOP-011, LOOP-010?"),
    ],
)
def test_a_mistake_is_told_in_a_paragraph(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, error = told(capsys, *words)
    assert status == 2
    assert error.startswith("react-tck: ")
    assert "Traceback" not in error
    assert said in error


@pytest.mark.parametrize(
    ("subject", "command"),
    [
        ("udspy", "pip install 'react-tck[udspy]'"),
        ("machina", "pip install --no-deps --ignore-requires-python dspy-react-machina==0.1.2"),
    ],
)
def test_a_missing_library(
    subject: str, command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "find_spec", lambda _: None)
    status, _, error = told(capsys, "run", subject)
    assert status == 2
    assert is_a_paragraph(error)
    assert command in error


@needs_dspy
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Feature: X\n  Scenario: y\n    Given z\n    Than w\n", "core/typo.feature:4: this is not Gherkin"),
        (
            "Feature: X\n  Rule: r\n    @LOOP-999 @must\n    Scenario: y\n      Then z\n",
            "bound to no requirement",
        ),
    ],
)
def test_a_typo_in_a_feature_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "typo.feature").write_text(text, encoding="utf-8")
    monkeypatch.setattr(feature_files, "DEFAULT_ROOT", tmp_path)
    status, _, error = told(capsys, "run", "reference")
    assert status == 5
    assert is_a_paragraph(error)
    assert said in error


def test_explain_shows_source_scenarios_and_mutants(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, "explain", "loop-001")
    assert status == 0
    for part in (
        "LOOP-001 · stated · MUST · react-module",
        "S4 R2.1 (004, ",
        TITLE,
        "Given a ReAct over",
        "kills: ",
        "tool-run-twice",
    ):
        assert part in out


def test_list_shows_scenarios_under_requirements(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, "list")
    assert status == 0
    assert out.index("LOOP-001") < out.index(TITLE) < out.index("LOOP-002")


@needs_dspy
def test_run_reports_and_writes_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    status, out, _ = told(capsys, "run", "reference", "-vv", "-k", TITLE, "--json", str(file))
    assert status == 0
    assert "nothing failed in the part" in out
    assert "choices observed" in out
    assert "registered = " in out
    report = json.loads(file.read_text(encoding="utf-8"))
    schema = json.loads(schema_texts()["report.schema.json"])
    jsonschema.validate(report, schema)
    assert list(report) == [
        *("subject", "kit", "seed", "profile", "is_whole_profile", "features", "revision"),
        *("claims", "without", "deviations", "varies", "verdicts"),
        *("ledger", "causes", "requirements", "flakes", "declared", "choices"),
        *("kit_errors", "unwritten", "interrupted"),
    ]
    ledger = report["ledger"]
    assert ledger.pop("registered") == sum(ledger.values())


@needs_dspy
def test_run_minds_neither_the_callers_configuration_nor_conftest(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n", encoding="utf-8")
    (tmp_path / "conftest.py").write_text("raise SystemExit('the conftest was loaded')\n", encoding="utf-8")
    (tmp_path / "mine.py").write_text(
        "from react_tck.subjects.libraries.reference.react import subject\n", encoding="utf-8"
    )
    command = [sys.executable, "-m", "react_tck", "run", "python:mine:subject", "-k", TITLE]
    environment = {
        "PYTEST_ADDOPTS": "--no-such-option",
        "PYTHONPATH": str(Path(react_tck.__file__).parents[1]),
    }
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
