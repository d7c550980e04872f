"""The short forms of `python -m benchmarks.wild`: subjects gone wild by a seed lose no episode, and fill nothing."""

import pytest

from benchmarks.wild import in_process, over_stdio
from tests.zoo.in_process import FEWER_ROWS

EPISODES = 150


def test_every_episode_of_a_harness_is_accounted_for() -> None:
    tally = over_stdio.played(EPISODES)

    assert tally.seen.total() == EPISODES
    assert tally.wrong == []
    assert len(tally.seen) >= 5
    first, *_, last = tally.held[1:]
    assert last.memory - first.memory < 8 * 2**20
    assert abs(last.descriptors - first.descriptors) <= 6


def test_every_row_of_a_python_subject_is_accounted_for(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("dspy", reason="the subject is the reference, but for what it does wrong")
    monkeypatch.setattr(in_process, "WILD", {"crash": 100, "hang": 5, "garbage": 100, "late request": 100})

    tally = in_process.played(1, rows=FEWER_ROWS)

    assert tally.wrong == []
    assert tally.seen.keys() >= {"crash", "garbage", "late request", "well"}
    assert tally.seen == tally.meant
