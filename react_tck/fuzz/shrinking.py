"""Makes what was found as small as it gets, within bounds."""

import time
from collections.abc import Callable

from hypothesis.strategies import SearchStrategy

from react_tck.fuzz import engine
from react_tck.fuzz.shards import Shard
from react_tck.model.episode import Episode

#: So many in a row in which it gets no smaller are enough.
_FRUITLESS = 300
#: One in which the subject hung, or its harness broke, takes as long as so many: no clock has a say in what is found.
_HUNG = 100


class _Fails(Exception):
    """What Hypothesis is told of an episode that fails."""


def show_smaller_episodes(
    strategy: SearchStrategy[Episode],
    shard: Shard,
    found: Episode,
    fails: Callable[[Episode], tuple[bool, bool]],
    most: int,
    patience: float | None = None,
) -> None:
    """Show `fails` ever smaller episodes; the last for which it holds is the smallest.

    `fails` says whether the episode fails, and whether the subject hung in it. There are `most` attempts; `patience`
    is in seconds.

    Raises:
        Stop: if attempts or patience are used up.
    """
    attempts = smaller = 0
    deadline = None if patience is None else time.monotonic() + patience

    def test(episode: Episode) -> None:
        nonlocal attempts, smaller
        if not attempts and episode != found:
            return
        is_late = deadline is not None and time.monotonic() > deadline
        if attempts >= most or attempts - smaller >= _FRUITLESS or is_late:
            raise engine.Stop
        is_failure, hung = fails(episode)
        attempts += _HUNG if hung else 1
        if is_failure:
            smaller = attempts
            raise _Fails

    try:
        engine.shrink_example(strategy, shard.seed, shard.examples, test)
    except _Fails:
        return
