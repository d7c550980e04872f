"""What a runner of a CI finds in a job's log: annotations of the kit's, and no command that a subject has said."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.house import ROOT

COMMANDS = ("::add-mask::e", "  ::set-output name=verdict::conformant", "::stop-commands::x")
OLDER = ("##[error]it ends", "so ##[add-mask]e", "##vso[task.setvariable variable=a]b", "##teamcity[buildStatus]")
SECTIONS = ("section_start:1:name\r\x1b[0K", "so section_end:1:name[collapsed=true]\r\x1b[0K")
SAYINGS = (*COMMANDS, *OLDER, *SECTIONS)
SAID = "\n".join(SAYINGS)
RUNNERS = (
    "GITHUB_ACTIONS",
    *(pytest.param(each, marks=pytest.mark.all) for each in ("GITLAB_CI", "TF_BUILD", "TEAMCITY_VERSION")),
)
#: Of commands that say what a subject in Python has said.
WORDS = (("run",), *(pytest.param(each, marks=pytest.mark.all) for each in (("run", "--in-process"), ("check",))))
HARNESS = """
import json, sys
print({said!r}, file=sys.stderr, flush=True)
request = json.loads(sys.stdin.readline())
error = {{"code": -32603, "message": {said!r}}}
print(json.dumps({{"jsonrpc": "2.0", "id": request["id"], "error": error}}), flush=True)
"""
SUBJECT = """
import react_tck

@react_tck.subject({name!r}, version="1.0", dialects=["json"], default_max_steps=10)
class Mine:
    def build(self, task, tools, lm):
        print({said!r})

    def call(self, inputs):
        print({said!r})
        raise RuntimeError({said!r})
"""


def find_commands(log: str) -> list[str]:
    """What the runners of GitHub, Azure, TeamCity and GitLab take for a command, as their sources have it."""
    lines = re.split(r"\r\n|\r|\n", log)
    of_github = [line for line in lines if re.match(r"\s*::.*::", line)]
    older = [line for line in lines if re.search(r"##(?:\[|vso\[|teamcity\[)", line)]
    return of_github + older + re.findall(r"section_(?:start|end):\d+:[\w.-]+(?:\[.*?\])?\r\x1b\[0K", log)


def run_kit(folder: Path, *words: str, **environment: str) -> str:
    """What the command says, on both streams."""
    paths = {"PATH": "/usr/bin:/bin", "PYTHONPATH": f"{ROOT}:{folder}", "HOME": str(folder)}
    done = subprocess.run(
        [sys.executable, "-m", "react_tck", *words],
        cwd=folder,
        env=paths | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    return done.stdout.decode()


@pytest.mark.parametrize("runner", RUNNERS)
def test_a_harness_says_no_command(runner: str, tmp_path: Path) -> None:
    (tmp_path / "harness.py").write_text(HARNESS.format(said=SAID), encoding="utf-8")

    log = run_kit(tmp_path, "run", "--", sys.executable, "harness.py", **{runner: "true"})

    assert "set-output" in log
    assert find_commands(log) == []


@pytest.mark.parametrize("words", WORDS)
def test_a_subject_in_python_says_no_command(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SUBJECT.format(said=SAID, name="::error::mine"), encoding="utf-8")
    selected = ("--tags", "@LOOP-001") if "run" in words else ()

    log = run_kit(tmp_path, *words, "python:mine:Mine", *selected, GITHUB_ACTIONS="true")

    assert "set-output" in log
    assert all(re.match("::(error|warning) (file=|title=)", line) for line in find_commands(log)), log
