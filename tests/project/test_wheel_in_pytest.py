"""The features as tests of plain pytest: from an empty folder, with the kit installed from its wheel."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.test_packaging import tree as tree  # the fixture
from tests.support.distributions import build_distribution
from tests.support.documents import ROOT, written

pytest.importorskip("dspy", reason="needs the extra 'reference'")

_WITHOUT = ("-p", "no:langsmith_plugin")


@pytest.fixture(scope="module", name="installed")
def _installed(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the wheel is installed into."""
    target = tmp_path_factory.mktemp("installed")
    wheel = build_distribution(tree, "wheel", tmp_path_factory.mktemp("wheel"))
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(target)]
    subprocess.run([*command, str(wheel)], check=True)
    return target


def outcome(installed: Path, folder: Path, *words: str, answers: str = "") -> tuple[int, str]:
    """How pytest ends in the folder, and what it prints."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *_WITHOUT, *words],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(installed), "COLUMNS": "200"},
        input=answers,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


FEATURES = ("--pyargs", "react_tck.features", "--tck-subject")


def test_the_wheel_is_what_is_tested(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "test_place.py").write_text("import react_tck\n\ndef test_place(): print(react_tck.__file__)\n")
    _, said = outcome(installed, tmp_path, "-s")
    assert str(installed / "react_tck" / "__init__.py") in said


def test_a_failing_row_is_told_as_in_a_run_and_a_debugger_stops_in_its_sentence(
    installed: Path, tmp_path: Path
) -> None:
    words = (*FEATURES, "mutant:tool-run-twice", "-k", "LOOP-001 and selects", "--pdb")
    status, said = outcome(installed, tmp_path, *words, answers="up\nargs\nq\n")
    assert status != 0
    assert "LOOP-001 (MUST, S4 R2.1)" in said, said
    assert "expected: 'add' runs once" in said
    assert "world = <react_tck.steps.world.World" in said
    assert (
        "reproduce: react-tck run --profile core -k 'ReAct selects and executes a tool' mutant:tool-run-twice" in said
    )


def test_rows_are_selected_by_profile_and_shared(installed: Path, tmp_path: Path) -> None:
    words = (*FEATURES, "dspy", "-m", "robustness")
    status, said = outcome(installed, tmp_path, *words, "-k", "ERR-001 or ERR-002", "-n", "2")
    assert status == 1, said
    counted = re.search(r"(\d+) failed, (\d+) passed", said)
    assert counted, said

    _, again = outcome(installed, tmp_path, *words, "-k", "ERR-001 or ERR-002", "--lf")
    assert f"{counted[1]} failed" in again, again
    assert "passed" not in again.splitlines()[-1], again


def test_cucumber_json_has_the_sentences(installed: Path, tmp_path: Path) -> None:
    words = (*FEATURES, "mutant:tool-run-twice", "-k", "LOOP-001 and selects", "--cucumberjson=c.json")
    outcome(installed, tmp_path, *words)
    (feature,) = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))
    (element,) = feature["elements"]
    statuses = {step["name"]: step["result"]["status"] for step in element["steps"]}
    assert statuses["the LM finishes"] == "passed"
    assert statuses['the tool "add" ran once with {"a": 2, "b": 3}'] == "failed"


def test_the_gherkin_reporter_shows_sentences(installed: Path, tmp_path: Path) -> None:
    words = (*FEATURES, "reference", "-k", "LOOP-001 and selects", "--gherkin-terminal-reporter", "-vv")
    status, said = outcome(installed, tmp_path, *words)
    assert status == 0, said
    assert "Given a ReAct over" in said


def test_conformance_collects_rows(installed: Path, tmp_path: Path) -> None:
    written(tmp_path, "docs/API.md")
    status, said = outcome(installed, tmp_path, "-v", "-k", "LOOP-001 and selects")
    assert status == 0, said
    assert "test_conformance.py::test_mine[LOOP-001: ReAct selects and executes a tool] PASSED" in said


def test_what_isnt_supported_is_skipped_with_the_reason(installed: Path, tmp_path: Path) -> None:
    status, said = outcome(installed, tmp_path, *FEATURES, "langchain-classic", "-k", "LOOP-009", "-rs")
    assert status == 0, said
    assert "does not declare" in said


def test_a_checkout_plays_its_features() -> None:
    """Under the checkout's own configuration, in which an unknown mark is an error."""
    words = ("features", "--tck-subject", "reference", "-k", "LOOP-001 and selects", "-p", "no:cacheprovider")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stdout
