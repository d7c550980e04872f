"""Mutants: copies of the reference with exactly one deliberate violation each.

They prove that scenarios and sanitizers can be red: `react-tck prove` runs them all.
"""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from react_tck.fakes.mutants.mutant import MUTANTS, Mutant


@cache
def catalogue() -> Mapping[str, Mutant]:
    """All mutants by name. Needs dspy, as the reference does."""
    for module in pkgutil.iter_modules(__path__, prefix=f"{__name__}."):
        importlib.import_module(module.name)
    return dict(sorted(MUTANTS.items()))
