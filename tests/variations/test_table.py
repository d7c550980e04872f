"""The variations: what they take of a subject, which rows they hold for, and how they are dealt."""

import re
from itertools import groupby

import pytest

from react_tck.catalogue.dealing import Dealt, deal_variations, strip_variation
from react_tck.catalogue.features import load_features
from react_tck.catalogue.selection import Selection
from react_tck.variations.changes import list_foreign_marks
from react_tck.variations.table import VARIATIONS
from react_tck.variations.variation import Variation
from tests.support.hand_made import MANIFEST

TITLE = "ReAct selects and executes a tool"
OWNERS = {row: scenario.requirement_id for scenario in load_features() for row in scenario.row_titles}


def pairs_of(dealt: Dealt) -> set[tuple[str | None, str]]:
    return {(OWNERS[title], variation.name) for title, variations in dealt.items() for variation in variations}


def find(name: str) -> Variation:
    return next(variation for variation in VARIATIONS if variation.name == name)


def test_each_variation_has_a_name_of_its_own() -> None:
    names = sorted(variation.name for variation in VARIATIONS)
    assert [len(list(same)) for _, same in groupby(names)] == [1] * len(names)


@pytest.mark.parametrize("variation", VARIATIONS, ids=lambda variation: variation.name)
def test_each_variation_fits_rows_and_each_exclusion_takes_some(variation: Variation) -> None:
    rows = [(s.requirement_id or "", [step.text for step in row.steps]) for s in load_features() for row in s.rows]
    assert any(variation.fits_row(*row) for row in rows)
    meant = [row for row in rows if any(re.search(variation.only, text) for text in row[1])]
    for exclusion in variation.exclusions:
        assert any(exclusion.covers_row(*row) for row in meant), exclusion.reason


def test_dealt_variations_meet_each_requirement_that_they_fit() -> None:
    dealt, fitting = (deal_variations(load_features(), how) for how in ("deal", "all"))
    assert pairs_of(dealt) == pairs_of(fitting)
    assert all(bool(dealt[title]) is bool(variations) for title, variations in fitting.items())
    assert sum(map(len, dealt.values())) < sum(map(len, fitting.values())) / 4


def test_a_row_is_selected_under_a_variation_with_itself() -> None:
    assert [row.title for row in Selection(title=f"{TITLE} {{async}}").rows] == []
    one = Selection(title=f"{TITLE} {{async}}", vary="all")
    itself, varied = one.rows
    assert (itself.title, varied.title) == (TITLE, f"{TITLE} {{async}}")
    assert strip_variation(varied.title) == TITLE
    assert one.narrow_to_row(varied).rows == [itself, varied]
    assert one.narrow_to_row(itself).rows == [itself]
    assert one.as_arguments()[-2:] == ["--vary", "all"]


@pytest.mark.parametrize(
    ("name", "changes", "lack"),
    [
        ("async", {"capabilities": ()}, "does not declare 'async'"),
        ("json", {"capabilities": ("global-adapter",), "dialects": ("chat",)}, "does not claim the dialect 'json'"),
        (
            "json",
            {"capabilities": ("global-adapter",), "dialects": ("json",), "default_dialect": "json"},
            "speaks 'json' without it",
        ),
        ("garbled first", {"retries": 0}, "declares no retries"),
        ("garbled first", {"retries": 1}, ""),
        ("async", {"capabilities": ("async",)}, ""),
    ],
)
def test_a_variation_is_not_played_where_the_subject_does_not_claim_what_it_needs(
    name: str, changes: dict[str, object], lack: str
) -> None:
    assert find(name).find_lack(MANIFEST.model_copy(update=changes)).endswith(lack)
    assert bool(find(name).find_lack(MANIFEST.model_copy(update=changes))) is bool(lack)


def test_marks_are_those_of_dialects_that_are_not_claimed() -> None:
    told = list_foreign_marks(MANIFEST.model_copy(update={"dialects": ("machina", "react-text")}))
    assert "[[ ##" not in told
    assert "Final Answer" not in told
    assert "</next_thought>" in told
