"""The corpus: episodes that between them reach all that has been reached, each as one behaviour's first example."""

from collections.abc import Iterator, Sequence

from react_tck.fuzz.behaviours import cover
from react_tck.fuzz.playing import Hunt, Kept, Replayed, ToGenerate, ToReplay, generate, replay
from react_tck.fuzz.shards import Behaviour, Shard
from react_tck.processes.workers.workers import Beat, Workers

#: Episodes that one task plays.
_AT_ONCE = 10


def replay_all(kept: Sequence[Kept], hunt: Hunt, workers: Workers, beat: Beat) -> list[Replayed]:
    """How all the episodes go now."""
    parts = (tuple(kept[at : at + _AT_ONCE]) for at in range(0, len(kept), _AT_ONCE))
    tasks = (ToReplay(hunt, part) for part in parts)
    return [each for part in workers.map(replay, tasks, beat) for each in part]


def minimised(
    kept: Sequence[Kept],
    behaviours: Sequence[Behaviour],
    shards: Sequence[Shard],
    hunt: Hunt,
    workers: Workers,
) -> tuple[Kept, ...]:
    """One episode of each behaviour of the fewest that reach all that the corpus and the shards have reached."""
    have = {each.behaviour.marks: each for each in kept}
    wanted = cover([*(each.behaviour for each in have.values()), *(b for b in behaviours if b.marks not in have)])
    missing = [each for each in wanted if each.marks not in have]
    have |= {each.behaviour.marks: each for each in _made(missing, shards, hunt, workers)}
    return tuple(have[each.marks] for each in wanted)


def _made(behaviours: Sequence[Behaviour], shards: Sequence[Shard], hunt: Hunt, workers: Workers) -> Iterator[Kept]:
    """The behaviours' first examples, generated again: to send all that were played would cost more."""
    by_shard = [
        (shard, [each for each in behaviours if shard.start < each.example <= shard.start + shard.examples])
        for shard in shards
    ]
    tasks = [ToGenerate(hunt, shard, tuple(each.example for each in found)) for shard, found in by_shard if found]
    by_example = {each.example: each for each in behaviours}
    for task, episodes in zip(tasks, workers.map(generate, tasks), strict=True):
        for example in task.examples:
            yield Kept(episode=episodes[example], behaviour=by_example[example], shard=task.shard)
