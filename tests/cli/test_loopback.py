"""Where a machine has no loopback, nobody can reach the LM: the kit says so, and judges nothing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.house import ROOT

#: Runs a command in a network of its own, in which the loopback is down.
_ALONE = ("unshare", "--map-root-user", "--net")
_HARNESS = str(ROOT / "tests" / "harnesses" / "plain.py")


def can_be_alone() -> bool:
    return (
        shutil.which("unshare") is not None and subprocess.run([*_ALONE, "true"], capture_output=True).returncode == 0
    )


@pytest.mark.skipif(not can_be_alone(), reason="needs unshare, and leave to use it")
@pytest.mark.parametrize(
    "words",
    [
        ("run", "--tags", "@LOOP-001", "--json", "r.json"),
        *(
            ("check",),
            ("check", "--choices"),
            ("fuzz", "--examples", "3"),
            ("play", "LOOP-001"),
            ("baseline", "--write"),
        ),
    ],
    ids=" ".join,
)
def test_nothing_is_judged_without_a_loopback(words: tuple[str, ...], tmp_path: Path) -> None:
    done = subprocess.run(
        [*_ALONE, sys.executable, "-m", "react_tck", *words, "--", sys.executable, _HARNESS],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert done.returncode == 3, done.stdout + done.stderr
    assert "nothing can be judged here: " in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []
