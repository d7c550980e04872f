"""How long .ci/run takes in a clean clone of what is committed, and what it makes; it prints what CI does."""

import argparse
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure, at_most, table
from benchmarks.trees import ROOT

_CI = at_most(".ci/run in a clean clone, package caches warm", 6, "minutes")
BOUNDS = (_CI,)

#: What .ci/run finds in the place of `make`: it notes how long each target takes, and what they all need first.
_MAKE = """#!{python}
import os, subprocess, sys, time

os.environ["PATH"] = os.environ["PATH"].partition(os.pathsep)[2]
with open({times!r}, "a", encoding="utf-8") as times:
    for target in ("setup", *sys.argv[1:]):
        begun = time.perf_counter()
        status = subprocess.run(["make", target]).returncode
        print(target, time.perf_counter() - begun, file=times)
sys.exit(status)
"""
#: What may not come from around the clone: other code, and the options of a `make bench`.
_LEFT_OUT = {"PYTHONPATH", "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES"}


@dataclass(frozen=True)
class Checked:
    """What .ci/run came to: its exit status, the seconds that passed, and those of each target."""

    status: int
    seconds: float
    parts: Mapping[str, float]

    def __str__(self) -> str:
        told = ", ".join(f"{name} {_minutes(seconds)}" for name, seconds in self.parts.items())
        return f"exit status {self.status}; {told}" if self.status else told


def figures() -> Iterator[Figure]:
    """It alone takes longer than all others together."""
    print("  .ci/run in a clean clone; that took 16 minutes when it was last written down", flush=True)
    done = checked(ROOT)
    yield _CI.unmeasured(str(done)) if done.status else _CI.measured(done.seconds / 60, str(done))


def checked(repository: Path) -> Checked:
    """Clone it, run its .ci/run there, and time that."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        clone, times, programs = folder / "clone", folder / "times", folder / "programs"
        programs.mkdir()
        times.touch()
        make = programs / "make"
        make.write_text(_MAKE.format(python=sys.executable, times=str(times)), encoding="utf-8")
        make.chmod(0o755)
        around = {key: value for key, value in os.environ.items() if key not in _LEFT_OUT}
        around["PATH"] = f"{programs}{os.pathsep}{around['PATH']}"
        subprocess.run(["git", "clone", "--quiet", str(repository), str(clone)], check=True)
        begun = time.perf_counter()
        done = subprocess.run(["bash", ".ci/run"], cwd=clone, env=around, check=False)
        seconds = time.perf_counter() - begun
        return Checked(done.returncode, seconds, _parts(times.read_text(encoding="utf-8")))


def _parts(times: str) -> Mapping[str, float]:
    parts: defaultdict[str, float] = defaultdict(float)
    for name, passed in map(str.split, times.splitlines()):
        parts[name] += float(passed)
    return parts


def _minutes(seconds: float) -> str:
    return f"{round(seconds) // 60}:{round(seconds) % 60:02}"


def main() -> None:
    """Clone, run, say."""
    argparse.ArgumentParser("python -m benchmarks.ci", description=__doc__).parse_args()
    print("\n".join(table(BOUNDS, figures())))


if __name__ == "__main__":
    main()
