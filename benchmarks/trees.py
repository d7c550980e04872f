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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.figures import Bound, at_most
from benchmarks.pairs import Pair, timed

ROOT = Path(__file__).parents[1]
HARNESS = ("--", sys.executable, str(ROOT / "tests" / "harnesses" / "plain.py"))


@dataclass(frozen=True)
class Command:
    """What Python is told to run, and the ratio it is to come to, if one is asked for."""

    words: Sequence[str]
    bound: Bound | None = None


def kit(*words: str) -> Sequence[str]:
    """`react-tck WORDS`, as Python is told."""
    return ("-m", "react_tck", *words)


SMOKE_OVER_THE_WIRE = Command(kit("run", "--tags", "@smoke", *HARNESS))
#: The options of `make test`.
_TEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder")
COMMANDS: Mapping[str, Command] = {
    "list": Command(kit("list")),
    "smoke": SMOKE_OVER_THE_WIRE,
    "wire": Command(kit("run", *HARNESS), at_most("run of a wire subject, processor time: now / before", 0.3)),
    "reference": Command(kit("run", "reference"), at_most("run reference: now / before", 0.4)),
    "matrix": Command(kit("matrix"), at_most("matrix of all built-in subjects: now / before", 0.6)),
    "prove": Command(kit("prove"), at_most("prove: now / before", 0.5)),
    "test": Command(_TEST, at_most("make test: now / before", 0.5)),
}
#: What takes less than a minute or so.
SHORT = ("list", "smoke", "wire", "reference")
#: A part of what takes longer, by the same name; of `prove` every so manieth mutant that both trees have.
_SUBJECTS, _MUTANTS, _FOLDERS = ("dspy", "machina", "langchain"), 20, ("tests/judges", "tests/steps")
_SOME_MUTANTS = """
import sys
try:
    from react_tck.cli.commands import prove
except ImportError:  # an older tree
    from react_tck.cli import prove
from react_tck.cli.main import main
load = "load_mutants" if hasattr(prove, "load_mutants") else "mutants"
mutants = getattr(prove, load)()
prove.CHEATERS = ()
chosen = {name: mutants[name] for name in sys.argv[1:]}
setattr(prove, load, lambda: chosen)
sys.exit(main(["prove"]))
"""
_ALL_MUTANTS = "import json; print(*json.load(open('features/mutants.json')))"


def _some_mutants(other: Path) -> Sequence[str]:
    ours, theirs = (_output(("-c", _ALL_MUTANTS), tree).split() for tree in (ROOT, other))
    return ("-c", _SOME_MUTANTS, *sorted(set(ours) & set(theirs))[::_MUTANTS])


@dataclass(frozen=True)
class Sample:
    """What stands for a command that takes longer than a bench may: how it is told, and its words, given the tree."""

    told: str
    words: Callable[[Path], Sequence[str]]


SAMPLES: Mapping[str, Sample] = {
    "matrix": Sample(f"of {', '.join(_SUBJECTS)}", lambda _: kit("matrix", *_SUBJECTS)),
    "prove": Sample(f"of one mutant in {_MUTANTS}", _some_mutants),
    "test": Sample(f"of {', '.join(_FOLDERS)}", lambda _: (*_TEST, *_FOLDERS)),
}


@dataclass(frozen=True)
class Spent:
    """Seconds of processors and seconds that passed, of this checkout and of the other."""

    used: Pair
    passed: Pair


def measured(words: Sequence[str], other: Path, rounds: int, *, is_warm: bool = False) -> Spent:
    """The command in both checkouts, in turn; after a round to warm up, unless that is done."""
    trees = (ROOT, other.resolve())
    times = [[seconds(words, tree) for tree in trees] for _ in range(rounds + (not is_warm))][not is_warm :]
    used, passed = (tuple(zip(*([both[kind] for both in each] for each in times), strict=True)) for kind in (0, 1))
    return Spent(Pair(*used), Pair(*passed))


def seconds(words: Sequence[str], tree: Path = ROOT) -> tuple[float, float]:
    """Of processors, and as they pass, until what Python is told to run in a tree has ended."""
    before = os.times()
    passed = timed(lambda: _output(words, tree))
    after = os.times()
    return (after.children_user - before.children_user) + (after.children_system - before.children_system), passed


def _output(words: Sequence[str], tree: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False).stdout


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
        print(
            row(name, COMMANDS[name], measured(COMMANDS[name].words, arguments.against, arguments.rounds)), flush=True
        )


if __name__ == "__main__":
    main()
