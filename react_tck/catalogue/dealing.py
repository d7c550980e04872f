"""Which variations each row is played under: each that fits it, one after the other, or a few at once.

Dealt are so many that each requirement meets each variation that fits a row of its, and any two that fit together meet.
A row is played once more, under up to five variations at once; twice or more where the rows of its requirement are too
few. Which ones follows from the rows of the requirement alone, so that a new row moves none of another's, but for the
few pairs that don't meet so.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
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
_AT_ONCE = 5
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
    hands = [hand for each in fitting for hand in _deal_requirement(each)]
    hands += _deal_missing_pairs({title: mine for each in fitting for title, mine in each.items()}, hands)
    dealt: dict[str, tuple[Combination, ...]] = {title: () for each in fitting for title in each}
    for hand in hands:
        dealt[hand.title] += (Combination(tuple(sorted(hand.parts, key=VARIATIONS.index))),)
    return dealt


def _list_fitting(requirement_id: str, row: RowInfo) -> tuple[Variation, ...]:
    sentences = [step.text for step in row.steps]
    return tuple(variation for variation in VARIATIONS if variation.fits_row(requirement_id, sentences))


def _play_each(variations: Iterable[Variation]) -> tuple[Combination, ...]:
    return tuple(Combination((each,)) for each in variations)


@dataclass(frozen=True)
class _Hand:
    """One more play of the row of this title, under what is dealt to it so far."""

    title: str
    parts: list[Variation] = field(default_factory=list)

    def has_room(self, variation: Variation) -> bool:
        return len(self.parts) < _AT_ONCE and all(variation.fits_with(other) for other in self.parts)


def _deal_requirement(fitting: _Fitting) -> list[_Hand]:
    """Each variation, the rarest first, to the play that has the fewest so far; then each play what it has room for."""
    hands = [_Hand(title) for title, variations in fitting.items() if variations]
    for variation in sorted(VARIATIONS, key=lambda each: sum(each in variations for variations in fitting.values())):
        if any(variation in variations for variations in fitting.values()):
            _find_taker(hands, variation, fitting).parts.append(variation)
    dealt = Counter(part.name for hand in hands for part in hand.parts)
    for hand in hands:
        _fill_hand(hand, [each for each in fitting[hand.title] if not _is_dealt(hands, hand.title, each)], dealt)
    return hands


def _find_taker(hands: list[_Hand], variation: Variation, fitting: _Fitting) -> _Hand:
    """The play with the fewest variations of those with room for this one; one more, if none has room."""
    takers = [hand for hand in hands if variation in fitting[hand.title] and hand.has_room(variation)]
    if takers:
        return min(takers, key=lambda hand: (len(hand.parts), _draw_lot(hand.title, variation)))
    titles = [title for title, variations in fitting.items() if variation in variations]
    played = Counter(hand.title for hand in hands)
    hands.append(_Hand(min(titles, key=lambda title: (played[title], _draw_lot(title, variation)))))
    return hands[-1]


def _fill_hand(hand: _Hand, others: Sequence[Variation], dealt: Counter[str]) -> None:
    """Deal the play as many more as it has room for, those first that the requirement has met least."""
    while takers := [each for each in others if each not in hand.parts and hand.has_room(each)]:
        chosen = min(takers, key=lambda each: (dealt[each.name], _draw_lot(hand.title, each)))
        hand.parts.append(chosen)
        dealt[chosen.name] += 1


def _deal_missing_pairs(fitting: _Fitting, hands: Iterable[_Hand]) -> Iterator[_Hand]:
    """One more play for each two variations that fit a row together and haven't met."""
    met = {frozenset(pair) for hand in hands for pair in combinations(hand.parts, 2)}
    for one, other in combinations(VARIATIONS, 2):
        takers = [title for title, variations in fitting.items() if one in variations and other in variations]
        if takers and one.fits_with(other) and frozenset((one, other)) not in met:
            yield _Hand(min(takers, key=lambda title: _draw_lot(title, other)), [one, other])


def _is_dealt(hands: Iterable[_Hand], title: str, variation: Variation) -> bool:
    return any(hand.title == title and variation in hand.parts for hand in hands)


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
