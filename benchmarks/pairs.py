"""Times two things in turn, so that a noisy machine disturbs both alike."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

#: What is counted: the time that passes, or the processor's (`time.process_time`).
Clock = Callable[[], float]


@dataclass(frozen=True)
class Pair:
    """Seconds of each round, of the thing measured and of what it is compared with."""

    measured: tuple[float, ...]
    compared: tuple[float, ...]

    @property
    def medians(self) -> tuple[float, float]:
        """Of each, in seconds."""
        return statistics.median(self.measured), statistics.median(self.compared)

    @property
    def ratio(self) -> float:
        """The ratio of the medians."""
        one, other = self.medians
        return one / other


def pair(
    measured: Callable[[], object], compared: Callable[[], object], rounds: int, clock: Clock = time.perf_counter
) -> Pair:
    """Time both `rounds` times, alternating, after a round to warm up."""
    measured(), compared()
    times = [(timed(measured, clock), timed(compared, clock)) for _ in range(rounds)]
    return Pair(tuple(one for one, _ in times), tuple(other for _, other in times))


def timed(action: Callable[[], object], clock: Clock = time.perf_counter) -> float:
    """Seconds the action takes."""
    begun = clock()
    action()
    return clock() - begun
