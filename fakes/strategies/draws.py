"""Draws that come again and again, from strategies made only once: to make one costs more than to draw from it."""

from collections.abc import Hashable
from functools import lru_cache
from typing import TypeVar

from hypothesis import strategies as st

Option = TypeVar("Option", bound=Hashable)


@lru_cache(maxsize=1024)
def among(options: tuple[Option, ...]) -> st.SearchStrategy[Option]:
    """One of these; the first is the simplest."""
    return st.sampled_from(options)


@lru_cache(maxsize=256)
def counts(fewest: int, most: int) -> st.SearchStrategy[int]:
    """Return a whole number between the two, both included."""
    return st.integers(fewest, most)


@lru_cache(maxsize=256)
def names(pool: tuple[str, ...], fewest: int, most: int) -> st.SearchStrategy[tuple[str, ...]]:
    """Different names, neighbours in the pool: a choice of two numbers, quick to draw and to shrink."""
    drawn = st.tuples(counts(0, len(pool) - 1), counts(fewest, most))
    return drawn.map(lambda of: tuple((pool * 2)[of[0] : sum(of)]))
