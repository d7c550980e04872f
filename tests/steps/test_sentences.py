"""The sentences are a vocabulary: each is used, and few are used only once."""

from pathlib import Path

import pytest

from react_tck.catalogue.features import load_features
from react_tck.catalogue.sentences import load_step_definitions

#: A vocabulary of which more than this is used only once is a heap of phrases.
MOST_USED_ONCE = 0.2
#: Some are for other people's features: what an answer contains, or costs.
OWN = Path(__file__).parents[2] / "examples" / "own_features" / "features"


@pytest.fixture(scope="module")
def uses() -> dict[str, int]:
    """By sentence, how many steps of scenarios are written with it; the rows of an outline are one step."""
    definitions = load_step_definitions().definitions
    scenarios = (*load_features(), *load_features(OWN))
    steps = {(scenario.path, step.line): step for scenario in scenarios for row in scenario.rows for step in row.steps}
    return {
        f"{one.location} {one.sentence}": sum(one.matches_step(step.type, step.text) for step in steps.values())
        for one in definitions
    }


def test_every_sentence_is_used(uses: dict[str, int]) -> None:
    assert [sentence for sentence, count in uses.items() if not count] == []


def test_few_sentences_are_used_only_once(uses: dict[str, int]) -> None:
    once = [sentence for sentence, count in uses.items() if count == 1]
    assert len(once) / len(uses) < MOST_USED_ONCE, "\n".join(once)
