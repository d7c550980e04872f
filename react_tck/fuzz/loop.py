"""Searches episodes for violations, within a budget, and makes the first of each requirement as small as it gets."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from hypothesis.strategies import SearchStrategy

from react_tck.fakes.strategies import PROFILES, Reach, episodes
from react_tck.fuzz import engine
from react_tck.judges.determinism import DETERMINISM
from react_tck.judges.in_play import in_play
from react_tck.judges.table import violations
from react_tck.judges.verdict import Violation
from react_tck.model.episode import Episode
from react_tck.play.gather import gather
from react_tck.record.evidence import Evidence
from react_tck.subjects.api import HarnessBroken, Subject

#: Examples of one run of Hypothesis: more would only make it slower, and its first ones are the simplest.
BATCH = 500
EXAMPLES = 2000
#: One episode in so many is played again: often enough to be found out, too seldom to be slow.
_AGAIN = 8
#: What is gained after so many attempts isn't worth waiting for.
_ATTEMPTS = 1500
#: So many in a row in which it gets no smaller are enough.
_FRUITLESS = 300
#: Seconds; for subjects so slow that the attempts would take hours.
_PATIENCE = 60
#: The share of the time that is left which one finding may take to become smaller.
_SHARE = 0.25


@dataclass(frozen=True)
class Batch:
    """A stretch of the examples, with the seed that gives it again."""

    seed: int
    examples: int


@dataclass(frozen=True)
class Budget:
    """As many examples, or, where that is given, as many seconds from now on."""

    examples: int = EXAMPLES
    seconds: float | None = None
    seed: int = 0
    begun: float = field(default_factory=time.monotonic)

    def batches(self) -> Iterator[Batch]:
        """The batches, without end if time is what ends them."""
        done = 0
        while self.seconds is not None or done < self.examples:
            left = BATCH if self.seconds is not None else self.examples - done
            # Seeds of neighbouring runs mustn't meet.
            yield Batch(self.seed * 1_000_003 + done // BATCH, min(BATCH, left))
            done += BATCH

    @property
    def is_spent(self) -> bool:
        """Whether the time is over."""
        return self._left is not None and self._left < 0

    @property
    def patience(self) -> float:
        """The seconds that one finding may take to become smaller: the others want to be found as well."""
        return _PATIENCE if self._left is None else min(_PATIENCE, self._left * _SHARE)

    @property
    def _left(self) -> float | None:
        return None if self.seconds is None else self.seconds - (time.monotonic() - self.begun)


@dataclass(frozen=True)
class Quarry:
    """What is searched: in the episodes of which profiles, for which requirements, and for how many violations."""

    profiles: tuple[str, ...] = PROFILES
    #: Ids of requirements that are known to be violated: neither told nor made smaller.
    known: frozenset[str] = frozenset()
    #: None for however many there are.
    most: int | None = None


class SearchListener(Protocol):
    """Whoever shows how far the search is."""

    def searched(self, examples: int, findings: int) -> None:
        """So many examples have been judged."""

    def shrinking(self, requirement_id: str, attempts: int) -> None:
        """So many attempts have been made to make a finding smaller."""


@dataclass(frozen=True)
class FirstViolation:
    """The first episode in which a requirement was violated, all that was, and where the episode comes again."""

    requirement_id: str
    evidence: Evidence
    violations: Mapping[str, Violation]
    batch: Batch
    #: Which example of the campaign it was.
    example: int

    @property
    def episode(self) -> Episode:
        """What was played."""
        return self.evidence.episode


class BrokenIn(HarnessBroken):
    """The harness broke while it played this episode."""

    def __init__(self, episode: Episode, error: HarnessBroken) -> None:
        super().__init__(str(error))
        self.episode = episode


class Campaign:
    """One search through a subject's behaviour."""

    def __init__(
        self, subject: Subject, budget: Budget, listener: SearchListener, quarry: Quarry | None = None
    ) -> None:
        self._subject = subject
        self._budget = budget
        self._listener = listener
        self._quarry = quarry or Quarry()
        self._strategy: SearchStrategy[Episode] = episodes(Reach.of(subject.initialize()), self._quarry.profiles)
        self._known: set[str] = set(self._quarry.known)
        self._new: list[FirstViolation] = []
        self._broken: BrokenIn | None = None
        self.examples = 0
        #: In how many of the examples each requirement was in play.
        self.in_play: Counter[str] = Counter()
        #: Whether somebody pressed Ctrl-C.
        self.is_interrupted = False

    def first(self) -> FirstViolation | None:
        """The first violation of anything, as it was generated.

        Raises:
            BrokenIn: if the harness breaks.
        """
        for batch in self._budget.batches():
            self._search(batch, enough=1)
            if self._broken:
                raise self._broken
            if self._new or self._is_over:
                break
        return next(iter(self._new), None)

    def findings(self) -> Iterator[FirstViolation]:
        """The smallest episodes that violate requirements not violated by those before.

        Raises:
            BrokenIn: if the harness breaks; what was found before has been given by then.
        """
        found, given, most = set(self._quarry.known), 0, self._quarry.most
        for batch in self._budget.batches():
            # Where time is short, what is found gets smaller before it is over.
            enough = 1 if self._budget.seconds is not None else None if most is None else most - given
            self._search(batch, enough)
            new, self._new = self._new, []
            for first in new:
                if first.requirement_id not in found and given != most:
                    smallest = self._shrunk(first)
                    found |= smallest.violations.keys()
                    given += 1
                    yield smallest
            if self._broken:
                raise self._broken
            if self._is_over or given == most:
                return

    @property
    def _is_over(self) -> bool:
        return self.is_interrupted or self._budget.is_spent

    def _search(self, batch: Batch, enough: int | None) -> None:
        def test(episode: Episode) -> None:
            if self._is_over or (enough is not None and len(self._new) >= enough):
                raise engine.Stop
            self.examples += 1
            self._look_at(episode, batch)
            self._listener.searched(self.examples, len(self._known - self._quarry.known))

        self._until_stopped(lambda: engine.generate(self._strategy, batch.seed, batch.examples, test))

    def _look_at(self, episode: Episode, batch: Batch) -> None:
        try:
            evidence = gather(self._subject, episode, again=self.examples % _AGAIN == 0)
        except HarnessBroken as error:
            # Not an exception to Hypothesis, which would play the episode again.
            self._broken = BrokenIn(episode, error)
            raise engine.Stop from error
        self.in_play.update(in_play(evidence))
        violated = self._violated(evidence)
        for requirement_id in violated:
            if requirement_id not in self._known:
                self._known.add(requirement_id)
                self._new.append(FirstViolation(requirement_id, evidence, violated, batch, self.examples))

    def _violated(self, evidence: Evidence) -> Mapping[str, Violation]:
        return {id_: violation for id_, violation in violations(evidence).items() if id_ not in self._quarry.known}

    def _shrunk(self, first: FirstViolation) -> FirstViolation:
        smallest = first
        wanted = first.requirement_id

        def fails(episode: Episode) -> bool:
            nonlocal smallest
            try:
                evidence = gather(self._subject, episode, again=wanted == DETERMINISM)
            except HarnessBroken:
                return False
            violated = self._violated(evidence)
            if wanted in violated:
                smallest = replace(first, evidence=evidence, violations=violated)
            return wanted in violated

        def attempted(attempts: int) -> None:
            self._listener.shrinking(wanted, attempts)

        if not self.is_interrupted:
            patience = self._budget.patience
            self._until_stopped(lambda: shrunk(self._strategy, first.batch, first.episode, fails, attempted, patience))
        return smallest

    def _until_stopped(self, action: Callable[[], object]) -> None:
        try:
            action()
        except engine.Stop:
            return
        except KeyboardInterrupt:
            self.is_interrupted = True


class _Fails(Exception):
    """What Hypothesis is told of an episode that fails."""


def shrunk(
    strategy: SearchStrategy[Episode],
    batch: Batch,
    found: Episode,
    fails: Callable[[Episode], bool],
    attempted: Callable[[int], None],
    patience: float = _PATIENCE,
) -> None:
    """Show `fails` ever smaller episodes; the last for which it holds is the smallest.

    Raises:
        Stop: if attempts or patience are used up.
    """
    attempts = smaller = 0
    deadline = time.monotonic() + patience

    def test(episode: Episode) -> None:
        nonlocal attempts, smaller
        if not attempts and episode != found:
            return
        if attempts >= _ATTEMPTS or attempts - smaller >= _FRUITLESS or time.monotonic() > deadline:
            raise engine.Stop
        attempts += 1
        attempted(attempts)
        if fails(episode):
            smaller = attempts
            raise _Fails

    try:
        engine.shrink(strategy, batch.seed, batch.examples, test)
    except _Fails:
        return
