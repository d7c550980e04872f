"""Which rows are played again: chosen from the features, spread over what they do, and all of a narrow selection."""

from dataclasses import replace

import pytest

from react_tck.catalogue.features import ScenarioRow, load_features
from react_tck.catalogue.sampling import choose_replayed_rows
from react_tck.catalogue.selection import Selection
from react_tck.judges.determinism import DETERMINISM

CHOSEN = choose_replayed_rows(load_features())
ROWS = [ScenarioRow(scenario, row) for scenario in load_features() for row in scenario.rows]
WHOLE = Selection(profile="all")


def test_each_requirement_has_one_row_and_determinism_all_of_its_own() -> None:
    counts: dict[str, int] = {}
    for row in ROWS:
        counts[row.requirement_id] = counts.get(row.requirement_id, 0) + (row.title in CHOSEN)

    assert counts.pop(DETERMINISM) == sum(row.requirement_id == DETERMINISM for row in ROWS)
    assert set(counts.values()) == {1}


@pytest.mark.parametrize("word", ["json", "xml", "native", "asynchronously", "saved", "history of the first call"])
def test_they_are_spread_over_adapters_and_ways_of_calling(word: str) -> None:
    said = [step.text for row in ROWS if row.title in CHOSEN for step in row.row.steps]

    assert any(word in text for text in said)


def test_a_row_more_changes_no_choice_of_another_requirement() -> None:
    scenarios = load_features()
    last = scenarios[-1]
    more = replace(last, rows=(*last.rows, replace(last.rows[0], title="One more")))
    now = choose_replayed_rows((*scenarios[:-1], more))

    assert set(CHOSEN ^ now) <= {row.title for row in more.rows}


@pytest.mark.parametrize(
    "narrow", [{"title": "ReAct"}, {"tags": "@LOOP-001"}, {"titles": frozenset({"x"})}, {"replay": "all"}]
)
def test_all_of_a_narrow_selection_is_played_again(narrow: dict[str, object]) -> None:
    titles = {row.title for row in ROWS}

    assert replace(WHOLE, **narrow).replayed_rows == titles > WHOLE.replayed_rows  # type: ignore[arg-type]
