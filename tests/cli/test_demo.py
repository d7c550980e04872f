"""`react-tck demo` needs nothing but the kit, shows the bug, and what it says to type works."""

import re
import subprocess
import sys

import pytest

_WITHOUT_LIBRARIES = """
import sys
sys.modules.update(dict.fromkeys(("dspy", "udspy", "openai", "litellm")))
from react_tck.__main__ import main
sys.exit(main())
"""


def run_alone(*words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", _WITHOUT_LIBRARIES, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_demo_shows_one_bug_without_any_library() -> None:
    done = run_alone("demo")
    assert (done.returncode, done.stderr) == (0, "")
    assert ">> asks for a step                                      runs add(" in done.stdout
    assert re.findall(r"^([A-Z]+-\d+.*) ─", done.stdout, re.MULTILINE) == ["ERR-001, SAN-001"]
    assert "MUST met in the part that was selected; not met: ERR-001; 1 blocked by ERR-001" in done.stdout
    said = re.findall(r"^  \S.* react-tck (.*)$", done.stdout, re.MULTILINE)
    assert [words.split()[0] for words in said] == ["explain", "run", "init"]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("explain", "ERR-001"), 0),
        pytest.param(("run", "python:react_tck.demo:Helpful", "--profile", "all"), 1, marks=pytest.mark.all),
    ],
    ids=["explain", "run"],
)
def test_what_it_says_to_type_works(words: tuple[str, ...], status: int) -> None:
    assert run_alone(*words).returncode == status
