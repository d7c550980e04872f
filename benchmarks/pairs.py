"""Times two things in turn, so that a noisy machine disturbs both alike."""

import statistics
import sys
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


def processor_seconds(pid: int | None = None) -> float:
    """What a process has used so far, this one unless it is named: another's only Linux tells, elsewhere it is 0."""
    if pid is None:
        return time.process_time()
    # As clock_getcpuclockid(3) makes the number of a process's clock.
    return time.clock_gettime((~pid << 3) | 2) if sys.platform == "linux" else 0.0
