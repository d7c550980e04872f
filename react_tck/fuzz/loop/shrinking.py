"""Makes an episode smaller, as long as it fails."""

import time
from collections.abc import Callable

from hypothesis.strategies import SearchStrategy

from react_tck.fuzz import engine
from react_tck.fuzz.budget import Batch
from react_tck.model.episode import Episode

#: What is gained after so many attempts isn't worth waiting for.
_ATTEMPTS = 1500
#: Seconds; for subjects so slow that the attempts would take hours.
_PATIENCE = 60


class _Fails(Exception):
    """What Hypothesis is told of an episode that fails."""


def shrunk(
    strategy: SearchStrategy[Episode],
    batch: Batch,
    found: Episode,
    fails: Callable[[Episode], bool],
    attempted: Callable[[int], None],
) -> None:
    """Show `fails` ever smaller episodes; the last for which it holds is the smallest.

    Raises:
        Stop: if attempts or patience are used up.
    """
    attempts = 0
    deadline = time.monotonic() + _PATIENCE

    def test(episode: Episode) -> None:
        nonlocal attempts
        if not attempts and episode != found:
            return
        if attempts >= _ATTEMPTS or time.monotonic() > deadline:
            raise engine.Stop
        attempts += 1
        attempted(attempts)
        if fails(episode):
            raise _Fails

    try:
        engine.shrink(strategy, batch.seed, batch.examples, test)
    except _Fails:
        return
