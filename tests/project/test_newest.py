"""The newest releases of each extra: what is installed, and what breaks is a row of a table, and no failure."""

import subprocess
from pathlib import Path

import pytest

from docs_site.results import NEWEST
from react_tck.subjects.catalogue import BUILT_IN
from tests.project import newest


def test_every_subject_is_tried_and_no_release_is_too_new() -> None:
    assert {extra for _, _, extra in BUILT_IN.values()} == set(newest.list_extras())
    for extra in newest.list_extras():
        packages = newest.list_packages(extra)
        assert packages
        assert not any(sign in package for package in packages for sign in ("<", "=="))
    assert newest.list_packages("reference")[0].startswith("dspy>=")
    assert any(package.startswith("pydantic-ai-slim[openai]>=") for package in newest.list_packages("frameworks"))


def test_what_breaks_is_a_row_and_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[tuple[str, ...]] = []

    def run(*command: str) -> "subprocess.CompletedProcess[str]":
        ran.append(command)
        if "openai-agents" in " ".join(command[5:]):
            raise subprocess.CalledProcessError(1, command, "", "ERROR: no such release\n")
        if command[-2:] == ("check", "strands"):
            raise subprocess.CalledProcessError(3, command, "ok      handshake\nFAILED  tool call\n1 of 9 failed\n", "")
        said = '[{"name": "strands-agents", "version": "9.9"}]' if "list" in command else ""
        return subprocess.CompletedProcess(command, 0, said, "")

    monkeypatch.setattr(newest, "_run", run)
    monkeypatch.setattr(newest, "_FOLDER", tmp_path / "build/newest")
    monkeypatch.setattr(newest, "ROOT", tmp_path)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    (tmp_path / "pyproject.toml").write_bytes((Path(__file__).parents[2] / "pyproject.toml").read_bytes())

    assert newest.main(["strands", "openai-agents"]) == 0

    text = (tmp_path / NEWEST).read_text(encoding="utf-8")
    assert "| strands | strands-agents 9.9 | strands | 3 | FAILED tool call; 1 of 9 failed |" in text
    assert "can't be installed: ERROR: no such release |" in text
    assert (tmp_path / "summary.md").read_text(encoding="utf-8") == text
    assert ("--clear" in ran[0], ran[0][-1]) == (True, str(tmp_path / "build/newest/strands"))


def test_an_extra_that_is_none_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert newest.main(["nosuch"]) == 2
    assert "There is no extra 'nosuch' with a subject; there are reference, udspy" in capsys.readouterr().out
