"""`python -m benchmarks.scale [MOST]`: what a campaign costs on one worker, and what several come to.

Prints, of the reference: an example, a shard and its result; of the scheduler: a task that does nothing; of subjects
that wait for their LM: how well more workers than processors do. docs/SCALE.md says what follows.
"""

import json
import logging
import os
import pickle
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

from benchmarks import waiting
from benchmarks.figures import Figure, at_least
from react_tck.fuzz.playing import SearchSettings, ToPlay, play_shard
from react_tck.fuzz.shards import GivenSubject, NamedSubject, SearchScope, Shard
from react_tck.processes.workers.cluster import connect_cluster
from react_tck.processes.workers.isolation import IsolatedTasks
from react_tck.processes.workers.processes import start_process_workers
from react_tck.processes.workers.workers import Workers, ignore_beat
from react_tck.subjects.catalogue import resolve

_SHARDS = (10, 50, 200)
_TASKS = 200
WAITS = (2, 4, 8, 16)
#: Shards for each worker, and the seconds for which each of them waits: 67 examples of three requests of 50 ms.
_EACH, _WAITED = 2, 10.0
_SCOPE = SearchScope(("robustness",))
#: What the shards of a campaign have imported.
_PRELOADED = ("react_tck.fuzz.playing", "react_tck.subjects.libraries.reference.react", "benchmarks.waiting")
_BUSY = at_least("two workers that compute: the work of one in the same time / 2", 0.9)
_IDLE = at_least("eight workers whose subjects wait for 50 ms: the ideal time / theirs", 0.85)
BOUNDS = (_BUSY, _IDLE)


def figures() -> Iterator[Figure]:
    """How well workers share; both need a machine on which nothing else runs."""
    logging.disable(logging.CRITICAL)
    with start_process_workers(2, _PRELOADED) as workers:
        yield _BUSY.measured(*_busy(workers))
    with connect_cluster("local:8", preloaded=_PRELOADED) as workers:
        seconds = _waited(workers, 8)
    yield _IDLE.measured(_EACH * _WAITED / seconds, f"{_EACH * _WAITED:.1f} / {seconds:.1f} s")


def main(most: int) -> None:
    """Measure and print."""
    logging.disable(logging.CRITICAL)
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    _print_costs()
    with connect_cluster("local:2", preloaded=_PRELOADED) as workers:
        _print_scheduler(workers)
        began = _began(workers)
        print(f"to begin a shard on a worker: {began * 1000:.0f} ms of a processor")
    for count in (count for count in WAITS if count <= most):
        with connect_cluster(f"local:{count}", preloaded=_PRELOADED) as workers:
            seconds = _waited(workers, count)
        expected = _WAITED / (_WAITED + began * max(1.0, count / (os.cpu_count() or 1)))
        print(
            f"{count:>3} workers, waiting subjects: {seconds:6.2f} s, efficiency {_EACH * _WAITED / seconds:.2f}, "
            f"by the formula {expected:.2f}   (load {os.getloadavg()[0]:.1f})"
        )


def _print_costs() -> None:
    settings = SearchSettings(GivenSubject(resolve("reference")), _SCOPE, collects_behaviours=True)
    play_shard(_shard(settings, 5), ignore_beat)
    print("one process, the reference: examples of a shard, processor ms an example, bytes of its result")
    for examples in _SHARDS:
        begun = time.process_time()
        result = play_shard(_shard(settings, examples), ignore_beat)
        seconds = time.process_time() - begun
        size = len(pickle.dumps(result))
        kept = len(json.dumps(result.model_dump(mode="json")))
        print(f"  {examples:>5} {seconds / examples * 1000:7.1f} {size:>9,} ({kept:,} in --state)")
    isolated = IsolatedTasks(_PRELOADED)
    isolated.run_task(waiting.nothing, 0)
    begun = time.perf_counter()
    for _ in range(20):
        isolated.run_task(waiting.nothing, 0)
    print(f"a process for a shard: {(time.perf_counter() - begun) / 20 * 1000:.0f} ms")


def _shard(settings: SearchSettings, examples: int) -> ToPlay:
    return ToPlay(settings, Shard(number=0, seed=0, start=0, examples=examples))


def _print_scheduler(workers: Any) -> None:
    """Tasks as large as a shard's, that do nothing, straight to the workers: what is left is the scheduler's."""
    client = workers._client
    task = _shard(SearchSettings(NamedSubject("reference"), _SCOPE), 500)
    payload = pickle.dumps(
        play_shard(
            _shard(SearchSettings(GivenSubject(resolve("reference")), _SCOPE, collects_behaviours=True), 50),
            ignore_beat,
        )
    )
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        futures = [client.submit(waiting.echo, (number, task, payload), pure=False) for number in range(_TASKS)]
        client.gather(futures)
        times.append((time.perf_counter() - begun) / _TASKS)
    print(f"the scheduler: {median(times) * 1000:.2f} ms a task with a result of {len(payload):,} bytes")


def _began(workers: Workers) -> float:
    """Processor seconds that a shard takes before its first example."""
    list(workers.map(waiting.nothing, range(2)))  # what they are forked from is there
    return median(workers.map(waiting.processor, range(6)))


def _waited(workers: Workers, count: int) -> float:
    """Seconds for so many tasks for each worker, that wait as a subject waits for its LM."""
    list(workers.map(waiting.nothing, range(count * 2)))  # what they are forked from is there
    begun = time.perf_counter()
    list(workers.map(waiting.wait, [_WAITED] * count * _EACH))
    return time.perf_counter() - begun


def _busy(workers: Workers) -> tuple[float, str]:
    """The efficiency of two workers that play shards of the reference, against one, in turn."""
    settings = SearchSettings(NamedSubject("reference"), _SCOPE)
    tasks = [ToPlay(settings, Shard(number=number, seed=number, start=0, examples=100)) for number in range(4)]
    list(workers.map(play_shard, tasks[:2]))
    with start_process_workers(1, _PRELOADED) as one:
        list(one.map(play_shard, tasks[:1]))
        times = []
        for crew in (one, workers):
            begun = time.perf_counter()
            list(crew.map(play_shard, tasks))
            times.append(time.perf_counter() - begun)
    return times[0] / times[1] / 2, f"{times[0]:.1f} / {times[1]:.1f} s / 2"
