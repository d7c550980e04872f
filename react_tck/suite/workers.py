"""Processes of their own for tasks of our own, as `prove` has them."""

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager

from react_tck import steps
from react_tck.subjects.threads import abandon
from react_tck.suite.run import modules_of

#: Imported once by the process the workers are forked from: whatever a run reads before its first scenario.
_PRELOADED = ("react_tck.suite.run", "react_tck.suite.warm", *modules_of(steps))


@contextmanager
def pool(processes: int | None = None, preloaded: Sequence[str] = ()) -> Iterator[ProcessPoolExecutor]:
    """So many processes at once, as many as there are processors if None; none of them does two tasks."""
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    if method == "forkserver":
        context.set_forkserver_preload([*_PRELOADED, *preloaded])
    workers = ProcessPoolExecutor(processes, mp_context=context, max_tasks_per_child=1, initializer=abandon)
    try:
        yield workers
    except BaseException:
        # Who is interrupted doesn't wait for what is under way; the guard ends it (react_tck/cli/attended.py).
        workers.shutdown(wait=False, cancel_futures=True)
        raise
    workers.shutdown()
