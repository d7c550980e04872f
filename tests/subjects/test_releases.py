"""Releases made ready to be tested: Python's in environments, others' in copies of a port; nothing from a network."""

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from react_tck.cli.main import main
from react_tck.subjects import releases
from react_tck.subjects.catalogue import UnknownSubject, is_release
from react_tck.subjects.config import ConfigError
from react_tck.subjects.releases import ReleaseMissing, install_release, plan_release
from tests.support.packages import wheel

PY = f"py{sys.version_info.major}.{sys.version_info.minor}"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, with a cache of its own beside it; no command of this process has read its files."""
    monkeypatch.setattr("react_tck.subjects.config._kept", {})
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that installers take packages from, and nowhere else."""
    folder = tmp_path / "index"
    folder.mkdir()
    for tool in ("PIP", "UV"):
        monkeypatch.setenv(f"{tool}_NO_INDEX", "1")
        monkeypatch.setenv(f"{tool}_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def without_uv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)


def said_by(release_: releases.Release, code: str) -> str:
    return subprocess.run((release_.python, "-c", code), capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.usefixtures("here", "without_uv")
def test_a_release_is_installed_by_pip_once(index: Path) -> None:
    wheel(index, "udspy", "9.1", "said = 'nine'")
    wheel(index, "udspy", "9.2", "")

    made = plan_release("udspy@9.1")
    assert made.installs == f"udspy==9.1 with venv and pip for Python {PY.removeprefix('py')}"
    assert not made.is_ready
    made.make()

    assert said_by(made, "import udspy; print(udspy.said)") == "nine"
    assert made.folder == releases.cache_folder() / "environments" / f"udspy-9.1-{PY}"
    assert plan_release("udspy@9.1").is_ready
    assert not plan_release("udspy@9.2").is_ready


@pytest.mark.usefixtures("here", "without_uv")
def test_a_release_that_cannot_be_installed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = plan_release("dspy@0.0.0")
    begin = (sys.executable, "-c", f"import os; os.makedirs({str(made.folder)!r})")
    refuse = (sys.executable, "-c", "import sys; sys.exit('No matching distribution found for ' + 'x' * 1000)")
    monkeypatch.setattr(releases, "_of_python", lambda *_: replace(made, commands=(begin, refuse)))

    assert main(["run", "dspy@0.0.0"]) == 2

    said = capsys.readouterr().err
    assert f"installing dspy==0.0.0 with venv and pip for Python {PY.removeprefix('py')} into " in said
    assert "No matching distribution found" in said
    assert "x" * 200 not in said
    assert not made.folder.exists()


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        *dict.fromkeys(
            ("dspy@3.3.0", "dspy-react-machina@0.1.2", "npm:@ax-llm/ax@24.0.0", "go:a.org/b@v0.7.1"), True
        ).items(),
        *dict.fromkeys(
            ("dspy", "dspy@/usr/bin/python3", "dspy@python3.11", "-- a@1", "dspy@../3", "python:a:B@1 2"), False
        ).items(),
    ],
)
def test_a_release_is_known_by_its_version(name: str, *, is_one: bool) -> None:
    assert is_release(name) == is_one
    assert is_one or install_release(name, print) == name


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("version", ["../other", "3.0.4 evil", "latest"])
def test_what_is_no_version(version: str) -> None:
    with pytest.raises(UnknownSubject, match=f"{version!r} is no version of dspy: write one such as 3.0.4."):
        plan_release(f"dspy@{version}")


def port(folder: Path, command: str = '["node", "harness.mjs"]') -> None:
    (folder / "react-tck.toml").write_text(f"[subject]\ncommand = {command}\n", encoding="utf-8")
    (folder / "package.json").write_text('{"dependencies": {"toy-react": "1.0.0"}}', encoding="utf-8")
    (folder / "go.mod").write_text("module x\n\ngo 1.23\n\nrequire example.org/toy v0.1.0\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("library", "version", "said"),
    [
        (
            "reference",
            "1",
            "no releases of 'reference' here, only of dspy, udspy, dspy-react-machina and, from the folder of",
        ),
        ("npm:toy", "1.0.0", "package.json here doesn't depend on 'toy'; it does on toy-react."),
        ("go:example.org/ty", "v0.1.0", "go.mod here doesn't depend on 'example.org/ty'; it does on example.org/toy."),
        ("go:example.org/toy", "0.1.0", "'0.1.0' is no version of example.org/toy: write one such as v0.7.1."),
        ("npm:toy-react", "v1", "'v1' is no version of toy-react: write one such as 6.0.1."),
    ],
)
def test_what_has_no_releases(library: str, version: str, said: str, here: Path) -> None:
    port(here)
    with pytest.raises(UnknownSubject) as error:
        plan_release(f"{library}@{version}")
    assert said in str(error.value)


def test_a_release_of_a_port_is_asked_for_in_its_folder(here: Path) -> None:
    with pytest.raises(ConfigError, match=r"react-tck.toml can't be read"):
        plan_release("npm:toy-react@1.0.0")
    port(here)
    (here / "package.json").unlink()
    with pytest.raises(UnknownSubject, match=r"There is no package.json here"):
        plan_release("npm:toy-react@1.0.0")
    for text, wrong in {
        "{": "package.json here can't be read: this is not JSON",
        "[" * 100_000: "this is nested too deeply",
        '{"dependencies": 5}': "doesn't depend on 'toy-react'; it does on nothing",
    }.items():
        (here / "package.json").write_text(text, encoding="utf-8")
        with pytest.raises(UnknownSubject, match=wrong):
            plan_release("npm:toy-react@1.0.0")


def test_an_installer_that_is_not_there(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    port(here)
    made = plan_release("npm:toy-react@1.0.0")
    monkeypatch.setenv("PATH", str(here))
    with pytest.raises(ReleaseMissing, match="npm can't be run: No such file or directory"):
        made.make()
    assert not made.folder.exists()
