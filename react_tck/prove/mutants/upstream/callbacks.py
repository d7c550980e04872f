"""Violations of what the framework's callbacks are told (OBS-001)."""

import copy
from typing import Any

import dspy

from react_tck.prove.mutants.mutant import mutant
from react_tck.reference.seams import Site


def _read_unheard(_site: Site, adapter: Any) -> Any:
    made, read = copy.copy(adapter), adapter.parse

    def parse(*args: Any, **named: Any) -> Any:
        with dspy.context(callbacks=[]):
            return read(*args, **named)

    made.parse = parse
    return made


MUTANTS = (
    mutant(
        "replies-unheard",
        "OBS-001",
        "Reads replies without telling callbacks.",
        adapter=_read_unheard,
    ),
)
