"""Work in processes of their own: nothing that a subject leaves behind meets the next."""

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pkgutil import walk_packages
from types import ModuleType

from react_tck import steps


def modules_of(package: ModuleType) -> list[str]:
    """The names of a package's modules, those in its folders too."""
    return [module.name for module in walk_packages(package.__path__, prefix=f"{package.__name__}.")]


#: Imported once by the process the workers are forked from: whatever a run reads before its first scenario.
_PRELOADED = ("react_tck.suite.run", "react_tck.suite.warm", *modules_of(steps))


def pool(processes: int | None = None, preloaded: Sequence[str] = ()) -> ProcessPoolExecutor:
    """So many processes at once, as many as there are processors if None; none of them does two tasks."""
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    if method == "forkserver":
        context.set_forkserver_preload([*_PRELOADED, *preloaded])
    return ProcessPoolExecutor(processes, mp_context=context, max_tasks_per_child=1)
