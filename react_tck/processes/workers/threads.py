"""Workers for tasks that have processes of their own: threads of this one, each of which waits for its task."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

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


class ThreadWorkers:
    """So many tasks at once."""

    def __init__(self, threads: ThreadPoolExecutor, count: int) -> None:
        self.count = count
        self._threads = threads

    def map(
        self,
        work: Work[Task, Result],
        tasks: Iterable[Task],
        beat: Beat = ignore_beat,
        done: Done[Result] = ignore_result,
    ) -> Iterator[Result]:
        """Return the results, in the order of the tasks."""
        return yield_in_order(lambda task: self._threads.submit(work, task, beat), tasks, self.count, done)


@contextmanager
def start_thread_workers(count: int) -> Iterator[ThreadWorkers]:
    """So many at once; what is under way at the end is waited for: an interruption is heard by the tasks themselves."""
    threads = ThreadPoolExecutor(count)
    try:
        yield ThreadWorkers(threads, count)
    finally:
        threads.shutdown(cancel_futures=True)
