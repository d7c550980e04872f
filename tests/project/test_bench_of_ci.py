""".ci/run is timed in a clean clone, each of its parts by itself, and one that fails is told."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.ci import Checked, checked
from benchmarks.trees import ROOT

MAKEFILE = """
.PHONY: setup lint test
setup:
\tsleep 0.2
lint: setup
\t@test -f committed && ! test -f lying-about && test -z "$$PYTHONPATH$(AGAINST)"
test:
\t@{command}
"""
RUN = "set -e\nmake lint\nmake test\n"


def repository(folder: Path, command: str) -> Path:
    """One with a CI of two parts; the second is the command."""
    (folder / ".ci").mkdir()
    for name, text in ((".ci/run", RUN), ("Makefile", MAKEFILE.format(command=command)), ("committed", "")):
        (folder / name).write_text(text, encoding="utf-8")
    git = ["git", "-C", str(folder), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "All"]):
        subprocess.run([*git, *words], check=True)
    (folder / "lying-about").touch()
    return folder


def test_each_part_is_timed_in_a_clean_clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("MAKEFLAGS", "-- AGAINST=another")
    done = checked(repository(tmp_path, "sleep 1"))

    assert done.status == 0, done
    assert list(done.parts) == ["setup", "lint", "test"]
    assert done.parts["setup"] >= 0.4
    assert done.parts["test"] >= 1
    assert sum(done.parts.values()) <= done.seconds


def test_a_part_that_fails_is_told(tmp_path: Path) -> None:
    done = checked(repository(tmp_path, "false"))

    assert done.status == 2
    assert list(done.parts) == ["setup", "lint", "test"]
    assert str(done).startswith("exit status 2; setup ")


def test_parts_are_told_in_minutes() -> None:
    assert str(Checked(0, 100.0, {"setup": 70.2, "lint": 29.6})) == "setup 1:10, lint 0:30"


def test_help_runs_no_ci() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.ci", "--help"],
        cwd=ROOT,
        env={**os.environ, "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "in a clean clone" in done.stdout
