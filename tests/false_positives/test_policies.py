"""The policies of the sample: any two variants of two choices stand together in one of them."""

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

import pytest

pytest.importorskip("dspy")

from react_tck.subjects.catalogue import REFERENCES
from tests.false_positives.policies import list_variants
from tests.false_positives.subjects import list_policies


def missing_pairs(policies: Sequence[Any], name: str) -> list[Any]:
    variants = list_variants(name)
    pairs = (
        {one: first, other: second}
        for one, other in combinations(variants, 2)
        for first, second in product(variants[one], variants[other])
    )
    return [pair for pair in pairs if not any(pair.items() <= policy.items() for policy in policies)]


@pytest.mark.parametrize("name", REFERENCES)
def test_every_pair_of_variants_is_met_in_few_policies(name: str) -> None:
    built = [each.policy.model_dump() for each in list_policies().values() if each.react == name]
    assert missing_pairs(built, name) == []
    assert missing_pairs(built[:5], name)
    assert len(built) <= 22


def test_what_the_sources_of_a_system_leave_no_choice_is_in_no_policy() -> None:
    built = list_policies().values()
    assert {each.policy.steps_exhausted for each in built} == {"extract"}
    failing = {each.react for each in built if each.policy.tool_error == "error"}
    assert failing == {*REFERENCES} - {"reference-udspy"}
