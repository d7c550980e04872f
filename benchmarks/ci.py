"""`python -m benchmarks.ci`: how long .ci/run takes in a clean clone of what is committed; it prints what CI does."""

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.commands import CI
from benchmarks.figures import table
from benchmarks.pairs import timed
from benchmarks.trees import ROOT


def main() -> None:
    """Clone, run, say."""
    with TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        passed = timed(lambda: subprocess.run(["bash", ".ci/run"], cwd=clone, check=True))
    print("\n".join(table((CI,), [CI.measured(passed / 60)])))


if __name__ == "__main__":
    main()
