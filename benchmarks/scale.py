"""`python -m benchmarks.scale`: what a campaign costs on one worker, and what several come to; docs/SCALE.md says why.

Prints, of the reference: an example, a shard and its result; of the scheduler: a task that does nothing; of subjects
that wait for their LM: how well more workers than processors do.
"""

import json
import logging
import pickle
import sys
import time
from statistics import median
from typing import Any

from react_tck.fuzz.playing import Hunt, ToPlay, play_shard
from react_tck.fuzz.shards import Given, Named, Quarry, Shard
from react_tck.subjects.catalogue import resolve
from react_tck.suite.workers.apart import Apart
from react_tck.suite.workers.cluster import cluster
from react_tck.suite.workers.workers import Beat, Workers, unheard

_SHARDS = (10, 50, 200)
_TASKS = 200
#: Seconds that an example of a waiting subject takes: three requests of 50 ms.
_WAIT = 0.15
_WAITS, _WAITING = (2, 4, 8, 16), 10
_QUARRY = Quarry(("robustness",))


def main(most: int) -> None:
    """Measure and print."""
    logging.disable(logging.CRITICAL)
    _print_costs()
    with cluster("local:2") as workers:
        _print_scheduler(workers)
    for count in (count for count in _WAITS if count <= most):
        with cluster(f"local:{count}") as workers:
            _print_efficiency(workers, count)


def _print_costs() -> None:
    hunt = Hunt(Given(resolve("reference")), _QUARRY, is_charted=True)
    play_shard(_shard(hunt, 5), unheard)
    print("one process, the reference: examples of a shard, processor ms an example, bytes of its result")
    for examples in _SHARDS:
        begun = time.process_time()
        result = play_shard(_shard(hunt, examples), unheard)
        seconds = time.process_time() - begun
        size = len(pickle.dumps(result))
        kept = len(json.dumps(result.model_dump(mode="json")))
        print(f"  {examples:>5} {seconds / examples * 1000:7.1f} {size:>9,} ({kept:,} in --state)")
    apart = Apart(["react_tck.fuzz.playing", "react_tck.subjects.libraries.reference.react"])
    apart.do(_nothing, 0)
    begun = time.perf_counter()
    for _ in range(20):
        apart.do(_nothing, 0)
    print(f"a process for a shard: {(time.perf_counter() - begun) / 20 * 1000:.0f} ms")


def _shard(hunt: Hunt, examples: int) -> ToPlay:
    return ToPlay(hunt, Shard(number=0, seed=0, start=0, examples=examples))


def _print_scheduler(workers: Any) -> None:
    """Tasks as large as a shard's, that do nothing, straight to the workers: what is left is the scheduler's."""
    client = workers._client
    task = _shard(Hunt(Named("reference"), _QUARRY), 500)
    payload = pickle.dumps(play_shard(_shard(Hunt(Given(resolve("reference")), _QUARRY, is_charted=True), 50), unheard))
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        futures = [client.submit(_echo, (number, task, payload), pure=False) for number in range(_TASKS)]
        client.gather(futures)
        times.append((time.perf_counter() - begun) / _TASKS)
    print(f"the scheduler: {median(times) * 1000:.2f} ms a task with a result of {len(payload):,} bytes")


def _echo(said: tuple[int, ToPlay, bytes]) -> bytes:
    return said[2]


def _print_efficiency(workers: Workers, count: int) -> None:
    """So many tasks for each worker; they wait, as a subject waits for its LM."""
    list(workers.map(_wait, [1] * count * 2))  # each worker forks its first
    begun = time.perf_counter()
    list(workers.map(_wait, [_WAITING] * count * 4))
    seconds = time.perf_counter() - begun
    efficiency = _WAITING * 4 * _WAIT / seconds
    print(f"{count:>3} workers, waiting subjects: {seconds:6.2f} s, efficiency {efficiency:.2f}   (at least 0.85)")


def _nothing(_: int, __: Beat) -> None:
    pass


def _wait(examples: int, beat: Beat) -> None:
    for _ in range(examples):
        time.sleep(_WAIT)
        beat()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else _WAITS[-1])
