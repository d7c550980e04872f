"""How much is fuzzed."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

#: Examples of one run of Hypothesis: more would only make it slower, and its first ones are the simplest.
BATCH = 500
EXAMPLES = 2000


@dataclass(frozen=True)
class Batch:
    """A stretch of the examples, with the seed that gives it again."""

    seed: int
    examples: int


@dataclass(frozen=True)
class Budget:
    """As many examples, or, where that is given, as many seconds from now on."""

    examples: int = EXAMPLES
    seconds: float | None = None
    seed: int = 0
    begun: float = field(default_factory=time.monotonic)

    def batches(self) -> Iterator[Batch]:
        """The batches, without end if time is what ends them."""
        done = 0
        while self.seconds is not None or done < self.examples:
            left = BATCH if self.seconds is not None else self.examples - done
            # Seeds of neighbouring runs mustn't meet.
            yield Batch(self.seed * 1_000_003 + done // BATCH, min(BATCH, left))
            done += BATCH

    @property
    def is_spent(self) -> bool:
        """Whether the time is over."""
        return self.seconds is not None and time.monotonic() - self.begun > self.seconds
