"""Whole commands, from process start: as they are, and as they were before issue 16."""

import os
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure, at_most
from benchmarks.pairs import Pair, timed

_ROUNDS = 2
_HERE = Path(__file__).parents[1]
#: The commit that is called today's tree in issue 16.
_EARLIER = "63e66cd"
_RUN = at_most("run reference: now / before", 0.4)
_WIRE = at_most("run of a wire subject, the kit's processor: now / before", 0.3)
_HELP = at_most("--help", 0.25, "s")
_SMOKE = at_most("smoke reference", 2, "s")
#: What takes longer than a bench may.
_LONG = {
    at_most("matrix of all built-in subjects: now / before", 0.6): "make conformance, in both trees",
    at_most("prove: now / before", 0.5): "make prove, in both trees",
    at_most("make test: now / before", 0.5): "make test, in both trees",
    at_most(".ci/run in a clean clone, package caches warm", 6, "minutes"): "time .ci/run",
}
BOUNDS = (_RUN, _WIRE, _HELP, _SMOKE, *_LONG)


def figures() -> Iterator[Figure]:
    """Seconds that pass, and the processor's where the other end isn't the kit; ratios in turn."""
    yield _HELP.measured(statistics.median(seconds(["--help"], 3)))
    yield _SMOKE.measured(statistics.median(seconds(["smoke", "reference"], 3)))
    with earlier_tree() as earlier:
        for bound, subject, kind in ((_RUN, "reference", 0), (_WIRE, str(_HERE / "ports" / "perl"), 1)):
            if earlier is None:
                yield bound.unmeasured(f"the commit {_EARLIER} isn't in this clone")
                continue
            where = subject if kind == 0 else f"{subject}/react-tck.toml"
            rounds = [[ended(tree, ["run", where])[kind] for tree in (_HERE, earlier)] for _ in range(_ROUNDS)]
            now, before = zip(*rounds, strict=True)
            yield bound.measured_pair(Pair(now, before))
    for bound, command in _LONG.items():
        yield bound.unmeasured(command)


def seconds(arguments: Sequence[str], rounds: int) -> list[float]:
    """How long `react-tck ARGUMENTS` takes, each time in a process of its own."""
    return [ended(_HERE, arguments)[0] for _ in range(rounds)]


def ended(tree: Path, arguments: Sequence[str]) -> tuple[float, float]:
    """The seconds that pass until a command of that tree has ended, and those of processors, children's included."""
    before = os.times()
    command = [sys.executable, "-m", "react_tck", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    passed = timed(lambda: subprocess.run(command, capture_output=True, check=False, env=environment, cwd=tree))
    after = os.times()
    used = (after.children_user - before.children_user) + (after.children_system - before.children_system)
    return passed, used


@contextmanager
def earlier_tree() -> Iterator[Path | None]:
    """The tree before issue 16, checked out for as long as it is needed; None if this clone hasn't got it."""
    with TemporaryDirectory() as folder:
        tree = Path(folder) / "earlier"
        git = ["git", "-C", str(_HERE), "worktree"]
        made = subprocess.run([*git, "add", "--detach", str(tree), _EARLIER], capture_output=True, check=False)
        try:
            yield tree if made.returncode == 0 else None
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], capture_output=True, check=False)
