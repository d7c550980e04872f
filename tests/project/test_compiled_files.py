"""Where files may only grow so large, the kit's processes leave no compiled file behind that is cut."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: One block of 1,024 bytes, fewer than a compiled module takes.
LIMIT = "ulimit -f 1; "
#: More than most take.
HIGH_LIMIT = "ulimit -f 200; "
#: Reads features, plays them in a worker, and one of them in a fresh process.
RUN = 'run python:examples.own_agent:Mine -k "ReAct selects and executes a tool"'

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")


def environment() -> dict[str, str]:
    """The variables of a process that may keep what it compiles."""
    hidden = {"PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"}
    return {name: value for name, value in os.environ.items() if name not in hidden}


@pytest.fixture(name="kit", scope="module")
def _kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the kit of which nothing is compiled yet."""
    folder = tmp_path_factory.mktemp("kit")
    # What an environment imports at each start may not have been compiled yet: under a limit it would be cut.
    subprocess.run([sys.executable, "-c", ""], env=environment(), check=True)
    shutil.copytree(ROOT / "react_tck", folder / "react_tck", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def run_kit(kit: Path, words: str, before: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", f"{before}exec {sys.executable} -m react_tck {words}"],
        cwd=kit,
        env={**environment(), "PYTHONPATH": f"{kit}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
    )


def compiled_files(kit: Path) -> dict[str, int]:
    """What Python and the kit keep of what they have read, with the time of the last change."""
    kept = (path for folder in kit.rglob("__pycache__") for path in folder.iterdir())
    return {str(path.relative_to(kit)): path.stat().st_mtime_ns for path in kept}


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        (LIMIT, RUN),
        *(pytest.param(*case, marks=pytest.mark.all) for case in ((LIMIT, f"{RUN} --in-process"), (HIGH_LIMIT, RUN))),
    ],
)
def test_under_a_limit_nothing_is_kept_and_the_kit_works_afterwards(limit: str, words: str, kit: Path) -> None:
    for folder in list(kit.rglob("__pycache__")):
        shutil.rmtree(folder)

    limited = run_kit(kit, words, limit)
    assert limited.returncode == 0, limited.stderr
    # Python writes this one before the kit has a say; if it is cut, the kit removes it.
    own = "react_tck/__pycache__/__init__."
    assert [name for name in compiled_files(kit) if limit == LIMIT or not name.startswith(own)] == []

    free = run_kit(kit, words)
    assert (free.returncode, free.stderr) == (0, "")
    assert any(name.endswith(".pyc") for name in compiled_files(kit))
