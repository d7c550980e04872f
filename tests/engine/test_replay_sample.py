"""A whole profile plays a sample of its rows again; what waits is played behind the next row, chosen or not."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.engine import replay
from react_tck.engine.run import Run
from react_tck.model.episode import Episode
from react_tck.model.report import Verdict
from react_tck.play.session import play_session
from react_tck.subjects.catalogue import resolve
from tests.support.suite_checks import Heard

PART = Selection(profile="upstream")


@contextmanager
def count_replays(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    played: list[str] = []

    def play(subject: object, episode: Episode) -> object:
        played.append(episode.case.id)
        return play_session(subject, episode)  # type: ignore[arg-type]

    monkeypatch.setattr(replay, "play_session", play)
    yield played


def test_a_whole_profile_replays_a_row_a_requirement(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = PART.rows
    with count_replays(monkeypatch) as played:
        Run(resolve("reference"), "reference", PART).report(Heard())
    wanted = {f"{row.requirement_id}/{row.title}" for row in rows if row.title in PART.replayed_rows}

    assert wanted == set(played)
    assert len(wanted) == len({row.requirement_id for row in rows}) < len(rows)


def test_replay_all_replays_every_row_that_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    every = Selection(profile="upstream", replay="all")
    with count_replays(monkeypatch) as played:
        report = Run(resolve("reference"), "reference", every).report(Heard())
    passed = {
        f"{requirement.id}/{row.title}"
        for requirement in report.requirements
        for row in requirement.scenarios
        if row.title and row.verdict is Verdict.PASSED
    }

    assert passed == set(played)
