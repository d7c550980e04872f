"""Which variations each row is played under: each that fits it, one after the other, or a few at once.

Dealt are so many that each row is played once more, under up to three at once: so each requirement meets as many
variations as its rows have room for, and any two that fit together meet. Which ones follows from the rows of the
requirement alone, so that a new row moves none of another's.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Literal
from zlib import crc32

from react_tck.catalogue.features import RowInfo, ScenarioInfo
from react_tck.variations.table import VARIATIONS
from react_tck.variations.variation import Combination, Variation

#: How rows are played besides as they are.
Vary = Literal["none", "deal", "all"]
#: What a row is played under, by its title: one play for each combination.
Dealt = Mapping[str, tuple[Combination, ...]]
_Fitting = Mapping[str, tuple[Variation, ...]]
#: More at once would hide each other's faults.
_AT_ONCE = 3
_VARIED = re.compile(r"(?P<title>.*) \{(?P<names>[^{}]+)\}", re.DOTALL)
_NAMES = frozenset(variation.name for variation in VARIATIONS)


@cache
def deal_variations(scenarios: tuple[ScenarioInfo, ...], vary: Vary) -> Dealt:
    """What rows are played under: nothing, each variation that fits them by itself, or once what is dealt."""
    if vary == "none":
        return {}
    rows: dict[str, list[RowInfo]] = {}
    for scenario in scenarios:
        rows.setdefault(scenario.requirement_id or "", []).extend(scenario.rows)
    fitting = [{row.title: _list_fitting(id_, row) for row in mine} for id_, mine in rows.items()]
    dealt = map(_play_each, fitting) if vary == "all" else map(_deal_requirement, fitting)
    return {title: combinations for of_requirement in dealt for title, combinations in of_requirement.items()}


def _list_fitting(requirement_id: str, row: RowInfo) -> tuple[Variation, ...]:
    sentences = [step.text for step in row.steps]
    return tuple(variation for variation in VARIATIONS if variation.fits_row(requirement_id, sentences))


def _play_each(fitting: _Fitting) -> Dealt:
    return {title: tuple(Combination((each,)) for each in variations) for title, variations in fitting.items()}


def _deal_requirement(fitting: _Fitting) -> Dealt:
    """Each variation to the row that has the fewest so far, the rarest first; then what each row still needs.

    A row that has nothing but a dialect needs another variation: the subject may not claim that dialect.
    """
    dealt: dict[str, list[Variation]] = {title: [] for title in fitting}
    for variation in sorted(VARIATIONS, key=lambda each: sum(each in variations for variations in fitting.values())):
        takers = [title for title, mine in dealt.items() if variation in fitting[title] and _has_room(mine, variation)]
        if takers:
            dealt[min(takers, key=lambda title: (len(dealt[title]), _draw_lot(title, variation)))].append(variation)
    for title, mine in dealt.items():
        if all(each.dialect for each in mine):
            others = [each for each in fitting[title] if not each.dialect and _has_room(mine, each)]
            mine.extend(sorted(others, key=lambda variation: _draw_lot(title, variation))[:1])
    return {
        title: (Combination(tuple(sorted(mine, key=VARIATIONS.index))),) if mine else ()
        for title, mine in dealt.items()
    }


def _has_room(mine: list[Variation], variation: Variation) -> bool:
    return len(mine) < _AT_ONCE and all(variation.fits_with(other) for other in mine)


def _draw_lot(title: str, variation: Variation) -> int:
    return crc32(f"{title} {variation.name}".encode())


def strip_variation(title: str) -> str:
    """The title of the row itself, of one that is played under variations."""
    found = _find_variations(title)
    return found["title"] if found else title


def find_way(title: str) -> Vary:
    """How rows are played besides, so that one of this title is among them."""
    found = _find_variations(title)
    if found is None:
        return "none"
    return "deal" if ", " in found["names"] else "all"


def _find_variations(title: str) -> re.Match[str] | None:
    found = _VARIED.fullmatch(title)
    return found if found and _NAMES.issuperset(found["names"].split(", ")) else None
