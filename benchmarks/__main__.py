"""`python -m benchmarks [NAME...]`: measures every figure that is asked for, and shows them in one table at the end."""

import os
import sys
from collections.abc import Iterator, Sequence
from types import ModuleType

from benchmarks import ci, classes, commands, doors, episodes, fuzzing, imports, parsing, scale, supervision
from benchmarks.figures import Bound, Figure, table

#: Each offers `BOUNDS` and `figures()`. The last takes longer than all others together.
MODULES: Sequence[ModuleType] = (commands, supervision, episodes, classes, doors, fuzzing, imports, parsing, scale, ci)


def main(names: Sequence[str]) -> None:
    """Measure what the modules of these names offer, all of them if none is named."""
    wanted = [module for module in MODULES if not names or module.__name__.rpartition(".")[2] in names]
    figures = [figure for module in wanted for figure in _measured(module)]
    bounds: list[Bound] = [bound for module in wanted for bound in module.BOUNDS]
    print(f"\nEvery figure that is asked for; load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()}")
    print("\n".join(table(bounds, figures)))


def _measured(module: ModuleType) -> Iterator[Figure]:
    print(f"measuring {module.__name__.rpartition('.')[2]} …", flush=True)
    yield from module.figures()


if __name__ == "__main__":
    main(sys.argv[1:])
