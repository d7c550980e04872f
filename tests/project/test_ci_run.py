"""`.ci/run` runs the tests first, then every other check, and ends with the closing line of the tests."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TARGETS = ["test", "lint", "conformance", "prove", "ports"]
CLOSING = "1 failed, 5054 passed, 12 skipped in 301.25s (0:05:01)"
#: What stands in the place of `make`: it prints what a file named like its target holds, and fails if there is none.
MAKE = '#!/bin/sh\necho "making $1"\ncat "$1" || exit 2\n'


def run_ci(folder: Path, outputs: dict[str, str], *targets: str) -> tuple[int, list[str]]:
    """The exit status and the lines of `.ci/run` where each target prints this; one that isn't named fails."""
    (folder / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", folder / ".ci" / "run")
    for name, text in {"make": MAKE, **outputs}.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "make").chmod(0o755)
    done = subprocess.run(
        ["bash", ".ci/run", *targets],
        cwd=folder,
        env={**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout.splitlines()


def made(lines: list[str]) -> list[str]:
    return [line.removeprefix("making ") for line in lines if line.startswith("making ")]


@pytest.mark.parametrize("closing", ["5055 passed in 9.15s", CLOSING, "\x1b[32m\x1b[1m3 passed\x1b[0m in 0.10s\x1b[0m"])
def test_the_closing_line_of_the_tests_is_the_last(closing: str, tmp_path: Path) -> None:
    outputs = {**dict.fromkeys(TARGETS, "53 passed in 1.00s\n"), "test": f"....\n{closing}\nmake: done\n"}
    status, lines = run_ci(tmp_path, outputs)

    assert status == 0
    assert made(lines) == TARGETS
    assert lines[-1] == closing
    assert lines.index(closing) < lines.index("making lint")


@pytest.mark.parametrize("failing", TARGETS)
def test_a_target_that_fails_stops_no_other(failing: str, tmp_path: Path) -> None:
    outputs = {name: f"{CLOSING}\n" for name in TARGETS if name != failing}
    status, lines = run_ci(tmp_path, outputs)

    assert status == 1
    assert made(lines) == TARGETS
    assert f"failed: {failing}" in lines
    assert lines[-1] == (CLOSING if failing != "test" else "make test ended before pytest did: it has no closing line")


def test_all_that_failed_is_named_once(tmp_path: Path) -> None:
    status, lines = run_ci(tmp_path, {})

    assert status == 1
    assert lines.count(f"failed: {' '.join(TARGETS)}") == 1
