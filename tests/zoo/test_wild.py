"""The short form of `python -m benchmarks.wild`: a harness gone wild by a seed loses no episode, and fills nothing."""

from benchmarks.wild import played

EPISODES = 150


def test_every_episode_is_accounted_for() -> None:
    tally = played(EPISODES)

    assert sum(tally.seen.values()) == EPISODES
    assert tally.wrong == []
    assert len(tally.seen) >= 5
    (memory, descriptors), *_, (memory_after, descriptors_after) = tally.held[1:]
    assert memory_after - memory < 8 * 2**20
    assert abs(descriptors_after - descriptors) <= 6
