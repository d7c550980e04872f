"""What fails in the kit itself is the kit's: status 5 in every command, and no verdict of what it touched."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from react_tck.cli.main import main
from react_tck.dialects import field_lists

ROOT = Path(__file__).parents[2]
PLAIN = ("--", sys.executable, str(ROOT / "tests" / "harnesses" / "plain.py"))


@pytest.mark.parametrize(
    "words",
    [
        ("run", "-k", "LOOP-005"),
        ("run", "-k", "LOOP-005", "--in-process"),
        ("baseline", "-k", "LOOP-005"),
        ("check",),
        ("fuzz", "--examples", "3", "--target", "loop", "-n", "1"),
    ],
)
def test_what_fails_at_the_door_is_status_5(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def fail(_: str) -> tuple[str, ...]:
        raise ZeroDivisionError("no door divides")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(field_lists, "_split_names", fail)
    monkeypatch.setattr(field_lists, "_read_list", fail)
    field_lists.output_fields.cache_clear()
    assert main([*words, *PLAIN]) == 5
    out, err = capfd.readouterr()
    assert "no door divides" in out + err


def run_apart(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    python = [sys.executable, "-m", "react_tck", *words]
    return subprocess.run(
        python, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT), **environment}, capture_output=True, text=True
    )


DELETES = """
import os, shutil, sys
sys.path.insert(0, {harnesses!r})
shutil.rmtree({folder!r}, ignore_errors=True)
import plain
plain.main()
"""


def test_a_run_survives_the_folder_it_stands_in(tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    harness = tmp_path / "harness.py"
    harness.write_text(DELETES.format(harnesses=str(PLAIN[-1].rpartition("/")[0]), folder=str(here)), encoding="utf-8")
    run = run_apart(here, "run", "-k", "LOOP-001", "--", sys.executable, str(harness))
    assert (run.returncode, "Traceback" in run.stderr) == (0, False), run.stderr + run.stdout


def test_no_exception_ends_with_the_status_of_a_verdict(tmp_path: Path) -> None:
    broken = tmp_path / "click"
    broken.mkdir()
    (broken / "__init__.py").write_text("raise KeyError('no click')\n", encoding="utf-8")
    run = run_apart(tmp_path, "run", "reference", PYTHONPATH=f"{tmp_path}:{ROOT}")
    assert (run.returncode, "no click" in run.stderr) == (5, True)


REWRITES = """
import os, sys
from pathlib import Path
sys.path.insert(0, {harnesses!r})
{action}
import plain
plain.main()
"""
CONFIG = """
[subject]
command = [{python!r}, {harness!r}]
[gate]
min_must = 100
"""
FEATURE = """
Feature: f
  @ACME-001 @must
  Scenario: It answers
    Given a ReAct over "question -> answer" with the tool "add"
    And the LM calls "add" with {{"a": 2, "b": 3}}
    And the LM finishes
    And the LM answers {{"answer": "5"}}
    When it is called with {{"question": "2+3"}}
    Then the prediction has {{"answer": "{answer}"}}
"""


@pytest.mark.parametrize(
    "action", ["Path({file!r}).write_text(Path({file!r}).read_text().replace('100', '0'))", "Path({file!r}).unlink()"]
)
def test_a_subject_can_neither_open_nor_lose_its_gate(action: str, tmp_path: Path) -> None:
    file, harness = tmp_path / "react-tck.toml", tmp_path / "harness.py"
    file.write_text(CONFIG.format(python=sys.executable, harness=str(harness)), encoding="utf-8")
    acting = action.format(file=str(file))
    folder = str(Path(PLAIN[-1]).parent)
    harness.write_text(REWRITES.format(harnesses=folder, action=acting), encoding="utf-8")
    run = run_apart(tmp_path, "run", "-k", "LOOP-001")
    assert (run.returncode, "min_must" in run.stdout) == (1, True), run.stdout + run.stderr


def test_a_subject_changes_no_feature_that_it_is_played_with(tmp_path: Path) -> None:
    file, harness = tmp_path / "own.feature", tmp_path / "harness.py"
    file.write_text(FEATURE.format(answer="6"), encoding="utf-8")
    acting = f"Path({str(file)!r}).write_text({FEATURE.format(answer='5')!r})"
    folder = str(Path(PLAIN[-1]).parent)
    harness.write_text(REWRITES.format(harnesses=folder, action=acting), encoding="utf-8")
    run = run_apart(tmp_path, "run", "--features", str(file), "--", sys.executable, str(harness))
    assert run.returncode == 1, run.stdout + run.stderr
