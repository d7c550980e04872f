"""Mutants: the reference with exactly one deliberate violation each.

They prove that scenarios and sanitizers can be red: `react-tck prove` runs them all. A module has a table of them,
`MUTANTS`, and above it the operators that no other table needs; the others stand in `operators`.
"""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from react_tck.fakes.mutants.mutant import Mutant, by_name


@cache
def catalogue() -> Mapping[str, Mutant]:
    """All mutants by name. Needs dspy, as the reference does."""
    names = [module.name for module in pkgutil.walk_packages(__path__, prefix=f"{__name__}.")]
    tables = [getattr(importlib.import_module(name), "MUTANTS", ()) for name in names]
    return by_name(mutant for table in tables for mutant in table)
