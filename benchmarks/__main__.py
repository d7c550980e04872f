"""`python -m benchmarks [NAME...]`: measures every figure that is asked for, and shows them in one table at the end."""

import os
import sys
from collections.abc import Iterator, Sequence
from types import ModuleType

from benchmarks import caching, ci, classes, commands, doors, episodes, fuzzing, imports, parsing, scale, supervision
from benchmarks.figures import Bound, Figure, table
from benchmarks.prefix import together

#: Each offers `BOUNDS` and `figures()`. The last takes longer than all others together.
MODULES: Sequence[ModuleType] = (commands, supervision, episodes, classes, doors, fuzzing, imports, parsing, scale, ci)


def main(names: Sequence[str]) -> None:
    """Measure what the modules of these names offer, all of them if none is named."""
    wanted = [module for module in MODULES if not names or module.__name__.rpartition(".")[2] in names]
    if not names:
        _print_caching()
    figures = [figure for module in wanted for figure in _measured(module)]
    bounds: list[Bound] = [bound for module in wanted for bound in module.BOUNDS]
    print(f"\nEvery figure that is asked for; load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()}")
    print("\n".join(table(bounds, figures)))


def _measured(module: ModuleType) -> Iterator[Figure]:
    print(f"measuring {module.__name__.rpartition('.')[2]} …", flush=True)
    yield from module.figures()


def _print_caching() -> None:
    print(
        "\nPrompt-cache friendliness: the share of each request that repeats, byte for byte, how the one before began"
    )
    print(f"  {'two turns of four tool calls':<30} {'turn 1':>7} {'turn 2':>7} {'bytes':>9} {'not repeated':>13}")
    for row in caching.rows():
        print(f"  {row}" if isinstance(row, str) else f"  {_caching(row)}")


def _caching(row: caching.Row) -> str:
    second = f"{row.second_turn.share:.0%}" if row.second_turn else "–"
    whole = together(turn for turn in (row.first_turn, row.second_turn) if turn)
    return f"{row.name:<30} {row.first_turn.share:>7.0%} {second:>7} {whole.total:>9,} {whole.fresh:>13,}"


if __name__ == "__main__":
    main(sys.argv[1:])
