"""`make borders`: the contract tests with the oldest and the newest versions that `pyproject.toml` allows."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.project.test_borders import TRIED

ROOT = Path(__file__).parents[2]
TESTS = (
    *("tests/project/test_borders.py", "tests/fuzz/test_campaign.py"),
    *("tests/engine/test_run.py", "tests/engine/test_step_table.py"),
)


def requirements(which: str) -> Iterator[str]:
    """What the kit and its reference need, the libraries with a border in their oldest or newest versions."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for needed in (*project["dependencies"], *project["optional-dependencies"]["reference"]):
        name, _, oldest = re.match(r"([\w-]+)(>=([\w.]+))?", needed).groups()  # type: ignore[union-attr]
        yield f"{name}=={oldest}" if which == "oldest" and name in TRIED else needed


def hold(which: str) -> int:
    """Run the contracts in an environment of their own, made anew."""
    folder = ROOT / "build" / "borders" / which
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *requirements(which)], check=True)
    told = (
        f"from importlib.metadata import version\nprint('{which}:', *(f'{{n}} {{version(n)}}' for n in {list(TRIED)}))"
    )
    subprocess.run([str(python), "-c", told], check=True)
    return subprocess.run([str(python), "-m", "pytest", "-p", "no:cacheprovider", *TESTS], cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(max([hold(which) for which in sys.argv[1:] or ("oldest", "newest")]))
