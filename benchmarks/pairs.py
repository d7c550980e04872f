"""Times two things in turn, so that a noisy machine disturbs both alike."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Pair:
    """Seconds of each round, of the thing measured and of what it is compared with."""

    measured: tuple[float, ...]
    compared: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """The ratio of the medians."""
        return statistics.median(self.measured) / statistics.median(self.compared)


def pair(measured: Callable[[], object], compared: Callable[[], object], rounds: int) -> Pair:
    """Time both `rounds` times, alternating, after a round to warm up."""
    measured(), compared()
    times = [(timed(measured), timed(compared)) for _ in range(rounds)]
    return Pair(tuple(one for one, _ in times), tuple(other for _, other in times))


def timed(action: Callable[[], object]) -> float:
    """Seconds the action takes."""
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun
