"""Every figure that is asked for has a name, a bound and a row: whether it is met is for `make bench` to say."""

import pytest

pytest.importorskip("dspy", reason="the benchmarks need the extra 'reference'")
pytest.importorskip("distributed", reason="the benchmarks need the extra 'cluster'")

from benchmarks.__main__ import MODULES
from benchmarks.figures import Bound, at_least, at_most, table


def test_every_module_says_what_is_asked_of_it() -> None:
    bounds = [bound for module in MODULES for bound in module.BOUNDS]
    assert all(module.BOUNDS and callable(module.figures) for module in MODULES)
    assert all(isinstance(bound, Bound) and bound.name and bound.unit and bound.limit > 0 for bound in bounds)
    names = [bound.name for bound in bounds]
    assert len(set(names)) == len(names)


def test_the_table_has_a_row_for_each_bound_met_or_not() -> None:
    bounds = (
        at_most("a", 0.5),
        at_most("b", 2, "s"),
        at_least("c", 150, "a second"),
        at_least("d", 0.9),
        at_most("e", 1),
    )
    made = [
        bounds[0].measured(0.4, "2 / 5"),
        bounds[1].measured(2.1),
        bounds[2].measured(1234),
        bounds[4].unmeasured("x"),
    ]
    assert [line.split("  ", 1)[0] for line in table(bounds, made)] == ["figure", "a", "b", "c", "d", "e"]
    cells = [[cell for cell in map(str.strip, line.split("  ")) if cell] for line in table(bounds, made)[1:]]
    assert cells == [
        ["a", "0.4 ×", "at most 0.5 ×", "met", "2 / 5"],
        ["b", "2.1 s", "at most 2 s", "NOT MET"],
        ["c", "1,234 a second", "at least 150 a second", "met"],
        ["d", "–", "at least 0.9 ×", "not measured"],
        ["e", "–", "at most 1 ×", "not measured", "x"],
    ]
