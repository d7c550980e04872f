"""Environments of Python for tests: the kit beside packages that its own lacks, once in the cache of a user."""

import hashlib
import os
import subprocess
import sys
import tempfile
import tomllib
from functools import lru_cache
from pathlib import Path

import pytest

from react_tck.subjects.releases import cache_folder

ROOT = Path(__file__).parents[2]
#: The newest releases when this was written, to the letter: what a test finds doesn't depend on the day.
NEWEST_OPENAI = ("openai==3.57.0",)
ANTHROPIC = (
    "anthropic==2.14.0",
    "langchain==1.5.2",
    "langchain-anthropic==1.7.10",
    "openai==3.57.0",
    "pydantic-ai-slim[anthropic]==2.68.0",
)
_INSTALL = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries=0", "--timeout=20")


def run_pytest(packages: tuple[str, ...], *arguments: str) -> "subprocess.CompletedProcess[str]":
    """What pytest says in an environment with these packages; who can't have it is skipped, and told why."""
    python = find_python(packages)
    if isinstance(python, str):
        pytest.skip(python)
    options = ("-p", "react_tck.pytest_plugin", "-p", "no:react_tck", "-p", "no:cacheprovider", "-o", "addopts=", "-q")
    return subprocess.run(
        [str(python), "-m", "pytest", *options, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@lru_cache
def find_python(packages: tuple[str, ...]) -> Path | str:
    """The interpreter that has these packages and what the kit needs, or why there is none."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = (*project["project"]["dependencies"], *packages)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    name = hashlib.sha256(" ".join((version, *needed)).encode()).hexdigest()[:12]
    folder = cache_folder() / f"python-{name}"
    failed = None if folder.is_dir() else _install(folder, needed)
    return failed or folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _install(folder: Path, needed: tuple[str, ...]) -> str | None:
    """Made beside it, and named so once it is whole, as somebody else may be doing the same; or why it can't be."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, ignore_cleanup_errors=True) as made:
        place = Path(made, "made")
        python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        for command in ((sys.executable, "-m", "venv", str(place)), (str(python), *_INSTALL, *needed)):
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=400, check=False)
            except subprocess.TimeoutExpired:
                return f"pip took more than 400 s to install {' '.join(needed)}"
            if done.returncode:
                return f"pip can't install {' '.join(needed)}: {' '.join(done.stderr.split())[:200]}"
        if not folder.is_dir():
            place.rename(folder)
    return None
