"""Covers: of many that each have some of the things that are wanted, a few that have all of them."""

import heapq
from collections.abc import Collection, Hashable, Mapping
from typing import TypeVar

Key = TypeVar("Key")
Item = TypeVar("Item", bound=Hashable)


def choose_cover(offers: Mapping[Key, Collection[Item]]) -> list[Key]:
    """Choose offers that have every item among them: each time that which adds most, of equals the first.

    >>> from react_tck.catalogue.covers import choose_cover
    >>> choose_cover({"a": [1, 2], "b": [2, 3, 4], "c": [4], "d": [1]})
    ['b', 'a']
    """
    keys = list(offers)
    missing = {item for items in offers.values() for item in items}
    # What an offer adds never grows: one that still adds what it once did is the best there is.
    ranked = [(-len(set(offers[key])), number) for number, key in enumerate(keys)]
    heapq.heapify(ranked)
    chosen: list[Key] = []
    while missing:
        once, number = heapq.heappop(ranked)
        adds = missing.intersection(offers[keys[number]])
        if len(adds) < -once:
            heapq.heappush(ranked, (-len(adds), number))
            continue
        chosen.append(keys[number])
        missing -= adds
    return chosen
