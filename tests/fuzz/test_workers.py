"""Campaigns by workers of every kind: the same bytes, whoever plays the shards, and whoever is lost on the way."""

import os
import signal
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from react_tck.fuzz.campaign import BrokenIn, Campaign
from react_tck.fuzz.progress import UnheardSearch
from react_tck.fuzz.shards import Budget, Named, Quarry
from react_tck.fuzz.state import CampaignState, UnreadableState
from react_tck.subjects.catalogue import LibraryMissing, resolve
from react_tck.suite.workers.processes import Processes, processes
from react_tck.suite.workers.workers import Serial, WorkersLost
from tests.support.campaigns import BUDGET, said

pytestmark = pytest.mark.skipif(find_spec("dspy") is None, reason="needs the extra 'reference'")
needs_dask = pytest.mark.skipif(find_spec("distributed") is None, reason="needs the extra 'cluster'")
PERL = str(Path(__file__).parents[2] / "ports" / "perl" / "react-tck.toml")
MUTANT = "mutant:call-repeated"
SUBJECTS = [
    MUTANT,
    "dspy",
    pytest.param(PERL, marks=pytest.mark.skipif(which("perl") is None, reason="needs perl")),
]
LOST, HANGING = (f"python:tests.support.captives_of_workers:{name}" for name in ("lost_once", "hanging"))
_PRELOADED = ("react_tck.fuzz.playing", "react_tck.subjects.libraries.reference.react")

said_by_one = cache(lambda name: said(name, Serial()))


@pytest.fixture(scope="module")
def two() -> Iterator[Processes]:
    with processes(2, _PRELOADED) as workers:
        yield workers


@pytest.mark.parametrize("name", SUBJECTS)
def test_processes_say_what_one_says(name: str, two: Processes) -> None:
    assert said(name, two) == said_by_one(name)


@needs_dask
def test_a_cluster_says_what_one_says_though_a_worker_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    from react_tck.suite.workers.cluster import cluster

    with cluster("local:2") as workers:
        assert said("dspy", workers) == said_by_one("dspy")
        if which("perl"):
            assert said(PERL, workers) == said_by_one(PERL)
        running = list(workers._client.run(os.getpid).values())
        killed: list[int] = []

        def searched(*_: object) -> None:
            if not killed:
                killed.append(running[0])
                os.kill(running[0], signal.SIGKILL)

        monkeypatch.setattr(UnheardSearch, "searched", searched)
        assert said(MUTANT, workers) == said_by_one(MUTANT)
        assert killed


@needs_dask
def test_a_worker_without_the_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from react_tck.suite.workers.cluster import cluster

    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as util\nfind = util.find_spec\n"
        "util.find_spec = lambda name, *more: None if name == 'dspy' else find(name, *more)\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]))
    with cluster("local:1") as workers, pytest.raises(LibraryMissing) as missing:
        said("reference", workers)
    assert str(missing.value).startswith("on the worker tcp://127.0.0.1:")
    assert str(missing.value).endswith("needs dspy, which is not installed. Run: pip install 'react-tck[reference]'")
    assert "\n" not in str(missing.value)


@needs_dask
def test_no_scheduler_is_told_of() -> None:
    from react_tck.suite.workers import cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster, "_CONNECTING", 1)
        unanswered = pytest.raises(WorkersLost, match=r"--cluster 127\.0\.0\.1:9: there is no scheduler that answers")
        with unanswered, cluster.cluster("127.0.0.1:9"):
            pass


def test_a_process_that_is_killed_is_made_up_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, two: Processes
) -> None:
    expected = said_by_one("reference")
    monkeypatch.chdir(tmp_path)
    assert said(LOST, two) == expected
    assert (tmp_path / "lost").exists()


def test_a_shard_that_hangs_is_told_of_with_its_episode() -> None:
    with processes(1, _PRELOADED, silence=6) as workers:
        campaign = Campaign(Named(HANGING), BUDGET, UnheardSearch(), Quarry(("robustness",)), workers=workers)
        with pytest.raises(
            BrokenIn, match=r"the shard 0 hangs: its example [1-4] hasn't ended in 6 seconds, twice"
        ) as broken:
            list(campaign.findings())
    assert broken.value.episode.case.invocations


class _Watched(Serial):
    """Counts what is played; the scheduler is gone after so many results."""

    def __init__(self, most: int = 1000) -> None:
        self.played: list[str] = []
        self._most = most

    def map(self, work: Any, tasks: Any, *heard: Any) -> Any:
        for result in super().map(work, tasks, *heard):
            self.played.append(work.__name__)
            yield result
            if len(self.played) >= self._most:
                raise WorkersLost("The scheduler is gone.")


def _state(folder: Path) -> CampaignState:
    return CampaignState(folder, MUTANT, resolve(MUTANT).initialize(), 0, Quarry(("robustness",)))


def test_a_campaign_that_lost_its_scheduler_goes_on_where_it_was(tmp_path: Path) -> None:
    with pytest.raises(WorkersLost):
        said(MUTANT, _Watched(most=2), _state(tmp_path))
    again = _Watched()
    assert said(MUTANT, again, _state(tmp_path)) == said_by_one(MUTANT)
    assert 0 < again.played.count("play_shard") < 4


def test_a_campaign_grows_by_new_shards_only(tmp_path: Path) -> None:
    said(MUTANT, Serial(), _state(tmp_path), Budget(examples=12, shard=6, attempts=8))
    grown = _Watched()
    assert said(MUTANT, grown, _state(tmp_path)) == said_by_one(MUTANT)
    assert grown.played.count("play_shard") == 2
    assert grown.played[0] == "replay"  # the corpus, first of all
    kept = _state(tmp_path).corpus().kept
    marks = [set(each.behaviour.marks) for each in kept]
    others = [set().union(*marks[:number], *marks[number + 1 :]) for number in range(len(marks))]
    assert kept
    assert len(kept) < BUDGET.examples
    assert any(own - other for own, other in zip(marks, others, strict=True))


def test_a_subject_that_has_changed_is_played_anew(tmp_path: Path) -> None:
    said("dspy", Serial(), _state(tmp_path))
    state = _state(tmp_path)
    changed = Campaign(Named("reference"), BUDGET, UnheardSearch(), Quarry(("robustness",)), state=state)
    assert list(changed.findings()) == []
    assert changed.changed > 0
    assert changed.examples == BUDGET.examples


def test_a_state_that_cannot_be_read_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "corpus.json").write_text("{")
    with pytest.raises(UnreadableState, match=r"corpus\.json isn't what `react-tck fuzz --state` has written"):
        _state(tmp_path).corpus()
