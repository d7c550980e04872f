"""One adapter a library, one code path: what a class does under another interpreter is what it does in process."""

import ast
import sys
from pathlib import Path

import pytest

import react_tck
from react_tck.catalogue.selection import Selection
from react_tck.cli.main import main
from react_tck.subjects.catalogue import (
    BUILT_IN,
    REFERENCES,
    UnknownSubject,
    is_importable,
    resolve,
    subject_name_elsewhere,
)
from react_tck.subjects.config import START_TIMEOUT
from tests.support.suite_checks import play_once

ADAPTER = Path(react_tck.__file__).parent / "adapter"
LIBRARIES = sorted(set(BUILT_IN) - set(REFERENCES))
#: The agent of an example, which needs nothing but the standard library.
OWN = "python:examples.own_agent:Mine"
#: What only an object, a mutation, an interruption or a callback shows; each crosses.
SHOWN_BY_OBJECTS = ("TRJ-006", "TOOL-003", "TOOL-006", "TOOL-009", "ERR-015", "ERR-017", "ISO-003", "OBS-001")
NARROW = " or ".join(f"@{each}" for each in ("LOOP-001", "LOOP-008", *SHOWN_BY_OBJECTS))


def assert_same(name: str, selection: Selection) -> None:
    """Hold each verdict there against that here; whose thread is left can be told of one's own process only."""
    here = play_once(name, selection)
    there = play_once(subject_name_elsewhere(name, sys.executable), selection)
    assert here
    assert "SAN-012" not in {id_ for id_, _ in there}
    assert there == {(id_, row): verdict for (id_, row), verdict in here.items() if id_ != "SAN-012"}


@pytest.mark.parametrize(
    "name", [OWN, *(pytest.param(each, marks=[pytest.mark.all] * (each != "dspy")) for each in LIBRARIES)]
)
def test_another_interpreter_changes_no_verdict(name: str) -> None:
    skip_unless_installed(name)
    assert_same(name, Selection(profile="all", tags=NARROW))


@pytest.mark.all
@pytest.mark.parametrize("name", [OWN, *LIBRARIES])
def test_another_interpreter_changes_no_verdict_of_any_row(name: str) -> None:
    skip_unless_installed(name)
    assert_same(name, Selection(profile="all"))


def skip_unless_installed(name: str) -> None:
    if name in BUILT_IN and not is_importable(BUILT_IN[name][1]):
        pytest.skip(f"{BUILT_IN[name][1]} is not installed")


@pytest.mark.parametrize("file", sorted(ADAPTER.glob("*.py")), ids=lambda file: file.stem)
def test_an_adapter_needs_the_standard_library_of_python_3_9(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 9))
    needed = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    modules = {getattr(node, "module", None) or node.names[0].name for node in needed}
    own = {each for each in modules if each.split(".")[0] not in sys.stdlib_module_names}
    if file.stem != "clients":  # it is imported by who has the SDK
        assert all(each.startswith("react_tck.adapter") for each in own)
    assert "__future__" in modules or file.stem == "__init__"


@pytest.mark.parametrize("command", ["run", "check"])
def test_an_interpreter_that_is_not_there(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "dspy", "--python", "/nowhere/bin/python"]) == 2
    assert "There is no Python interpreter '/nowhere/bin/python' that can be run." in capsys.readouterr().err


@pytest.mark.parametrize("name", [OWN, "dspy"])
def test_an_interpreter_without_what_is_needed(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    python = tmp_path / "my python"
    # -I -S: none of the packages installed, nor the kit's.
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "$@"\n')
    python.chmod(0o755)
    status = main(["run", name, "--python", str(python), "--tags", "@LOOP-001"])

    if name == OWN:
        assert status == 0
    else:
        assert status == 3
        assert "raised ModuleNotFoundError: No module named 'dspy'" in capsys.readouterr().err


@pytest.mark.parametrize("subject", ["reference", "mutant:tool-run-twice"])
def test_what_runs_in_the_kits_own_python_only(subject: str) -> None:
    with pytest.raises(UnknownSubject, match=r"runs in the kit's own Python only; --python goes with python:package"):
        resolve(subject_name_elsewhere(subject, sys.executable))


def test_an_interpreter_that_takes_its_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(START_TIMEOUT, "")  # it is put back
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nsleep 60\n")
    python.chmod(0o755)

    assert main(["run", OWN, "--python", str(python), "--start-timeout", "0.5"]) == 3
    told = "the harness did not answer 'initialize' within 0.5 seconds; `--start-timeout SECONDS` gives it more"
    assert told in capsys.readouterr().err


def test_an_interpreter_needs_a_subject(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--python", sys.executable, "--", "perl", "harness.pl"]) == 2
    assert "Name one subject" in capsys.readouterr().err
