"""Python's garbage collector: not while modules are imported, and rarely in processes of the kit's own."""

import gc
import sys
from importlib import import_module
from types import ModuleType

#: How many containers there are more than before when they are looked through: a few tens of megabytes.
_RARELY = 100_000


def imported(name: str) -> ModuleType:
    """The module of that name.

    What an import makes stays: a collector that looked at it again and again would take a tenth of the time.
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
    """From now on, in a process that nobody else's code was meant to share: what is there by now stays.

    Looking through new objects at Python's own pace takes a run or a campaign a tenth of its time; and a look through
    all of them 20 ms, in which a server answers nobody.
    """
    gc.freeze()
    gc.set_threshold(_RARELY)
