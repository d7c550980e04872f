"""What the workers of `benchmarks.scale` do: a module that imports next to nothing, as they import it for a task."""

import time
from typing import Any

from react_tck.processes.workers.workers import Beat

#: Seconds that an example of a waiting subject takes: three requests of 50 ms.
_EXAMPLE = 0.15


def nothing(_: int, __: Beat) -> None:
    """Begin, and end."""


def wait(seconds: float, beat: Beat) -> None:
    """Play examples of a subject that waits for its LM, and does nothing else."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(_EXAMPLE, left))
        beat()


def processor(_: int, __: Beat) -> float:
    """The processor seconds that this process has used to get here."""
    return time.process_time()


def echo(said: tuple[Any, ...]) -> Any:
    """The last of what is sent."""
    return said[-1]
