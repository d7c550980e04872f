"""The harnesses of libraries: one file each, any interpreter; and how it says what is missing."""

import importlib
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

from react_tck.cli.main import main
from react_tck.subjects.catalogue import (
    BUILT_IN,
    HARNESSES,
    UnknownSubject,
    close_subject,
    library_subject_name,
    resolve,
)

#: Of libraries that are driven alike, one; make test-all has the others.
ONE_AND_ALL = [pytest.param(name, marks=[pytest.mark.all] * (name != "dspy")) for name in HARNESSES]


@pytest.mark.parametrize("command", ["run", "check"])
def test_an_interpreter_that_is_not_there(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "dspy", "--python", "/nowhere/bin/python"]) == 2
    assert "There is no Python interpreter '/nowhere/bin/python' that can be run." in capsys.readouterr().err


@pytest.mark.parametrize("library", ONE_AND_ALL)
def test_an_interpreter_without_the_library(library: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    python = tmp_path / "my python"
    # -I -S: none of the packages installed.
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "$@"\n')
    python.chmod(0o755)

    assert main(["run", library, "--python", str(python)]) == 3
    said = capsys.readouterr().err
    assert f"can't import {BUILT_IN[library][1]}: ModuleNotFoundError: No module named " in said


def test_a_release_without_the_class_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packages = tmp_path / "packages"
    for file, text in {
        "dspy/__init__.py": "class settings:\n    config = {}\n",
        "dspy-3.0.4.dist-info/METADATA": "Metadata-Version: 2.1\nName: dspy\nVersion: 3.0.4\n",
    }.items():
        (packages / file).parent.mkdir(parents=True)
        (packages / file).write_text(text, encoding="utf-8")
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{packages}" exec "{sys.executable}" "$@"\n', encoding="utf-8")
    python.chmod(0o755)

    assert main(["run", "dspy-v2", "--python", str(python)]) == 3
    assert "dspy 3.0.4 has no ReActV2, which this subject is" in capsys.readouterr().err


#: A dspy whose adapters ask so many times, and which gives up then.
_ASKS = """
from contextlib import nullcontext
class LM:
    def __init__(self, *_, **__): ...
def context(lm):
    global asked_lm
    asked_lm = lm
    return nullcontext()
def Predict(_):
    def predict(question):
        for _ in range({times}):
            asked_lm(messages=[])
        raise ValueError("nothing can be read")
    return predict
"""


@pytest.mark.parametrize(("times", "retries"), [(1, 0), (2, 1), (3, 2)])
def test_retries_are_found_by_trial(times: int, retries: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(HARNESSES["dspy"].parent)
    harness = importlib.import_module("dspy_harness")
    asks = ModuleType("dspy")
    exec(_ASKS.format(times=times), vars(asks))
    monkeypatch.setattr(harness, "dspy", asks, raising=False)
    assert harness.count_retries() == retries


@pytest.mark.parametrize("subject", ["smolagents", "reference", "mutant"])
def test_other_subjects_have_no_harness_file(subject: str) -> None:
    with pytest.raises(
        UnknownSubject,
        match="runs in the kit's own Python only; --python goes with `dspy` or `dspy-v2` or `udspy` or `machina`",
    ):
        resolve(library_subject_name(subject, sys.executable))


def test_an_interpreter_needs_a_subject(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--python", sys.executable, "--", "perl", "harness.pl"]) == 2
    assert "Name one subject" in capsys.readouterr().err


@pytest.mark.parametrize("file", HARNESSES.values(), ids=HARNESSES)
def test_the_file_imports_nothing_of_ours(file: Path) -> None:
    assert "react_tck" not in file.read_text(encoding="utf-8")


#: Only the kit's own process shares objects with a library, and may interrupt it.
_IN_PROCESS = {"caller-objects", "model-args", "live-results", "opaque-results", "tool-interruptions", "callbacks"}
#: What is said of a call that waits for a person, and of what is inspected, is asked of udspy in process alone.
_OF_UDSPYS_SURFACE = {"confirmation", "inspection", "udspy-surface"}


@pytest.mark.parametrize("library", ONE_AND_ALL)
def test_a_library_can_do_the_same_over_the_wire(library: str) -> None:
    if find_spec(BUILT_IN[library][1]) is None:
        pytest.skip(f"{BUILT_IN[library][1]} is not installed")
    here = set(resolve(library).initialize().capabilities)
    served = resolve(library_subject_name(library, sys.executable))
    try:
        assert set(served.initialize().capabilities) == here - _IN_PROCESS - _OF_UDSPYS_SURFACE
    finally:
        close_subject(served)
