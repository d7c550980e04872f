"""All variations, in one table: what each changes, what a subject has to declare, and which rows it doesn't hold for.

The scenario's own `Then` is held under each of them: where a sentence would mean something else, its rows are excluded.
"""

from react_tck.variations import calls, contents, limits, replies, responses, steps, tools
from react_tck.variations.variation import Variation

VARIATIONS: tuple[Variation, ...] = (
    *calls.VARIATIONS,
    *replies.VARIATIONS,
    *responses.VARIATIONS,
    *limits.VARIATIONS,
    *steps.VARIATIONS,
    *tools.VARIATIONS,
    *contents.VARIATIONS,
)
