"""Rows of outlines that no mutant needs, by what the kill matrix knows: `python -m react_tck.catalogue.spare_rows`.

They are no errors: a mutant may be missing, or the outline has a row too many.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from react_tck.catalogue.features import ScenarioInfo, load_features
from react_tck.catalogue.kill_matrix import KillMatrix, load_kill_matrix


@dataclass(frozen=True)
class SpareRow:
    """A row, by its title, that no mutant needs."""

    title: str
    #: Another row of its outline in which every mutant fails that fails in this one; none if no mutant fails in it.
    instead: str | None

    def __str__(self) -> str:
        if self.instead is None:
            return f"no mutant fails in {self.title!r}"
        return f"each mutant that fails in {self.title!r} does so in {self.instead!r}"


def find_spare_rows(scenarios: Iterable[ScenarioInfo], matrix: KillMatrix) -> Iterator[SpareRow]:
    """Yield the rows in which no mutant of their requirement fails, or only such as fail in another row."""
    for outline in scenarios:
        if outline.is_outline:
            killed = {row: frozenset(_list_killed(outline, row, matrix)) for row in outline.row_titles}
            yield from _find_spare(killed)


def _list_killed(outline: ScenarioInfo, row: str, matrix: KillMatrix) -> Iterator[str]:
    for mutant, by_requirement in matrix.failing.items():
        if row in by_requirement.get(outline.requirement_id or "", ()):
            yield mutant


def _find_spare(killed: Mapping[str, frozenset[str]]) -> Iterator[SpareRow]:
    """Of rows in which the same mutants fail, the first is needed."""
    rows = [*killed]
    for number, row in enumerate(rows):
        better = (
            other
            for at, other in enumerate(rows)
            if at != number and (killed[other] > killed[row] or (killed[other] == killed[row] and at < number))
        )
        if not killed[row]:
            yield SpareRow(row, None)
        elif (instead := next(better, None)) is not None:
            yield SpareRow(row, instead)


def describe_spare_rows(scenarios: Iterable[ScenarioInfo], matrix: KillMatrix) -> Iterator[str]:
    """Yield a line that counts the rows that no mutant needs; none without mutants."""
    if not matrix.failing:
        return
    spare = [*find_spare_rows(scenarios, matrix)]
    idle = sum(each.instead is None for each in spare)
    yield (
        f"{len(spare)} rows of outlines are needed by no mutant; in {idle} of them none fails "
        "(python -m react_tck.catalogue.spare_rows names them all)"
    )


def main() -> int:
    """Print them: those in which no mutant fails, and then the others."""
    for each in sorted(find_spare_rows(load_features(), load_kill_matrix()), key=lambda each: each.instead is not None):
        print(each)
    return 0


if __name__ == "__main__":
    sys.exit(main())
