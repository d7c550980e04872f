"""A figure that is asked for, what it came to, and the table of all of them.

A module of benchmarks offers its figures as `BOUNDS`, what is asked of each, and `figures()`, which measures them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.pairs import Pair

#: The unit of a ratio.
TIMES = "×"


@dataclass(frozen=True)
class Bound:
    """What is asked of a figure: its name, how large it may or has to be, in which unit."""

    name: str
    limit: float
    unit: str
    #: Whether more is better; less is, otherwise.
    is_least: bool

    def measured(self, value: float, detail: str = "") -> "Figure":
        """The figure that came out; `detail` is what a ratio is made of."""
        return Figure(self, value, detail)

    def measured_pair(self, measured: Pair) -> "Figure":
        """The ratio of the medians."""
        one, other = measured.medians
        return self.measured(measured.ratio, f"{one * 1000:,.2f} / {other * 1000:,.2f} ms")

    def unmeasured(self, why: str) -> "Figure":
        """What is told where something is missing that it takes."""
        return Figure(self, None, why)

    def __str__(self) -> str:
        return f"{'at least' if self.is_least else 'at most'} {_number(self.limit)} {self.unit}"


def at_most(name: str, limit: float, unit: str = TIMES) -> Bound:
    """A figure that may be so large."""
    return Bound(name, limit, unit, is_least=False)


def at_least(name: str, limit: float, unit: str = TIMES) -> Bound:
    """A figure that has to be so large."""
    return Bound(name, limit, unit, is_least=True)


@dataclass(frozen=True)
class Figure:
    """What was measured; None if it couldn't be, and `detail` says why."""

    bound: Bound
    value: float | None
    detail: str = ""

    @property
    def verdict(self) -> str:
        """Whether it is as it was asked for."""
        if self.value is None:
            return "not measured"
        is_met = self.value >= self.bound.limit if self.bound.is_least else self.value <= self.bound.limit
        return "met" if is_met else "NOT MET"

    @property
    def shown(self) -> str:
        """The value with its unit."""
        return "–" if self.value is None else f"{_number(self.value)} {self.bound.unit}"


def table(bounds: Sequence[Bound], figures: Iterable[Figure]) -> list[str]:
    """A row for each bound, in their order; one that no figure came of wasn't measured."""
    came = {figure.bound: figure for figure in figures}
    rows = [came.get(bound, bound.unmeasured("")) for bound in bounds]
    cells = [(row.bound.name, row.shown, str(row.bound), row.verdict, row.detail) for row in rows]
    cells.insert(0, ("figure", "measured", "asked for", "", "made of"))
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
