"""Which variations rows are played under: each that fits, one after the other, or a pairwise sample of them.

In the sample each requirement meets each variation that fits a row of its, and any two that fit together meet
somewhere. A play takes up to five at once, so that there are few. Which ones follows from the rows of the requirement
alone, so that a new row moves none of another's, but for the few pairs that don't meet so.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Literal
from zlib import crc32

from react_tck.catalogue.features import RowInfo, ScenarioInfo
from react_tck.judges.determinism import DETERMINISM
from react_tck.variations.change import Change, Combination
from react_tck.variations.table import VARIATIONS

#: How rows are played besides as they are.
Vary = Literal["none", "sample", "all"]
#: What a row is played under, by its title: one play for each combination.
Varied = Mapping[str, tuple[Combination, ...]]
_Fitting = Mapping[str, tuple[Change, ...]]
#: More at once would hide each other's faults.
_AT_ONCE = 5
_VARIED = re.compile(r"(?P<title>.*) \{(?P<names>[^{}]+)\}", re.DOTALL)
_NAMES = frozenset(each.name for each in VARIATIONS)


@cache
def vary_rows(scenarios: tuple[ScenarioInfo, ...], vary: Vary) -> Varied:
    """Return what rows are played under: nothing, each variation that fits them by itself, or the sample."""
    if vary == "none":
        return {}
    rows: dict[str, list[RowInfo]] = {}
    for scenario in scenarios:
        rows.setdefault(scenario.requirement_id or "", []).extend(scenario.rows)
    fitting = [{row.title: _list_fitting(id_, row) for row in mine} for id_, mine in rows.items()]
    together = {title: mine for each in fitting for title, mine in each.items()}
    if vary == "all":
        return {title: tuple(Combination((each,)) for each in mine) for title, mine in together.items()}
    plays = [play for each in fitting for play in _sample_requirement(each)]
    plays += _sample_missing_pairs(together, plays)
    varied: dict[str, tuple[Combination, ...]] = dict.fromkeys(together, ())
    for play in plays:
        varied[play.title] += (Combination(tuple(sorted(play.parts, key=VARIATIONS.index))),)
    return varied


def _list_fitting(requirement_id: str, row: RowInfo) -> tuple[Change, ...]:
    sentences = [step.text for step in row.steps]
    return tuple(each for each in VARIATIONS if each.fits_row(requirement_id, sentences))


@dataclass(frozen=True)
class _VariedPlay:
    """One more play of the row of this title, under what is chosen for it so far."""

    title: str
    parts: list[Change] = field(default_factory=list)

    def has_room(self, change: Change) -> bool:
        return len(self.parts) < _AT_ONCE and all(change.fits_with(other) for other in self.parts)


def _sample_requirement(fitting: _Fitting) -> list[_VariedPlay]:
    """Plays in which each variation is, those first that settle most; then each play is filled."""
    plays: list[_VariedPlay] = []
    for change in sorted(VARIATIONS, key=lambda each: -len(each.settles)):
        titles = [title for title, changes in fitting.items() if change in changes]
        if titles:
            _find_play(plays, change, titles).parts.append(change)
    count = Counter(part.name for play in plays for part in play.parts)
    for play in plays:
        _fill_play(play, fitting[play.title], count)
    return plays


def _find_play(plays: list[_VariedPlay], change: Change, titles: list[str]) -> _VariedPlay:
    """Return the play with the fewest variations of those with room for this one; one more, if none has room."""
    open_plays = [play for play in plays if play.title in titles and play.has_room(change)]
    if open_plays:
        return min(open_plays, key=lambda play: (len(play.parts), _draw_lot(play.title, change)))
    played = Counter(play.title for play in plays)
    plays.append(_VariedPlay(min(titles, key=lambda title: (played[title], _draw_lot(title, change)))))
    return plays[-1]


def _fill_play(play: _VariedPlay, fitting: Iterable[Change], count: Counter[str]) -> None:
    """Put as many more into the play as it has room for, those first that the requirement has met least."""
    for change in sorted(fitting, key=lambda each: (count[each.name], _draw_lot(play.title, each))):
        if change not in play.parts and play.has_room(change):
            play.parts.append(change)
            count[change.name] += 1


def _sample_missing_pairs(fitting: _Fitting, plays: Iterable[_VariedPlay]) -> Iterator[_VariedPlay]:
    """One more play for each two variations that fit a row together and haven't met."""
    met = {frozenset(pair) for play in plays for pair in combinations(play.parts, 2)}
    for one, other in combinations(VARIATIONS, 2):
        titles = [title for title, changes in fitting.items() if one in changes and other in changes]
        if titles and one.fits_with(other) and frozenset((one, other)) not in met:
            yield _VariedPlay(min(titles, key=lambda title: _draw_lot(title, other)), [one, other])


def _draw_lot(title: str, change: Change) -> int:
    return crc32(f"{title} {change.name}".encode())


def strip_variation(title: str) -> str:
    """Return the title of the row itself, of one that is played under variations."""
    found = _find_variations(title)
    return found["title"] if found else title


def find_way(title: str) -> Vary:
    """Return how rows are played besides, so that one of this title is among them."""
    found = _find_variations(title)
    if found is None:
        return "none"
    return "sample" if ", " in found["names"] else "all"


def _find_variations(title: str) -> re.Match[str] | None:
    found = _VARIED.fullmatch(title)
    return found if found and _NAMES.issuperset(found["names"].split(", ")) else None


#: How much is played again: one row a requirement, or every row.
Replay = Literal["sample", "all"]


def choose_replayed_rows(scenarios: Iterable[ScenarioInfo]) -> frozenset[str]:
    """Choose one row a requirement, and all of SAN-009's; gives their titles.

    Of a requirement's rows it is the one with the most steps that no chosen row has yet: so the rows are spread over
    adapters, kinds of tools and ways of calling, and what is chosen follows from the features alone.

    >>> from react_tck.catalogue.features import load_features
    >>> from react_tck.catalogue.sampling import choose_replayed_rows
    >>> len(choose_replayed_rows(load_features())) < 200
    True
    """
    by_requirement: dict[str, list[RowInfo]] = {}
    for scenario in scenarios:
        by_requirement.setdefault(scenario.requirement_id or "", []).extend(scenario.rows)
    chosen = {row.title for row in by_requirement.pop(DETERMINISM, ())}
    seen: set[str] = set()
    for rows in by_requirement.values():
        row = max(rows, key=lambda row: len(_texts_of(row) - seen))
        seen |= _texts_of(row)
        chosen.add(row.title)
    return frozenset(chosen)


def _texts_of(row: RowInfo) -> frozenset[str]:
    return frozenset(step.text for step in row.steps)
