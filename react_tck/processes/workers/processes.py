"""Workers that are processes of this machine."""

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from react_tck.processes.workers.apart import Apart
from react_tck.processes.workers.workers import Beat, Done, Result, Task, Work, in_order, unheard, untold


class Processes:
    """So many processes at once, each for one task."""

    def __init__(self, apart: Apart, threads: ThreadPoolExecutor, count: int) -> None:
        self.count = count
        self._apart = apart
        self._threads = threads

    def map(
        self, work: Work[Task, Result], tasks: Iterable[Task], beat: Beat = unheard, done: Done[Result] = untold
    ) -> Iterator[Result]:
        """The results, in the order of the tasks."""
        here = str(Path.cwd())
        return in_order(
            lambda task: self._threads.submit(self._apart.do, work, task, beat, here), tasks, self.count, done
        )


@contextmanager
def processes(
    count: int | None = None, preloaded: Sequence[str] = (), silence: float | None = None
) -> Iterator[Processes]:
    """So many processes, as many as there are processors if None; what is under way at the end is ended.

    `preloaded` are modules that all need; a task that is silent for so many seconds is begun anew.
    """
    count = count or os.cpu_count() or 1
    apart = Apart(preloaded, silence)
    threads = ThreadPoolExecutor(count)
    try:
        yield Processes(apart, threads, count)
    finally:
        apart.close()
        threads.shutdown(cancel_futures=True)
