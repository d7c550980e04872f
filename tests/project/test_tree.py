"""A test that leaves a file changed in the checkout, or one that can't be read, fails the run."""

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from py_compile import compile as compile_module

import pytest

from tests.support.tree import describe_unreadable, find_changes

ROOT = Path(__file__).parents[2]
CONFTEST = """
from pathlib import Path
from tests.support.tree import TreeCheck, is_needed

def pytest_configure(config):
    if is_needed(config):
        config.pluginmanager.register(TreeCheck(Path(__file__).parent))
"""
#: What may be left behind; and what changes by it, if anything does.
LEFT: dict[str, tuple[Callable[[Path], object], set[str]]] = {
    "nothing": (lambda folder: None, set()),
    "a file that git ignores": (lambda folder: (folder / "build").write_text(""), set()),
    "a file that was there, changed": (lambda folder: (folder / "kept").write_text("b"), {"kept"}),
    "a file that was changed before": (lambda folder: (folder / "dirty").write_text("c"), {"dirty"}),
    "a file that was there, gone": (lambda folder: (folder / "kept").unlink(), {"kept"}),
    "a new file": (lambda folder: (folder / "new").touch(), {"new"}),
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """A repository with a test that leaves a new file behind, beside one that does nothing."""
    files = {
        "conftest.py": CONFTEST,
        "pytest.ini": "[pytest]\naddopts = -q -p no:cacheprovider\n",
        ".gitignore": "build\n__pycache__/\n",
        "kept": "a",
        "dirty": "a",
        "test_it.py": "from pathlib import Path\ndef test_it(): Path('new').touch()\n",
        "test_other.py": "def test_other(): pass\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "All"]):
        subprocess.run([*git, *words], check=True)
    (tmp_path / "dirty").write_text("b", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("left", LEFT)
def test_what_is_left_behind_is_found(left: str, folder: Path) -> None:
    before = find_changes(folder)
    leave, changed = LEFT[left]
    leave(folder)
    after = find_changes(folder)
    assert {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)} == changed


def test_a_compiled_file_that_is_cut_is_found(tmp_path: Path) -> None:
    (tmp_path / "cut.py").write_text("x = 1\n", encoding="utf-8")
    compiled = Path(str(compile_module(str(tmp_path / "cut.py"))))
    assert list(describe_unreadable(tmp_path)) == []
    compiled.write_bytes(compiled.read_bytes()[:-9])
    (said,) = describe_unreadable(tmp_path)
    assert said.startswith(f"__pycache__/cut.{sys.implementation.cache_tag}.pyc can't be imported: ")


@pytest.mark.parametrize("processes", [0, pytest.param(2, marks=pytest.mark.all)])
def test_what_tests_leave_behind_fails_the_run(processes: int, folder: Path) -> None:
    if processes and find_spec("xdist") is None:
        pytest.skip("pytest-xdist isn't installed")
    hidden = {"PYTEST_CURRENT_TEST", "PYTHONDONTWRITEBYTECODE", "PYTEST_XDIST_WORKER"}
    around = {name: value for name, value in os.environ.items() if name not in hidden}
    words = [sys.executable, "-m", "pytest", "-p", "no:langsmith_plugin", *(["-n", str(processes)] * bool(processes))]

    done = subprocess.run(words, cwd=folder, env={**around, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True)

    assert "new was changed while the tests ran" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("1 failed, 2 passed"), done.stdout
    assert done.returncode == 1
