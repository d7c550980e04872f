"""Which variations each row is played under: all that fit it, or as many as it takes for each to meet each requirement.

No design of pairs is needed: a row is played under one variation at a time. Which one follows from the rows of its
requirement alone, so that a new row moves none of another's.
"""

from collections.abc import Mapping
from functools import cache
from typing import Literal
from zlib import crc32

from react_tck.catalogue.features import RowInfo, ScenarioInfo
from react_tck.variations.table import VARIATIONS
from react_tck.variations.variation import Variation

#: How rows are played besides as they are.
Vary = Literal["none", "deal", "all"]
#: Variations by the title of the row that is played under them.
Dealt = Mapping[str, tuple[Variation, ...]]


@cache
def deal_variations(scenarios: tuple[ScenarioInfo, ...], vary: Vary) -> Dealt:
    """The variations that rows are played under: none, all that fit, or dealt.

    Dealt are as few as it takes that each row is played under one that fits, if any does, and that each variation
    meets each requirement that it fits a row of.
    """
    if vary == "none":
        return {}
    rows: dict[str, list[RowInfo]] = {}
    for scenario in scenarios:
        rows.setdefault(scenario.requirement_id or "", []).extend(scenario.rows)
    fitting = {id_: {row.title: _list_fitting(id_, row) for row in mine} for id_, mine in rows.items()}
    dealt = fitting.values() if vary == "all" else map(_deal_requirement, fitting.values())
    return {title: variations for of_requirement in dealt for title, variations in of_requirement.items()}


def _list_fitting(requirement_id: str, row: RowInfo) -> tuple[Variation, ...]:
    sentences = [step.text for step in row.steps]
    return tuple(variation for variation in VARIATIONS if variation.fits_row(requirement_id, sentences))


def _deal_requirement(fitting: Dealt) -> Dealt:
    """Each variation to the row that has the fewest so far, then one to each row that has none."""
    dealt: dict[str, list[Variation]] = {title: [] for title in fitting}
    for variation in VARIATIONS:
        if titles := [title for title, variations in fitting.items() if variation in variations]:
            dealt[min(titles, key=lambda title: (len(dealt[title]), _draw_lot(title, variation)))].append(variation)
    for title, variations in fitting.items():
        if variations and not dealt[title]:
            dealt[title].append(min(variations, key=lambda variation: _draw_lot(title, variation)))
    return {title: tuple(variations) for title, variations in dealt.items()}


def _draw_lot(title: str, variation: Variation) -> int:
    return crc32(f"{title} {variation.name}".encode())


def strip_variation(title: str) -> str:
    """The title of the row itself, of one that is played under a variation."""
    endings = (f" {{{variation.name}}}" for variation in VARIATIONS)
    return next((title.removesuffix(ending) for ending in endings if title.endswith(ending)), title)
