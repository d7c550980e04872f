"""The policies that the reference's classes are built with: dealt so that any two variants of two choices meet."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations, product
from typing import Any, get_args

from react_tck.reference.loop import Policy
from react_tck.subjects.catalogue import REFERENCES

#: The variants of each choice, by the field of a policy.
Variants = Mapping[str, Sequence[Any]]
#: One of them for each choice.
Hand = Mapping[str, Any]

#: The choices that only one class has.
_ONLY_IN = {"finish_from_first_state": "reference-conversation", "fallback": "reference-transcript"}
#: The choices that only some classes have a place for: a transcript's runs end by a submit, and a conversation, which
#: keeps every step, is given its predictor by another parameter.
_ONLY_AFTER_FINISH = ("finish_recorded", "extraction")
_AFTER_FINISH = ("reference", "reference-udspy")
#: What a class can be built with, though the sources of its system leave it no choice: all have an extraction, or a
#: fallback in its place (LOOP-004, CNV-006, TRN-006), udspy's runs go on after a tool that failed (ERR-007), its
#: trajectory has keys, the finish step's too (UDS-001), and who
#: claims `react-module` stops at once when `finish` is chosen (LOOP-007), a conversation recovers from what it can't
#: read (CNV-010).
_AGAINST_SOURCES = {
    *((name, "steps_exhausted", "error") for name in REFERENCES),
    ("reference-udspy", "tool_error", "error"),
    ("reference-udspy", "finish_recorded", False),
    ("reference-udspy", "trajectory_format", "list"),
    ("reference-conversation", "finish_from_first_state", "illegal"),
    ("reference-conversation", "malformed_reply", "error"),
}


def list_variants(name: str) -> Variants:
    """The variants of each choice that the class of this name has."""
    kinds = {field: about.annotation for field, about in Policy.model_fields.items()}
    variants = {field: (True, False) if kind is bool else get_args(kind) for field, kind in kinds.items()}
    return {
        field: tuple(variant for variant in those if (name, field, variant) not in _AGAINST_SOURCES)
        for field, those in variants.items()
        if those and _ONLY_IN.get(field, name) == name and (field not in _ONLY_AFTER_FINISH or name in _AFTER_FINISH)
    }


def deal_pairs(variants: Variants) -> list[Hand]:
    """A few hands in which any two variants of two choices stand together.

    Each begins with a pair that hasn't met, and takes the variants that meet most of what they haven't met; where that
    leaves it open, those that were dealt least.
    """
    missing = dict.fromkeys(
        ((one, first), (other, second))
        for one, other in combinations(variants, 2)
        for first, second in product(variants[one], variants[other])
    )
    dealt: list[Hand] = []
    while missing:
        hand = dict(next(iter(missing)))
        for choice in [choice for choice in variants if choice not in hand]:
            hand[choice] = max(variants[choice], key=partial(_rate_variant, choice, hand, missing, dealt))
        dealt.append({choice: hand[choice] for choice in variants})
        for pair in combinations(dealt[-1].items(), 2):
            missing.pop(pair, None)
    return dealt


def cover_variants(hands: Sequence[Hand], first: int) -> list[int]:
    """The numbers of a few hands that have every variant among them: the first, and what adds most to it."""
    order = [*range(first, len(hands)), *range(first)]
    missing = {held for hand in hands for held in hand.items()}
    chosen: list[int] = []
    while missing:
        chosen.append(max(order, key=lambda number: len(missing & hands[number].items())) if chosen else first)
        missing -= hands[chosen[-1]].items()
    return chosen


def _rate_variant(choice: str, hand: Hand, missing: Mapping[Any, None], dealt: Sequence[Hand], variant: Any) -> Any:
    """How much it is needed: the pairs that it would make first, then how seldom it was dealt."""
    mine = (choice, variant)
    pairs = [pair for held in hand.items() for pair in ((held, mine), (mine, held))]
    return sum(pair in missing for pair in pairs), -sum(each[choice] == variant for each in dealt)
