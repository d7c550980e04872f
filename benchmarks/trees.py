"""How long the kit of this checkout takes to come to a verdict, and that of another one, in turn.

    python -m benchmarks.trees --against DIR [--rounds N] [WHAT…]

DIR is a checkout too, such as `git worktree add DIR REVISION` makes; both run with this interpreter. Of each command it
prints the seconds of processors, which others on the machine disturb less, and those that pass: medians of the rounds,
and their ratio to the other checkout's. What is asked of a ratio is in brackets.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.figures import Bound, at_most
from benchmarks.pairs import Pair, timed

ROOT = Path(__file__).parents[1]
_HARNESS = ("--", sys.executable, str(ROOT / "tests" / "harnesses" / "plain.py"))


@dataclass(frozen=True)
class Command:
    """A command of the kit, and the ratio it is to come to, if one is asked for."""

    words: Sequence[str]
    bound: Bound | None = None


COMMANDS: Mapping[str, Command] = {
    "list": Command(("list",)),
    "smoke": Command(("smoke", *_HARNESS)),
    "wire": Command(("run", *_HARNESS), at_most("run of a wire subject, processor time: now / before", 0.3)),
    "reference": Command(("run", "reference"), at_most("run reference: now / before", 0.4)),
    "matrix": Command(("matrix",), at_most("matrix of all built-in subjects: now / before", 0.6)),
    "prove": Command(("prove",), at_most("prove: now / before", 0.5)),
}
#: What takes less than a minute or so.
SHORT = ("list", "smoke", "wire", "reference")


@dataclass(frozen=True)
class Spent:
    """Seconds of processors and seconds that passed, of this checkout and of the other."""

    used: Pair
    passed: Pair


def measured(command: Command, other: Path, rounds: int) -> Spent:
    """The command in both checkouts, in turn, after a round to warm up."""
    trees = (ROOT, other.resolve())
    times = [[seconds(command.words, tree) for tree in trees] for _ in range(rounds + 1)][1:]
    used, passed = (tuple(zip(*([both[kind] for both in each] for each in times), strict=True)) for kind in (0, 1))
    return Spent(Pair(*used), Pair(*passed))


def seconds(words: Sequence[str], tree: Path = ROOT) -> tuple[float, float]:
    """Of processors, and as they pass, until `react-tck WORDS` of a tree has ended."""
    before = os.times()
    command = [sys.executable, "-m", "react_tck", *words]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    passed = timed(lambda: subprocess.run(command, cwd=tree, env=environment, capture_output=True, check=False))
    after = os.times()
    return (after.children_user - before.children_user) + (after.children_system - before.children_system), passed


def row(name: str, command: Command, spent: Spent) -> str:
    """The measurement as a line."""
    asked = f"   ({command.bound})" if command.bound else ""
    return f"  {name:<10} {_figures(spent.used)}   {_figures(spent.passed)}{asked}"


def _figures(pair: Pair) -> str:
    return f"{median(pair.measured):6.2f} / {median(pair.compared):6.2f} = {pair.ratio:.2f}"


def main() -> None:
    """As the command line says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trees")
    parser.add_argument("--against", type=Path, required=True, metavar="DIR")
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("names", nargs="*", metavar="WHAT", help=", ".join(COMMANDS))
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.names if name not in COMMANDS]:
        parser.error(f"there is no {unknown[0]!r}; there are {', '.join(COMMANDS)}")
    print(f"This checkout / {arguments.against}: seconds of processors; seconds that pass")
    for name in arguments.names or SHORT:
        print(row(name, COMMANDS[name], measured(COMMANDS[name], arguments.against, arguments.rounds)), flush=True)


if __name__ == "__main__":
    main()
