"""A test that leaves a file changed in the checkout, or one that can't be read, fails the run."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONFTEST = """
from pathlib import Path
from tests.support.tree import TreeCheck, is_needed

def pytest_configure(config):
    if is_needed(config):
        config.pluginmanager.register(TreeCheck(Path(__file__).parent))
"""
#: The body of a test, by what it leaves behind; what is said of it.
LEFT = {
    "nothing": ("pass", ""),
    "a file that git ignores": ("Path('build').mkdir(exist_ok=True); Path('build/x').touch()", ""),
    "a file that was there, changed": ("Path('kept').write_text('b')", "kept was changed while the tests ran"),
    "a file that was changed before": ("Path('dirty').write_text('c')", "dirty was changed while the tests ran"),
    "a file that was there, gone": ("Path('kept').unlink()", "kept was changed while the tests ran"),
    "a new file": ("Path('new').touch()", "new was changed while the tests ran"),
    "a compiled file that is cut": (
        "import cut; path = Path(cut.__cached__); path.write_bytes(path.read_bytes()[:-9])",
        f"__pycache__/cut.{sys.implementation.cache_tag}.pyc can't be imported: ",
    ),
}


def make_repository(folder: Path, body: str) -> None:
    """One with a test that does something, beside others that do nothing."""
    files = {
        "conftest.py": CONFTEST,
        "pytest.ini": "[pytest]\naddopts = -q -p no:cacheprovider\npythonpath = .\n",
        ".gitignore": "build/\n__pycache__/\n",
        "kept": "a",
        "dirty": "a",
        "cut.py": "x = 1\n",
        "test_it.py": f"from pathlib import Path\ndef test_it():\n    {body}\n",
        "test_other.py": "def test_other():\n    pass\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    git = ["git", "-C", str(folder), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "All"]):
        subprocess.run([*git, *words], check=True)
    (folder / "dirty").write_text("b", encoding="utf-8")


@pytest.mark.parametrize(("left", "processes"), [*((left, 0) for left in LEFT), ("nothing", 2), ("a new file", 2)])
def test_what_tests_leave_behind_fails_the_run(left: str, processes: int, tmp_path: Path) -> None:
    if processes and find_spec("xdist") is None:
        pytest.skip("pytest-xdist isn't installed")
    body, complaint = LEFT[left]
    make_repository(tmp_path, body)
    hidden = {"PYTEST_CURRENT_TEST", "PYTHONDONTWRITEBYTECODE", "PYTEST_XDIST_WORKER"}
    around = {name: value for name, value in os.environ.items() if name not in hidden}
    words = [sys.executable, "-m", "pytest", "-p", "no:langsmith_plugin", *(["-n", str(processes)] * bool(processes))]

    done = subprocess.run(words, cwd=tmp_path, env={**around, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True)

    assert complaint in done.stdout
    closing = done.stdout.splitlines()[-1]
    assert closing.startswith("1 failed, 2 passed" if complaint else "2 passed"), done.stdout
    assert done.returncode == (1 if complaint else 0)
