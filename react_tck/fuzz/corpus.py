"""The corpus: episodes that between them reach all that has been reached, each as one behaviour's first example."""

from collections.abc import Iterator, Sequence

from react_tck.fuzz.behaviours import choose_cover
from react_tck.fuzz.playing import (
    Kept,
    Replayed,
    SearchSettings,
    ToGenerate,
    ToReplay,
    generate_episodes,
    replay_episodes,
)
from react_tck.fuzz.shards import Behaviour, Shard
from react_tck.processes.workers.workers import Beat, Workers

#: Episodes that one task plays.
_AT_ONCE = 10


def replay_all(kept: Sequence[Kept], settings: SearchSettings, workers: Workers, beat: Beat) -> list[Replayed]:
    """Return how all the episodes go now."""
    parts = (tuple(kept[at : at + _AT_ONCE]) for at in range(0, len(kept), _AT_ONCE))
    tasks = (ToReplay(settings, part) for part in parts)
    return [each for part in workers.map(replay_episodes, tasks, beat) for each in part]


def minimise_corpus(
    kept: Sequence[Kept],
    behaviours: Sequence[Behaviour],
    shards: Sequence[Shard],
    settings: SearchSettings,
    workers: Workers,
) -> tuple[Kept, ...]:
    """One episode of each behaviour of the fewest that reach all that the corpus and the shards have reached."""
    have = {each.behaviour.marks: each for each in kept}
    wanted = choose_cover(
        [*(each.behaviour for each in have.values()), *(b for b in behaviours if b.marks not in have)]
    )
    missing = [each for each in wanted if each.marks not in have]
    have |= {each.behaviour.marks: each for each in _generate_missing(missing, shards, settings, workers)}
    return tuple(have[each.marks] for each in wanted)


def _generate_missing(
    behaviours: Sequence[Behaviour], shards: Sequence[Shard], settings: SearchSettings, workers: Workers
) -> Iterator[Kept]:
    """Yield the behaviours' first examples, generated again: to send all that were played would cost more."""
    by_shard = [
        (shard, [each for each in behaviours if shard.start < each.example <= shard.start + shard.examples])
        for shard in shards
    ]
    tasks = [ToGenerate(settings, shard, tuple(each.example for each in found)) for shard, found in by_shard if found]
    by_example = {each.example: each for each in behaviours}
    for task, episodes in zip(tasks, workers.map(generate_episodes, tasks), strict=True):
        for example in task.examples:
            yield Kept(episode=episodes[example], behaviour=by_example[example], shard=task.shard)
