"""Distributions of the checkout, built as a release is."""

import shutil
import subprocess
import sys
from pathlib import Path

from react_tck import __version__
from tests.support.documents import ROOT

_SOURCES = (
    "pyproject.toml",
    "setup.py",
    "README.md",
    "LICENSE",
    "react_tck",
    "steps",
    "fakes",
    "reference",
    "features",
    "docs",
)


def copy_sources(root: Path) -> Path:
    """A copy of the sources in a folder, because setuptools reuses what an earlier build left beside them."""
    for name in _SOURCES:
        copy = shutil.copy if (ROOT / name).is_file() else _copy_folder
        copy(ROOT / name, root / name)
    return root


def _copy_folder(source: Path, target: Path) -> None:
    shutil.copytree(source, target, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))


def build_distribution(root: Path, kind: str, out: Path) -> Path:
    """The `wheel` or `sdist` of a tree, built into a folder; fails with what the builder said."""
    command = [sys.executable, "-m", "build", "--no-isolation", f"--{kind}", "--outdir", str(out), str(root)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    (made,) = out.glob(f"react_tck-{__version__}*{'.whl' if kind == 'wheel' else '.tar.gz'}")
    return made
