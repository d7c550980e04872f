"""Workers that are processes of this machine."""

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from react_tck.processes.workers.isolation import IsolatedTasks
from react_tck.processes.workers.workers import (
    Beat,
    Done,
    Result,
    Task,
    Work,
    ignore_beat,
    ignore_result,
    yield_in_order,
)


class ProcessWorkers:
    """So many processes at once, each for one task."""

    def __init__(self, isolated: IsolatedTasks, threads: ThreadPoolExecutor, count: int) -> None:
        self.count = count
        self._isolated = isolated
        self._threads = threads

    def map(
        self,
        work: Work[Task, Result],
        tasks: Iterable[Task],
        beat: Beat = ignore_beat,
        done: Done[Result] = ignore_result,
    ) -> Iterator[Result]:
        """Return the results, in the order of the tasks."""
        here = str(Path.cwd())
        return yield_in_order(
            lambda task: self._threads.submit(self._isolated.run_task, work, task, beat, here), tasks, self.count, done
        )


@contextmanager
def start_process_workers(
    count: int | None = None, preloaded: Sequence[str] = (), silence: float | None = None
) -> Iterator[ProcessWorkers]:
    """So many processes, as many as there are processors if None; what is under way at the end is ended.

    `preloaded` are modules that all need; a task that is silent for so many seconds is begun anew.
    """
    count = count or os.cpu_count() or 1
    isolated = IsolatedTasks(preloaded, silence)
    threads = ThreadPoolExecutor(count)
    try:
        yield ProcessWorkers(isolated, threads, count)
    finally:
        isolated.close()
        threads.shutdown(cancel_futures=True)
