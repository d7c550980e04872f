"""Campaigns by workers of every kind: the same bytes, whoever plays the shards, and whoever is lost on the way."""

import os
import signal
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from react_tck.suite.workers.processes import Processes, processes
from react_tck.suite.workers.workers import Serial
from tests.support.campaigns import said

needs_dspy = pytest.mark.skipif(find_spec("dspy") is None, reason="needs the extra 'reference'")
needs_dask = pytest.mark.skipif(find_spec("distributed") is None, reason="needs the extra 'cluster'")
PERL = str(Path(__file__).parents[2] / "ports" / "perl" / "react-tck.toml")
SUBJECTS = ["mutant:call-repeated", "dspy", PERL]


@pytest.fixture(scope="module")
def two() -> Iterator[Processes]:
    with processes(2, ["react_tck.fuzz.playing", "react_tck.subjects.libraries.reference.react"]) as workers:
        yield workers


@pytest.fixture(scope="module")
def serial() -> Callable[[str], str]:
    known: dict[str, str] = {}

    def make(name: str) -> str:
        return known.setdefault(name, "") or known.update({name: said(name, Serial())}) or known[name]

    return make


@needs_dspy
@pytest.mark.parametrize("name", SUBJECTS)
def test_processes_say_what_one_says(name: str, serial: Callable[[str], str], two: Processes) -> None:
    assert said(name, two) == serial(name)


@needs_dspy
@needs_dask
def test_a_cluster_says_what_one_says(serial: Callable[[str], str]) -> None:
    from react_tck.suite.workers.cluster import cluster

    with cluster("local:2") as workers:
        assert workers.count == 2
        for name in SUBJECTS:
            assert said(name, workers) == serial(name)
