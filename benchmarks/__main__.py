"""Time the kit's commands: `python -m benchmarks [--against DIR] [--rounds N] [WHAT...]`.

Prints of each the seconds of processors, its children's too, and the seconds that pass: medians of the rounds, after
one to warm up. DIR is another checkout, such as `git worktree add DIR REVISION` makes: it takes turns with this one,
so that a noisy machine disturbs both alike, and the ratio is printed too.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
_KIT = ("-m", "react_tck")
_HARNESS = ("--", sys.executable, str(ROOT / "tests" / "harnesses" / "plain.py"))
#: What Python is told to run. The last two take minutes.
COMMANDS: Mapping[str, Sequence[str]] = {
    "import": ("-c", "import react_tck.cli.main"),
    "list": (*_KIT, "list"),
    "wire": (*_KIT, "run", *_HARNESS),
    "reference": (*_KIT, "run", "reference"),
    "fuzz": (*_KIT, "fuzz", "reference", "--examples", "500"),
    "matrix": (*_KIT, "matrix", "reference", "dspy", "langchain"),
    "prove": ("-m", "react_tck.prove"),
    "test": ("-m", "pytest", "-q", "-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder"),
}
#: Seconds after which, and between which, whoever waits is told of a command that goes on.
_PATIENCE = 10
#: How commands end that came to an end: a subject that isn't conformant is one.
_ENDED = (0, 1)


class Spent(NamedTuple):
    """Seconds of processors, and seconds that passed."""

    used: float
    passed: float


def measure(words: Sequence[str], trees: Sequence[Path], rounds: int) -> list[Spent]:
    """Run Python with these words in each checkout in turn; return the medians of each.

    Raises:
        subprocess.CalledProcessError: A command came to no verdict.
    """
    for tree in trees if rounds > 1 else ():
        _run(words, tree)
    times = [[_run(words, tree) for tree in trees] for _ in range(rounds)]
    return [Spent(*(median(values) for values in zip(*each, strict=True))) for each in zip(*times, strict=True)]


def _run(words: Sequence[str], tree: Path) -> Spent:
    before, begun = os.times(), time.perf_counter()
    command = [sys.executable, *words]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=tree, env=environment, stdout=pipe, stderr=pipe, text=True) as process:
        out, error = _await_end(process, " ".join(words))
    passed, after = time.perf_counter() - begun, os.times()
    if process.returncode not in _ENDED:
        raise subprocess.CalledProcessError(process.returncode, command, out, error)
    return Spent(after.children_user + after.children_system - before.children_user - before.children_system, passed)


def _await_end(process: "subprocess.Popen[str]", what: str) -> tuple[str, str]:
    """Return what it has printed, once it has ended; every ten seconds say that it goes on."""
    begun = time.monotonic()
    while True:
        try:
            return process.communicate(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            print(f"{time.monotonic() - begun:.0f} s: {what}", file=sys.stderr, flush=True)


def _show(name: str, spent: Sequence[Spent]) -> str:
    columns = zip(*spent, strict=True)
    return f"{name:<10}" + "".join(f"  {_show_seconds(seconds):>24}" for seconds in columns)


def _show_seconds(seconds: Sequence[float]) -> str:
    shown = " / ".join(f"{each:.2f}" for each in seconds)
    return f"{shown} = {seconds[0] / seconds[1]:.2f}" if len(seconds) > 1 else shown


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print; return 2 where a command came to no verdict."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("--against", type=Path, metavar="DIR", help="another checkout, to be timed in turn")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="default 3; of one, none is to warm up")
    parser.add_argument("names", nargs="*", metavar="WHAT", help=f"{', '.join(COMMANDS)}; all by default")
    arguments = parser.parse_args(words)
    if unknown := [name for name in arguments.names if name not in COMMANDS]:
        parser.error(f"there is no {unknown[0]!r}; there are {', '.join(COMMANDS)}")
    trees = [ROOT, *([arguments.against.resolve()] if arguments.against else [])]
    print(f"{'':<10}  {'seconds of processors':>24}  {'seconds that pass':>24}", flush=True)
    for name in arguments.names or COMMANDS:
        try:
            print(_show(name, measure(COMMANDS[name], trees, arguments.rounds)), flush=True)
        except subprocess.CalledProcessError as error:
            print(f"{name}: exit status {error.returncode}\n{error.stdout}{error.stderr}", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
