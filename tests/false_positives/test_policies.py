"""The policies that are dealt: any two variants of two choices stand together in one of them."""

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

import pytest

from react_tck.prove.innocents import list_policies
from react_tck.prove.policies import cover_variants, deal_pairs, list_variants
from react_tck.subjects.catalogue import REFERENCES


def missing_pairs(hands: Sequence[Any], name: str) -> list[Any]:
    variants = list_variants(name)
    pairs = (
        {one: first, other: second}
        for one, other in combinations(variants, 2)
        for first, second in product(variants[one], variants[other])
    )
    return [pair for pair in pairs if not any(pair.items() <= hand.items() for hand in hands)]


@pytest.mark.parametrize("name", REFERENCES)
def test_every_pair_of_variants_is_met_in_few_policies(name: str) -> None:
    built = [each.policy.model_dump() for each in list_policies().values() if each.react == name]
    assert missing_pairs(built, name) == []
    assert missing_pairs(built[:5], name)
    assert len(built) <= 22


@pytest.mark.parametrize("name", REFERENCES)
def test_a_few_policies_have_every_variant_whichever_is_the_first(name: str) -> None:
    hands = deal_pairs(list_variants(name))
    for first in range(len(hands)):
        chosen = cover_variants(hands, first)
        held = {each for number in chosen for each in hands[number].items()}
        assert held == {(choice, variant) for choice, those in list_variants(name).items() for variant in those}
        assert chosen[0] == first
        assert len(chosen) <= 6


def test_what_the_sources_of_a_system_leave_no_choice_is_not_dealt() -> None:
    built = list_policies().values()
    assert {each.policy.steps_exhausted for each in built} == {"extract"}
    failing = {each.react for each in built if each.policy.tool_error == "error"}
    assert failing == {*REFERENCES} - {"reference-udspy"}
