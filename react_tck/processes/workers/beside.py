"""Workers for tasks that have processes of their own: threads of this one, each of which waits for its task."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from react_tck.processes.workers.workers import Beat, Done, Result, Task, Work, in_order, unheard, untold


class Beside:
    """So many tasks at once."""

    def __init__(self, threads: ThreadPoolExecutor, count: int) -> None:
        self.count = count
        self._threads = threads

    def map(
        self, work: Work[Task, Result], tasks: Iterable[Task], beat: Beat = unheard, done: Done[Result] = untold
    ) -> Iterator[Result]:
        """The results, in the order of the tasks."""
        return in_order(lambda task: self._threads.submit(work, task, beat), tasks, self.count, done)


@contextmanager
def beside(count: int) -> Iterator[Beside]:
    """So many at once; what is under way at the end is waited for: an interruption is heard by the tasks themselves."""
    threads = ThreadPoolExecutor(count)
    try:
        yield Beside(threads, count)
    finally:
        threads.shutdown(cancel_futures=True)
