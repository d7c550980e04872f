"""The border to Hypothesis: without chance, without files and without a word of its own.

What is touched of it that it doesn't promise is held against the installed version by `tests/project/test_borders.py`.
Its backend interface is no way round: of another backend than its own, Hypothesis neither keeps track of what it has
shown nor begins with the small examples, so that a seed gives other episodes.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.conjecture.engine import ConjectureRunner
from hypothesis.internal.constants_ast import Constants
from hypothesis.strategies import SearchStrategy

from react_tck.fuzz import engine
from react_tck.fuzz.shards import Shard
from react_tck.model.episode import Episode

#: Looks at one episode; what it raises is a failure.
Test = Callable[[Episode], None]


class Stop(BaseException):
    """Enough: not an error, so that Hypothesis lets it through."""


def generate_examples(strategy: SearchStrategy[Episode], seed_: int, examples: int, test: Test) -> None:
    """Show the test as many episodes: the same ones for the same seed.

    Raises:
        Stop: if the test does.
    """
    _run_hypothesis(strategy, seed_, examples, (Phase.generate,), test)


def shrink_example(strategy: SearchStrategy[Episode], seed_: int, examples: int, test: Test) -> None:
    """Generate the same again, and make the first episode that fails the test smaller, as long as it fails.

    Raises:
        Exception: what the test raised for the smallest.
        Stop: if the test does.
    """
    _run_hypothesis(strategy, seed_, examples, (Phase.generate, Phase.shrink), test)


def _run_hypothesis(
    strategy: SearchStrategy[Episode], seed_: int, examples: int, phases: tuple[Phase, ...], test: Test
) -> None:
    quiet = settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=phases,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        print_blob=False,
    )

    def run_test(episode: Episode) -> None:
        test(episode)

    with _without_constants(), _without_variations():
        seed(seed_)(quiet(given(strategy)(run_test)))()


@contextmanager
def _without_constants() -> Iterator[None]:
    # Hypothesis draws constants of whatever modules are loaded: other subjects, or tests, would get other episodes.
    collect = providers._get_local_constants
    providers._get_local_constants = Constants
    providers.CONSTANTS_CACHE.cache.clear()
    try:
        yield
    finally:
        providers._get_local_constants = collect
        providers.CONSTANTS_CACHE.cache.clear()


@contextmanager
def _without_variations() -> Iterator[None]:
    # Hypothesis follows each example with up to five that differ from it only in that a part stands there twice:
    # without them, as many examples show twice as much.
    vary = ConjectureRunner.generate_mutations_from
    ConjectureRunner.generate_mutations_from = lambda *_: None  # type: ignore[method-assign]
    try:
        yield
    finally:
        ConjectureRunner.generate_mutations_from = vary  # type: ignore[method-assign]


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
