"""What is selected, to the row, and the words that select it again."""

import click
from click.testing import CliRunner

from react_tck.catalogue.features import load_features
from react_tck.catalogue.selection import Selection
from react_tck.cli.arguments import selection, selection_options

OUTLINE = next(scenario for scenario in load_features() if len(scenario.row_titles) > 2)
ROW = OUTLINE.row_titles[1]


def titles(selection: Selection) -> tuple[str, ...]:
    return tuple(row.title for row in selection.rows)


def test_a_row_is_selected_alone() -> None:
    one = Selection.select_row(OUTLINE.profile, ROW)
    assert titles(one) == (ROW,)
    assert one.includes_scenario(OUTLINE)
    assert [scenario.title for scenario in load_features() if one.includes_scenario(scenario)] == [OUTLINE.title]


def test_a_scenario_is_selected_with_all_its_rows() -> None:
    selected = Selection(profile=OUTLINE.profile, titles=frozenset({OUTLINE.title}))
    assert titles(selected) == OUTLINE.row_titles


def test_another_profile_has_none_of_its_rows() -> None:
    other = next(scenario.profile for scenario in load_features() if scenario.profile != OUTLINE.profile)
    assert titles(Selection(profile=other, title=ROW)) == ()


def said(*words: str) -> Selection:
    found: list[Selection] = []

    @click.command()
    @selection_options
    def command(profile: str | None, tags: str | None, title: str | None) -> int:
        found.append(selection(profile, tags, title))
        return 0

    result = CliRunner().invoke(command, list(words), standalone_mode=False)
    assert result.exception is None
    return found[0]


def test_the_words_select_the_same() -> None:
    for scenario in load_features():
        row = scenario.row_titles[-1]
        one = Selection.select_row(scenario.profile, row)
        assert said(*one.as_arguments()) == one
        assert one.includes_scenario(scenario)


def test_a_title_is_looked_for_in_every_profile() -> None:
    assert said("-k", "x").profile == "all"
    assert said().profile == "core"
    assert said("-k", "x", "--profile", "core").profile == "core"
