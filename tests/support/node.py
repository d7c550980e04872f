"""Packages of npm for tests: installed once into the user's cache, where node, npm and a registry are."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from functools import lru_cache
from pathlib import Path

import pytest

from react_tck.subjects.releases import cache_folder

#: What is installed, to the letter: what a test finds doesn't depend on the day.
PACKAGES = ("openai@6.49.0", "@anthropic-ai/sdk@1.14.0", "ai@6.0.326", "@ai-sdk/openai@3.0.141", "zod@4.6.7")
_NPM = (
    *("npm", "install", "--ignore-scripts", "--no-package-lock", "--no-save", "--no-audit", "--no-fund"),
    *("--prefer-offline", "--fetch-retries=0", "--fetch-timeout=20000", "--loglevel=error"),
)


def node_modules() -> Path:
    """The folder with them; who can't have it is skipped, and told why."""
    modules = found()
    if isinstance(modules, str):
        pytest.skip(modules)
    return modules


@lru_cache
def found(packages: tuple[str, ...] = PACKAGES) -> Path | str:
    """The folder with these packages, or why there is none."""
    if missing := [tool for tool in ("node", "npm") if shutil.which(tool) is None]:
        return f"there is no {' and no '.join(missing)} here"
    named = os.environ.get("REACT_TCK_NODE_MODULES")
    if named and all(Path(named, package.rpartition("@")[0]).is_dir() for package in packages):
        return Path(named)
    folder = cache_folder() / f"node-{hashlib.sha256(' '.join(packages).encode()).hexdigest()[:12]}"
    return folder / "node_modules" if folder.is_dir() else _installed(folder, packages)


def _installed(folder: Path, packages: tuple[str, ...]) -> Path | str:
    """Installed beside it, and named so once it is whole: somebody else may be doing the same."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, ignore_cleanup_errors=True) as made:
        try:
            done = subprocess.run(
                [*_NPM, *packages], cwd=made, capture_output=True, text=True, timeout=180, check=False
            )
        except subprocess.TimeoutExpired:
            return f"npm took more than 180 s to install {' '.join(packages)}"
        if done.returncode:
            return f"npm can't install {' '.join(packages)}: {' '.join(done.stderr.split())[:200]}"
        if not folder.is_dir():
            Path(made).rename(folder)
    return folder / "node_modules"
