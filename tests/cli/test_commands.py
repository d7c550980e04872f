"""The group: which commands there are, what is told of mistakes, and what a shell can complete."""

import importlib
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules

import click
import pytest

from react_tck.cli import commands
from react_tck.cli.commands import run as run_command
from react_tck.cli.main import COMMANDS
from tests.cli.test_cli import told

ROOT = Path(__file__).parents[2]


def completed(words: str, at: int) -> list[str]:
    """What bash is offered for the word at this place."""
    asked = {"_REACT_TCK_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(at)}
    done = subprocess.run(
        [sys.executable, "-m", "react_tck"], cwd=ROOT, env={**os.environ, **asked}, capture_output=True, text=True
    )
    assert done.stderr == ""
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


def test_every_module_is_a_command_and_every_command_a_module() -> None:
    assert {module.name for module in iter_modules(commands.__path__)} == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_it_takes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert isinstance(importlib.import_module(f"react_tck.cli.commands.{name}").command, click.Command)
    status, out, _ = told(capsys, name, "--help")
    assert status == 0
    assert out.startswith(f"Usage: react-tck {name} ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rum"], "There is no command 'rum'. Did you mean run?"),
        (["zzz"], "There is no command 'zzz'. There are demo, run, list, explain"),
        (["--vesion"], "No such option"),
        (["run", "--sed", "1"], "--seed"),
        (["run", "-n", "0", "reference"], "'-n'"),
        (["run", "-n", "many", "reference"], "'many' is neither a number of processes, such as 4, nor auto"),
        (["run", "-n", "999999999", "reference"], "999999999 is too many: 1024 processes are the most"),
        (["run", "-n", "9" * 5000, "reference"], "is too many: 1024 processes are the most"),
        (["fuzz", "--cluster", "local:999999999", "reference"], "999999999 is too many: 1024 processes are the most"),
        (["run", "--seed", "x", "reference"], "'--seed'"),
        (["run", "reference", "dspy"], "Got unexpected extra argument"),
        (["serve", "script.json", "--port", "65536"], "'--port'"),
        (["explain"], "Missing argument 'NAME'"),
        (["replay", "case.json", "--kills", "x"], "give --freeze TITLE too"),
        (["replay", "case.json", "reference", "--freeze", "x"], "give no subject"),
        (["check", "reference", "--write"], "give --choices too"),
        (["fuzz", "--target", "moon"], "'loop', 'parser', 'both'"),
        (["list", "--", "./harness"], "Got unexpected extra argument"),
    ],
)
def test_a_mistake_in_the_words_is_told_with_the_usage(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, error = told(capsys, *words)
    assert (status, out) == (2, "")
    assert error.startswith("Usage: react-tck ")
    assert said in error


@pytest.mark.parametrize("old", ["smoke", "probe", "sentences", "freeze", "prove", "history"])
def test_a_name_that_is_gone_says_where_it_went(old: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, error = told(capsys, old, "reference")
    assert status == 2
    found = re.search(rf"There is no command '{old}' any more: it is `(react-tck|python -m) ([\w.-]+)", error)
    assert found
    assert find_spec(found[2]) if found[1] == "python -m" else found[2] in COMMANDS


@pytest.mark.parametrize("words", [["run", "reference", "--", "./harness"], ["replay", "case.json", "x", "--", "y"]])
def test_a_subject_and_a_harness_are_one_too_many(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status, _, error = told(capsys, *words)
    assert status == 2
    assert error.startswith("react-tck: Name one subject, ")


def test_a_bug_of_ours_is_told_as_one_and_where(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(*_: object, **__: object) -> None:
        raise ZeroDivisionError("no zero")

    monkeypatch.setattr(run_command, "SupervisedRun", wrong)
    status, _, error = told(capsys, "run", "reference")
    # Python's own status would be 1: that the subject isn't conformant.
    assert status == 5
    assert error.endswith("react-tck: this is a bug of the kit, not of the subject: ZeroDivisionError: no zero\n")
    assert "in wrong" in error


@pytest.mark.parametrize(
    ("words", "at", "found"),
    [
        ("react-tck rep", 1, ["replay", "repro"]),
        ("react-tck run uds", 2, ["udspy"]),
        ("react-tck run reference --prof", 3, ["--profile"]),
        ("react-tck run --profile conf", 3, ["confirmation"]),
        ("react-tck explain form:wr", 2, ["form:wrong-case"]),
        ("react-tck explain loop-001", 2, ["LOOP-001"]),
        ("react-tck init el", 2, ["elixir"]),
        ("react-tck run react-tck.to", 2, ["react-tck.to"]),  # a file: the shell goes on by itself
    ],
)
def test_a_shell_completes(words: str, at: int, found: list[str]) -> None:
    assert completed(words, at) == found
