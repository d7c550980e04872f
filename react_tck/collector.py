"""Python's garbage collector: not while modules are imported, and rarely in processes that hold nobody else's code."""

import gc
import sys
from importlib import import_module
from types import ModuleType

#: How many containers there are more than before when they are looked through: a few tens of megabytes.
_RARELY = 100_000


def import_without_gc(name: str) -> ModuleType:
    """Return the module of that name.

    What an import makes stays: a collector would look at it again and again.
    """
    if name in sys.modules:
        return import_module(name)
    was_on = gc.isenabled()
    gc.disable()
    try:
        return import_module(name)
    finally:
        gc.freeze()
        if was_on:
            gc.enable()


def collect_rarely() -> None:
    """From now on, in a process that holds nobody else's code.

    A look through all objects takes 20 ms, in which a server answers nobody. But a library may leave memory and files
    to the collector: beside one it keeps Python's own pace, or these would run out, and the library be blamed.
    """
    gc.set_threshold(_RARELY)
