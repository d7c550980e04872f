"""Whole commands, from process start: as they are, and as they were before issue 16."""

import statistics
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Bound, Figure, at_most
from benchmarks.trees import COMMANDS, ROOT, measured, seconds

_ROUNDS = 2
#: The commit that is called today's tree in issue 16.
_EARLIER = "63e66cd"
_HELP = at_most("--help", 0.25, "s")
_SMOKE = at_most("smoke reference", 2, "s")
#: What is timed in both trees; of what isn't the kit alone, the processor's seconds count.
_BOTH = ("reference", "wire")
#: What takes longer than a bench may.
_LONG = {
    "matrix": "python -m benchmarks.trees --against DIR matrix",
    "prove": "python -m benchmarks.trees --against DIR prove",
}
_TESTS = {
    at_most("make test: now / before", 0.5): "make test, in both trees",
    at_most(".ci/run in a clean clone, package caches warm", 6, "minutes"): "time .ci/run",
}


def _bound(name: str) -> Bound:
    bound = COMMANDS[name].bound
    assert bound, f"{name} is timed without a bound"
    return bound


BOUNDS = (*map(_bound, (*_BOTH, *_LONG)), _HELP, _SMOKE, *_TESTS)


def figures() -> Iterator[Figure]:
    """Seconds that pass, and the processor's where the other end isn't the kit; ratios in turn."""
    for bound, words in ((_HELP, ["--help"]), (_SMOKE, ["smoke", "reference"])):
        yield bound.measured(_passing(words))
    with earlier_tree() as earlier:
        for name in _BOTH:
            if earlier is None:
                yield _bound(name).unmeasured(f"the commit {_EARLIER} isn't in this clone")
                continue
            spent = measured(COMMANDS[name], earlier, _ROUNDS)
            yield _bound(name).measured_pair(spent.used if name == "wire" else spent.passed)
    for name, command in _LONG.items():
        yield _bound(name).unmeasured(command)
    for bound, command in _TESTS.items():
        yield bound.unmeasured(command)


def _passing(words: Sequence[str]) -> float:
    return statistics.median(seconds(words)[1] for _ in range(3))


@contextmanager
def earlier_tree() -> Iterator[Path | None]:
    """The tree before issue 16, checked out for as long as it is needed; None if this clone hasn't got it."""
    with TemporaryDirectory() as folder:
        tree = Path(folder) / "earlier"
        git = ["git", "-C", str(ROOT), "worktree"]
        made = subprocess.run([*git, "add", "--detach", str(tree), _EARLIER], capture_output=True, check=False)
        try:
            yield tree if made.returncode == 0 else None
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], capture_output=True, check=False)
