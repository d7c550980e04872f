"""The variations: what they take of a subject, which rows they hold for, and how they are sampled."""

import re
from itertools import combinations as combinations_of

import pytest

from react_tck.catalogue.features import load_features
from react_tck.catalogue.sampling import Varied, strip_variation, vary_rows
from react_tck.catalogue.selection import Selection
from react_tck.variations.change import Change, Combination
from react_tck.variations.table import VARIATIONS
from tests.support.hand_made import MANIFEST

TITLE = "ReAct selects and executes a tool"
OWNERS = {row: scenario.requirement_id for scenario in load_features() for row in scenario.row_titles}


def pairs_of(sampled: Varied) -> set[tuple[str | None, str]]:
    played = [(title, part) for title, combinations in sampled.items() for each in combinations for part in each.parts]
    return {(OWNERS[title], part.name) for title, part in played}


def find(name: str) -> Change:
    return next(variation for variation in VARIATIONS if variation.name == name)


def test_each_variation_fits_rows_and_each_exclusion_takes_some() -> None:
    rows = [(s.requirement_id or "", [step.text for step in row.steps]) for s in load_features() for row in s.rows]
    for variation in VARIATIONS:
        assert any(variation.fits_row(*row) for row in rows)
        meant = [row for row in rows if any(re.search(variation.only, text) for text in row[1])]
        for exclusion in variation.exclusions:
            assert any(exclusion.covers_row(*row) for row in meant), (variation.name, exclusion.reason)


def test_a_play_of_the_sample_is_under_up_to_five_that_fit_its_row_and_each_other() -> None:
    sampled, fitting = (vary_rows(load_features(), how) for how in ("sample", "all"))
    assert sum(map(len, sampled.values())) < 0.75 * sum(map(bool, fitting.values()))
    for title, combinations in sampled.items():
        assert len({combination.name for combination in combinations}) == len(combinations), title
        for combination in combinations:
            assert len(combination.parts) <= 5
            assert {Combination((part,)) for part in combination.parts} <= {*fitting[title]}
            assert all(one.fits_with(other) for one, other in combinations_of(combination.parts, 2))


def test_sampled_variations_meet_all_requirements_that_they_fit_and_all_of_each_other() -> None:
    sampled, fitting = (vary_rows(load_features(), how) for how in ("sample", "all"))
    assert pairs_of(sampled) == pairs_of(fitting)
    met = {pair for each in sampled.values() for one in each for pair in combinations_of(one.parts, 2)}
    together = [pair for each in fitting.values() for pair in combinations_of([one.parts[0] for one in each], 2)]
    fit_together = {pair for pair in together if pair[0].fits_with(pair[1])}
    assert met == fit_together


def test_a_row_is_selected_under_a_variation_with_itself() -> None:
    assert [row.title for row in Selection(title=f"{TITLE} {{async}}").rows] == []
    one = Selection(title=f"{TITLE} {{async}}", vary="all")
    itself, varied = one.rows
    assert (itself.title, varied.title) == (TITLE, f"{TITLE} {{async}}")
    assert strip_variation(varied.title) == TITLE
    assert strip_variation(f"{TITLE} {{async, json}}") == TITLE
    assert strip_variation(f"{TITLE} {{async, nothing}}") == f"{TITLE} {{async, nothing}}"
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
        (
            "garbled first",
            {"retries": 1, "choices": {"malformed-reply": "retries 1, then error, or retries 0, then observe"}},
            "that it always asks again",
        ),
        ("garbled first", {"retries": 2, "choices": {"malformed-reply": "retries 2, then observe"}}, ""),
        ("async", {"capabilities": ("async",)}, ""),
    ],
)
def test_a_variation_is_not_played_where_the_subject_does_not_claim_what_it_needs(
    name: str, changes: dict[str, object], lack: str
) -> None:
    assert find(name).find_lack(MANIFEST.model_copy(update=changes)).endswith(lack)
    assert bool(find(name).find_lack(MANIFEST.model_copy(update=changes))) is bool(lack)
