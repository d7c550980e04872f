"""Campaigns by workers of every kind: the same bytes, whoever plays the shards, and whoever is lost on the way."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from react_tck.fuzz.campaign import Campaign, HarnessBrokenIn, SilentSearchListener
from react_tck.fuzz.shards import NamedSubject, SearchScope
from react_tck.processes.workers.workers import ProcessWorkers, Serial, WorkersLost, start_process_workers
from react_tck.subjects.api import HarnessBroken
from react_tck.subjects.config import FILE, read_config
from tests.support.campaigns import BUDGET, read, said
from tests.support.documents import ROOT

pytestmark = pytest.mark.skipif(find_spec("dspy") is None, reason="needs the extra 'reference'")
needs_dask = pytest.mark.skipif(find_spec("distributed") is None, reason="needs the extra 'cluster'")
#: A few lines, over the wire.
PERL = str(Path(__file__).parents[2] / "ports" / "perl" / "react-tck.toml")
MUTANT = "mutant:call-repeated"
SUBJECTS = [
    MUTANT,
    *(pytest.param(name, marks=pytest.mark.all) for name in ("reference", "dspy")),
    pytest.param(PERL, marks=[pytest.mark.all, pytest.mark.skipif(shutil.which("perl") is None, reason="needs perl")]),
]
_CAPTIVES = "python:tests.support.captives_of_workers"
LOST, HANGING = (f"{_CAPTIVES}:{name}" for name in ("lost_once", "hanging"))
PARSER, LOST_PARSER, HANGING_PARSER = (
    f"{_CAPTIVES}:{name}" for name in ("breaking", "breaking_and_lost_once", "hanging_parser")
)
_PRELOADED = ("react_tck.fuzz.playing", "react_tck.subjects.libraries.reference.react")

said_by_one = cache(lambda name: said(name, Serial()))
read_by_one = cache(lambda name: read(name, Serial()))


@pytest.fixture(scope="module")
def two() -> Iterator[ProcessWorkers]:
    with start_process_workers(2, _PRELOADED) as workers:
        yield workers


@pytest.mark.parametrize("name", SUBJECTS)
def test_processes_say_what_one_says(name: str, two: ProcessWorkers) -> None:
    assert said(name, two) == said_by_one(name)


@needs_dask
@pytest.mark.all
def test_a_cluster_says_what_one_says_though_a_worker_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    from react_tck.processes.workers.cluster import connect_cluster

    with connect_cluster("local:2") as workers:
        assert read(PARSER, workers) == read_by_one(PARSER)
        running = list(workers._client.run(os.getpid).values())
        killed: list[int] = []

        def searched(*_: object) -> None:
            if not killed:
                killed.append(running[0])
                os.kill(running[0], signal.SIGKILL)

        monkeypatch.setattr(SilentSearchListener, "show_progress", searched)
        assert said(MUTANT, workers) == said_by_one(MUTANT)
        assert killed


@needs_dask
def test_no_scheduler_is_told_of() -> None:
    from react_tck.processes.workers import cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster, "_CONNECTING", 1)
        unanswered = pytest.raises(WorkersLost, match=r"--cluster 127\.0\.0\.1:9: there is no scheduler that answers")
        with unanswered, cluster.connect_cluster("127.0.0.1:9"):
            pass


def test_a_shard_that_hangs_is_told_of_with_its_episode() -> None:
    with start_process_workers(1, _PRELOADED, silence=2) as workers:
        campaign = Campaign(
            NamedSubject(HANGING), BUDGET, SilentSearchListener(), SearchScope(("robustness",)), workers=workers
        )
        with pytest.raises(
            HarnessBrokenIn, match=r"the shard 0 hangs: its example [1-4] hasn't ended in 2 seconds, twice"
        ) as broken:
            list(campaign.find_violations())
    assert broken.value.episode.case.invocations


def test_a_parser_that_hangs_is_told_of_with_its_texts() -> None:
    hangs = r"the parser hangs: one of the texts 1 to 50 hasn't been read in 2 seconds, twice"
    with start_process_workers(1, _PRELOADED, silence=2) as workers, pytest.raises(HarnessBroken, match=hangs):
        read(HANGING_PARSER, workers)


def test_workers_have_what_the_file_said_when_the_command_began(tmp_path: Path) -> None:
    file = tmp_path / FILE
    file.write_text(
        f"[subject]\ncommand = {json.dumps([sys.executable, str(ROOT / 'tests/harnesses/native_agent.py')])}\n"
    )
    source = NamedSubject(str(file), read_config(file))
    file.write_text("what a harness has made of it")
    with source.open_subject() as subject:
        assert subject.initialize().dialects == ("native", "json")


@contextmanager
def scheduler() -> Iterator[tuple[str, Callable[[], None], subprocess.Popen[bytes]]]:
    """The address of a scheduler with a worker, each a process, what kills it, and the worker."""
    from distributed import Client

    started = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen([*started, "--no-dashboard"], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        address = next(found[0] for line in process.stderr if (found := re.search(r"tcp://[\d.]+:\d+", line)))
        joined = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"]
        worker = subprocess.Popen([*joined, "--no-nanny", "--death-timeout", "60"], stderr=subprocess.DEVNULL)
        try:
            with Client(address) as client:  # type: ignore[no-untyped-call]
                client.wait_for_workers(1)
            yield address, process.kill, worker
        finally:
            for each in (process, worker):
                each.kill()
                each.wait()
