"""Whatever becomes of an output: the verdict is told and is the status, and no half file stays."""

import os
import shlex
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.zoo.outputs import OUTPUTS

pytestmark = [
    pytest.mark.skipif(find_spec("dspy") is None, reason="needs the extra 'reference'"),
    pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full"),
]
ROOT = Path(__file__).parents[2]
#: Seconds; each is one start of the kit.
_AT_ONCE = 60


@pytest.mark.parametrize("name", OUTPUTS)
def test_an_output_that_fails_costs_no_verdict(name: str, tmp_path: Path) -> None:
    failing, began = OUTPUTS[name], time.monotonic()
    kit = f'kit() {{ {shlex.quote(sys.executable)} -m react_tck "$@"; }}\n'
    done = subprocess.run(
        ["bash", "-c", f"{kit}{failing.line}"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        timeout=_AT_ONCE,
    )
    out, error = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == failing.status, error
    assert failing.out in out
    assert failing.error in error
    assert error.count("\n") == (1 if failing.error else 0), error
    assert not any(word in out + error for word in ("Traceback", "Exception ignored", "Broken pipe"))
    left = {str(path.relative_to(tmp_path)): path for path in tmp_path.rglob("*") if path.is_file()}
    assert {place: path.read_text() for place, path in left.items()} == failing.files
    assert time.monotonic() - began < _AT_ONCE


def test_there_are_enough_of_them() -> None:
    assert len(OUTPUTS) >= 12
