"""Modules that bring many others: imported while nothing looks for garbage."""

import gc
import sys
from importlib import import_module
from types import ModuleType


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
