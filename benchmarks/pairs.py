"""Times two things in turn, so that a noisy machine disturbs both alike."""

import statistics
import sys
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


def processor_seconds(pid: int | None = None) -> float:
    """What a process has used so far, this one unless it is named: another's only Linux tells, elsewhere it is 0."""
    if pid is None:
        return time.process_time()
    # As clock_getcpuclockid(3) makes the number of a process's clock.
    return time.clock_gettime((~pid << 3) | 2) if sys.platform == "linux" else 0.0
