"""Mutants: the reference with exactly one deliberate violation each.

They prove that scenarios and sanitizers can be red: `make prove` plays them all. A module has a table of them,
`MUTANTS`, and above it the operators that no other table needs; the others stand in `operators`.
"""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from react_tck.prove.mutants.mutant import Mutant, join_tables
from react_tck.subjects.catalogue import require_library


@cache
def load_mutants() -> Mapping[str, Mutant]:
    """Return all mutants by name.

    Raises:
        LibraryMissing: if the reference's extra isn't installed.
    """
    require_library("mutant", "dspy", "reference")
    modules = pkgutil.walk_packages(__path__, prefix=f"{__name__}.")
    return join_tables(getattr(importlib.import_module(module.name), "MUTANTS", {}) for module in modules)
