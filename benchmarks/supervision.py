"""What supervision costs: a run of the reference by a supervised worker, and the same run in the user's own process.

`python -m benchmarks.supervision` prints it alone.
"""

import os
import statistics
import subprocess
import sys
from itertools import chain

from benchmarks.pairs import Pair, timed

ROUNDS = 3
_COMMAND = [sys.executable, "-m", "react_tck", "run", "reference"]


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


def rows() -> list[str]:
    """The measurements, a line each."""
    names = ("seconds that pass", "seconds of processors")
    return [
        f"  {f'run reference: supervised / in process, {name}':<62} {_figures(pair)}   (at most 1.10)"
        for name, pair in zip(names, supervised_and_in_process(), strict=True)
    ]


def _figures(pair: Pair) -> str:
    one, other = (statistics.median(times) for times in (pair.measured, pair.compared))
    spread = ", ".join(f"{seconds:.1f}" for seconds in chain(pair.measured, pair.compared))
    return f"{one:.2f} / {other:.2f} = {pair.ratio:.2f} ({spread})"


if __name__ == "__main__":
    print("\n".join(rows()))
