"""What a mutant is: operators in the seams of the reference, one row of a table."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from react_tck.reference.parser import ReferenceParser
from react_tck.reference.seams import Seams


@dataclass(frozen=True)
class Mutant:
    """One deliberate violation: the requirement it breaks, what is wrong, and where it acts."""

    requirement_id: str
    description: str
    seams: Seams
    #: Public methods in the place of the modules' own, for what no seam reaches: saving and loading, properties.
    mixin: type[Any] | None = None
    #: What reads replies in the place of the reference's parser (PRS-…).
    parser: type[ReferenceParser] | None = None
    #: Which rows show it depends on threads or the clock: nobody holds them against the kill matrix.
    is_timed: bool = False
    #: Whether nothing shows it but a row that is played under a variation.
    is_varied: bool = False


def mutant(
    requirement_id: str,
    description: str,
    *,
    mixin: type[Any] | None = None,
    parser: type[ReferenceParser] | None = None,
    is_timed: bool = False,
    is_varied: bool = False,
    **operators: Any,
) -> Mutant:
    """Make the value of a row: `operators` are named after the seams of `react_tck.reference.seams.Seams`."""
    return Mutant(requirement_id, description, Seams(**operators), mixin, parser, is_timed, is_varied)


def join_tables(tables: Iterable[Mapping[str, Mutant]]) -> Mapping[str, Mutant]:
    """Join the tables to one, in the order of the names.

    Raises:
        ValueError: if a name is taken, or a mutant does nothing wrong, or doesn't say what.
    """
    found: dict[str, Mutant] = {}
    for name, each in chain.from_iterable(table.items() for table in tables):
        if name in found:
            raise ValueError(f"there are two mutants named {name!r}")
        if not each.description or (each.seams == Seams() and not each.mixin and not each.parser):
            raise ValueError(f"the mutant {name!r} does nothing wrong, or doesn't say what")
        found[name] = each
    return dict(sorted(found.items()))
