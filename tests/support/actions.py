"""What stands in YAML for other machines, run on this one as it stands: an installed kit, and steps in bash."""

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.support.distributions import copy_sources

ROOT = Path(__file__).parents[2]


def read_yaml(text: str) -> Any:
    """What a YAML text holds."""
    return yaml.safe_load(text)


@dataclass(frozen=True)
class Machine:
    """A machine with a Python of its own, on which pip finds what the kit needs, but not the kit, and no network."""

    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        """What a step finds in its environment."""
        given = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTEST_"))}
        return {
            **given,
            "PATH": f"{self.folder / 'venv' / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(self.folder / "needs"),
            "PIP_NO_INDEX": "1",
            "PIP_NO_COMPILE": "1",
            "PIP_NO_BUILD_ISOLATION": "0",  # which pip reads as that there is to be none
            "PIP_CACHE_DIR": str(self.folder / "pip"),
        }

    def run(self, script: str, cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
        """Run it as a runner does."""
        return subprocess.run(
            ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script),
            cwd=cwd,
            env={**self.environment, **more},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )


def machine(folder: Path) -> Machine:
    """A new one."""
    subprocess.run((sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")), check=True)
    pip = folder / "venv" / "bin" / "pip"
    pip.write_text('#!/bin/sh\nexec "${0%/*}/python" -m pip "$@"\n', encoding="utf-8")
    pip.chmod(0o755)
    (folder / "needs").mkdir()
    folders = {Path(sysconfig.get_path(kind)) for kind in ("purelib", "platlib")}
    for path in (path for folder_ in sorted(folders) for path in folder_.iterdir()):
        # An editable installation says where it is in a file that is read only in a folder of Python's own.
        if not path.name.startswith(("react_tck", "__editable__")):
            (folder / "needs" / path.name).symlink_to(path)
    return Machine(folder)


def checkout(folder: Path) -> Path:
    """The sources as a runner has them, so that a build leaves nothing in ours."""
    shutil.copy(ROOT / "action.yml", folder / "action.yml")
    return copy_sources(folder)


@dataclass(frozen=True)
class Action:
    """A composite action in a checkout of its own."""

    folder: Path

    def step(self, name: str) -> Mapping[str, Any]:
        """The step of that name."""
        steps = read_yaml((self.folder / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
        found: Mapping[str, Any] = next(step for step in steps if step.get("name") == name)
        return found

    def variables(self, name: str, values: Mapping[str, str]) -> dict[str, str]:
        """What a step has in its environment, its expressions being these values."""
        said = self.step(name).get("env", {})
        return {key: values.get(value.removeprefix("${{ ").removesuffix(" }}"), "") for key, value in said.items()}
