"""`python -m benchmarks.wild stdio|in-process [EPISODES]`: plays so many, and prints what became of them."""

import sys
from collections.abc import Callable

from benchmarks.wild import in_process, over_stdio
from benchmarks.wild.tally import Tally

_WAYS: dict[str, tuple[Callable[[int], Tally], int]] = {
    "stdio": (over_stdio.played, 20_000),
    "in-process": (in_process.played, 100_000),
}


def main(arguments: list[str]) -> None:
    """Play, and print."""
    way, *rest = arguments
    played, episodes = _WAYS[way]
    print("\n".join(played(int(rest[0]) if rest else episodes).lines()))


if __name__ == "__main__":
    main(sys.argv[1:])
