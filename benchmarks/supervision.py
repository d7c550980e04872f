"""What supervision costs: a run of the reference by a supervised worker, and the same run in the user's own process.

`python -m benchmarks.supervision` prints it alone.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain

from benchmarks.figures import Figure, at_most, table
from benchmarks.pairs import Pair, timed

ROUNDS = 2
_COMMAND = [sys.executable, "-m", "react_tck", "run", "reference"]

_NAMES = ("seconds that pass", "seconds of processors")
BOUNDS = tuple(at_most(f"run reference: supervised / in process, {name}", 1.1) for name in _NAMES)


def supervised_and_in_process(rounds: int = ROUNDS) -> tuple[Pair, Pair]:
    """The seconds that pass, and those of processors, which others on the machine disturb less; both ways in turn."""
    ways = (["-n", "1"], ["--in-process"])
    times = [[_seconds(way) for way in ways] for _ in range(rounds)]
    passed, used = ([[both[kind] for both in ended] for ended in times] for kind in (0, 1))
    return _pair(passed), _pair(used)


def _seconds(arguments: list[str]) -> tuple[float, float]:
    before = os.times()
    passed = timed(lambda: subprocess.run([*_COMMAND, *arguments], capture_output=True, check=True))
    after = os.times()
    used = (after.children_user - before.children_user) + (after.children_system - before.children_system)
    return passed, used


def _pair(rounds: list[list[float]]) -> Pair:
    one, other = zip(*rounds, strict=True)
    return Pair(one, other)


def figures() -> Iterator[Figure]:
    """Both ways, in turn."""
    for bound, measured in zip(BOUNDS, supervised_and_in_process(), strict=True):
        one, other = measured.medians
        spread = ", ".join(f"{seconds:.1f}" for seconds in chain(measured.measured, measured.compared))
        yield bound.measured(measured.ratio, f"{one:.2f} / {other:.2f} s ({spread})")


if __name__ == "__main__":
    print("\n".join(table(BOUNDS, figures())))
