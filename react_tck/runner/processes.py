"""Work in processes of their own: nothing that a subject leaves behind meets the next."""

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

#: Imported once by the process the workers are forked from.
_PRELOADED = ("react_tck.runner.run",)


def pool(processes: int | None = None, preloaded: Sequence[str] = ()) -> ProcessPoolExecutor:
    """So many processes at once, as many as there are processors if None; none of them does two tasks."""
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    if method == "forkserver":
        context.set_forkserver_preload([*_PRELOADED, *preloaded])
    return ProcessPoolExecutor(processes, mp_context=context, max_tasks_per_child=1)
