"""Which subject of the false-positive check plays which rows."""

import subprocess
from pathlib import Path

import pytest

pytest.importorskip("dspy")

from react_tck.catalogue.features import load_features
from react_tck.subjects.catalogue import REFERENCES
from tests.false_positives.agents import AGENTS
from tests.false_positives.sample import Sample, draw_sample, draw_whole, list_rows, list_variants_of, read_commit
from tests.false_positives.subjects import list_names, list_policies

ROWS = {title for scenario in load_features() for title in scenario.row_titles}


def find_met(sample: Sample) -> set[tuple[str, object]]:
    """The requirements that a sample plays, each with a variant that it meets."""
    requirement_of = {title: id_ for id_, titles in list_rows().items() for title in titles}
    return {
        (requirement_of[title], variant)
        for name, titles in sample.items()
        for title in titles
        for variant in list_variants_of(name)
    }


@pytest.mark.parametrize("seed", ["0", "c0ffee"])
def test_every_requirement_meets_every_variant_and_every_unusual_agent(seed: str) -> None:
    variants = {variant for name in list_names() for variant in list_variants_of(name)}
    assert find_met(draw_sample(seed)) == {(id_, variant) for id_ in list_rows() for variant in variants}


def test_whole_every_subject_plays_every_row_and_a_varied_one_is_played_by_each_class() -> None:
    sample = draw_whole("0")
    assert all(set(titles) >= ROWS for titles in sample.values())
    groups = [[name for name, built in list_policies().items() if built.react == react] for react in REFERENCES]
    varied = [set().union(*(set(sample[name]) - ROWS for name in group)) for group in (*groups, [*AGENTS])]
    assert varied[0]
    assert all(each == varied[0] for each in varied)


def test_the_seed_is_the_commit_and_0_where_there_is_no_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = Path(__file__).parent
    there = subprocess.run(["git", "rev-parse", "HEAD"], cwd=here, capture_output=True, text=True, check=False)
    assert read_commit() == (there.stdout.strip() if there.returncode == 0 else "0")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert read_commit() == "0"
