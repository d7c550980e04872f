"""Whatever becomes of an output: the verdict is told and is the status, and no half file stays."""

import os
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.zoo.by_kind import split_by_kind
from tests.zoo.outputs import OUTPUTS, FailingOutput

pytestmark = [
    pytest.mark.skipif(find_spec("dspy") is None, reason="needs the extra 'reference'"),
    pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full"),
]
ROOT = Path(__file__).parents[2]
#: Seconds; each is one start of the kit.
_AT_ONCE = 60


def kind_of(failing: FailingOutput) -> str:
    """What can't be written to, and whether the verdict is known by then."""
    known = "after a failure" if failing.status == 1 else "after the run" if failing.out else "before the run"
    return (
        "a stream, " if any(each in failing.line for each in (">&-", "> /dev", "| head", "LC_ALL")) else "a file, "
    ) + known


@pytest.mark.parametrize("names", split_by_kind(OUTPUTS, kind_of))
def test_an_output_that_fails_costs_no_verdict(names: list[str], tmp_path: Path) -> None:
    for number, name in enumerate(names):
        print(name)
        (tmp_path / str(number)).mkdir()
        _write(OUTPUTS[name], tmp_path / str(number))


def _write(failing: FailingOutput, folder: Path) -> None:
    kit = f'kit() {{ {shlex.quote(sys.executable)} -m react_tck "$@"; }}\n'
    done = subprocess.run(
        ["bash", "-c", f"{kit}{failing.line}"],
        cwd=folder,
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
    left = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    assert {place: path.read_text() for place, path in left.items()} == failing.files
