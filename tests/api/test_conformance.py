"""The requirements in a pytest of a user's: a folder of their own, their fixtures, `-k`, xdist, a baseline."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import react_tck

BASELINE = """\
[function-agent]
profile = "core"
unsupported = []

[[function-agent.failure]]
requirement = "EXT-004"
fault = "Then the extraction asks for reasoning, unless its declared choice is plain predict"
rows = ["The extraction asks for reasoning, unless the subject declares plain predict"]

[[function-agent.failure]]
requirement = "LOOP-001"
fault = "it never acts"
rows = ["ReAct selects and executes a tool"]
"""


def outcomes(folder: Path, *words: str) -> str:
    """What pytest says in the folder, where nothing of this repository's configuration is read."""
    environment = {**os.environ, "PYTHONPATH": str(Path(react_tck.__file__).parents[1]), "COLUMNS": "250"}
    environment = {name: value for name, value in environment.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:langsmith_plugin", "-v", "-rxsf"]
    done = subprocess.run([*command, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_each_row_is_a_test(folder: Path) -> None:
    names = "TOOL-005 or TOOL-014 or TOOL-015 or TOOL-016"
    said = outcomes(folder, "-n", "2", "-k", f"LOOP-001 or LOOP-009 or STEP-001 or EXT-004 or {names}")

    assert "PASSED test_conformance.py::test_mine[LOOP-001: ReAct selects and executes a tool]" in said, said
    assert "5 failed, 14 passed, 12 skipped, 2 xfailed" in said, said
    # What isn't supported says why, and so does what isn't held against it.
    assert "function-agent does not declare 'call-max-steps'" in said
    assert "EXT-004 (SHOULD): " in said
    assert re.search(r"TOOL-01[456] \(practice, major\): ", said), said
    # What fails is told as a bug report, and not as the kit came to it.
    assert "STEP-001 (MUST, " in said
    assert "reproduce: react-tck run --profile core -k '" in said
    assert "Traceback" not in said
    assert "api/conformance.py" not in said.partition("short test summary")[0]


def test_rows_are_played_under_the_interpreter_of_the_agent(folder: Path) -> None:
    python = folder / "python"
    # -I -S: nothing is installed there, neither the kit nor what it needs.
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    agent = folder / "function_agent.py"
    agent.write_text(f"import sys\nassert sys.flags.isolated\n{agent.read_text(encoding='utf-8')}", encoding="utf-8")
    (folder / "test_conformance.py").write_text(
        "import react_tck\n\n"
        "@react_tck.conformance('function_agent:Mine', python='./python')\n"
        "def test_mine():\n    pass\n",
        encoding="utf-8",
    )
    said = outcomes(folder, "-k", "LOOP-001 or LOOP-009 or STEP-001")

    assert "5 failed, 2 passed, 12 skipped" in said, said
    assert re.search(r"reproduce: react-tck run --profile core -k '.*' python:function_agent:Mine@./python", said), said


def test_the_baseline_accepts_what_it_lists_and_nothing_else(folder: Path) -> None:
    (folder / "react-tck.baseline.toml").write_text(BASELINE, encoding="utf-8")
    (folder / "test_conformance.py").write_text(
        "import pytest\nimport react_tck\nfrom function_agent import Mine\n\n"
        "@react_tck.conformance(Mine, baseline='react-tck.baseline.toml')\n"
        "def test_mine():\n    pass\n\n"
        "@pytest.fixture\ndef limit():\n    return 7\n\n"
        "@react_tck.conformance(Mine)\n"
        "def test_with_fixtures(limit, request):\n"
        "    assert limit == 8, request.node.name\n",
        encoding="utf-8",
    )
    said = outcomes(folder, "-k", "LOOP-001 or EXT-004 and not fixtures or HIS-002 and not fixtures")

    assert "10 failed, 2 passed, 3 skipped" in said, said
    assert "1 xfailed" in said
    assert "EXT-004 is in the baseline: Then the extraction asks for reasoning" in said
    assert "LOOP-001 'ReAct selects and executes a tool' passes and is listed as a failure; delete the row" in said
    assert "HIS-002 isn't judged: function-agent does not declare 'history'" in said
    # The fixtures, and what stands in the function, come before the scenarios.
    assert "AssertionError: test_with_fixtures[LOOP-001: ReAct selects and executes a tool]" in said


@pytest.mark.usefixtures("folder")
def test_what_cannot_be_meant_is_said_at_once() -> None:
    from function_agent import Mine  # type: ignore[import-not-found]

    async def test_mine() -> None:
        """It would never be awaited."""

    wrong: dict[str, Callable[[], object]] = {
        "there is no profile 'cor'; the profiles are core, ": lambda: react_tck.conformance(Mine, profile="cor"),
        "there is no baseline none.toml; `react-tck baseline python:function_agent:Mine --write` makes one": (
            lambda: react_tck.conformance(Mine, baseline="none.toml")
        ),
        "test_mine is no plain function": lambda: react_tck.conformance(Mine)(test_mine),
    }
    for said, call in wrong.items():
        with pytest.raises(ValueError, match=said):
            call()


def test_a_baseline_of_another_subject_is_refused(folder: Path) -> None:
    from function_agent import Mine

    (folder / "react-tck.baseline.toml").write_text('[other]\nprofile = "core"\nunsupported = []\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"has no section \[function-agent\]; there are other"):
        react_tck.conformance(Mine, baseline="react-tck.baseline.toml")
