"""Which variations each row is played under: each that fits it, one after the other, or a few at once.

Dealt are so many that each row is played once more, under up to three at once: so each requirement meets as many
variations as its rows have room for, and any two that fit together meet. Which ones follows from the rows of the
requirement alone, so that a new row moves none of another's, but for the few pairs that don't meet so.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import permutations
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
    if vary == "all":
        return {title: _play_each(variations) for each in fitting for title, variations in each.items()}
    dealt = {title: mine for each in fitting for title, mine in _deal_requirement(each).items()}
    _deal_missing_pairs({title: variations for each in fitting for title, variations in each.items()}, dealt)
    return {title: _play_at_once(mine) for title, mine in dealt.items()}


def _list_fitting(requirement_id: str, row: RowInfo) -> tuple[Variation, ...]:
    sentences = [step.text for step in row.steps]
    return tuple(variation for variation in VARIATIONS if variation.fits_row(requirement_id, sentences))


def _play_each(variations: Iterable[Variation]) -> tuple[Combination, ...]:
    return tuple(Combination((each,)) for each in variations)


def _play_at_once(mine: Iterable[Variation]) -> tuple[Combination, ...]:
    parts = tuple(sorted(mine, key=VARIATIONS.index))
    return (Combination(parts),) if parts else ()


def _deal_requirement(fitting: _Fitting) -> dict[str, list[Variation]]:
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
    return dealt


def _deal_missing_pairs(fitting: _Fitting, dealt: Mapping[str, list[Variation]]) -> None:
    """The second of two variations that haven't met to a row that has the first, if there is one with room for it."""
    met = {frozenset(pair) for mine in dealt.values() for pair in permutations(mine, 2)}
    for one, other in permutations(VARIATIONS, 2):
        if frozenset((one, other)) not in met:
            takers = [t for t, mine in dealt.items() if one in mine and other in fitting[t] and _has_room(mine, other)]
            for title in sorted(takers, key=lambda title: _draw_lot(title, other))[:1]:
                met.update(frozenset((each, other)) for each in dealt[title])
                dealt[title].append(other)


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
