"""Texts for parsers as strategies: fields with odd values, and texts near a dialect's grammar.

Each is drawn as one number, because drawing every part costs more than the parser does; so they are quick, and don't
shrink.
"""

from random import Random

from hypothesis import strategies as st

from react_tck.fakes.corpus.near_misses import Schemas, fields, near_reply
from react_tck.model.base import JsonObject

_SEEDS = st.integers(min_value=0, max_value=2**64 - 1)


def odd_fields(dialect: str, schemas: Schemas) -> st.SearchStrategy[JsonObject]:
    """A value for every field, all of which the dialect can carry (PRS-001)."""
    return _SEEDS.map(lambda seed: fields(Random(seed), dialect, schemas))


def near_replies(dialect: str, schemas: Schemas) -> st.SearchStrategy[str]:
    """Replies as they should be, broken in form, cut, spliced, repeated, and soups of marks (PRS-002)."""
    return _SEEDS.map(lambda seed: near_reply(Random(seed), dialect, schemas))
