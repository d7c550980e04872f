"""Searches episodes for violations, and makes the first of each requirement as small as it gets."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from hypothesis.strategies import SearchStrategy

from react_tck.fakes.strategies import Reach, episodes
from react_tck.fuzz import engine
from react_tck.fuzz.budget import Batch, Budget
from react_tck.fuzz.loop.shrinking import shrunk
from react_tck.judges.determinism import DETERMINISM
from react_tck.judges.table import violations
from react_tck.judges.verdict import Violation
from react_tck.model.episode import Episode
from react_tck.play.evidence import gather
from react_tck.record.evidence import Evidence
from react_tck.subjects.api import HarnessBroken, Subject

#: One episode in so many is played again: often enough to be found out, too seldom to be slow.
_AGAIN = 8
#: More findings than anybody reads in one go.
MOST_FINDINGS = 5


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

    def __init__(self, subject: Subject, budget: Budget, listener: SearchListener) -> None:
        manifest = subject.initialize()
        self._subject = subject
        self._budget = budget
        self._listener = listener
        self._strategy: SearchStrategy[Episode] = episodes(Reach(manifest.dialects, manifest.capabilities))
        self._known: set[str] = set()
        self._new: list[FirstViolation] = []
        self._broken: BrokenIn | None = None
        self.examples = 0
        #: Whether somebody pressed Ctrl-C.
        self.is_interrupted = False

    def first(self) -> FirstViolation | None:
        """The first violation of anything, as it was generated.

        Raises:
            BrokenIn: if the harness breaks.
        """
        for batch in self._budget.batches():
            self._search(batch, most=1)
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
        found: set[str] = set()
        for batch in self._budget.batches():
            self._search(batch, most=MOST_FINDINGS)
            for first in self._taken():
                if first.requirement_id not in found and len(found) < MOST_FINDINGS:
                    smallest = self._shrunk(first)
                    found |= smallest.violations.keys()
                    yield smallest
            if self._broken:
                raise self._broken
            if self._is_over or len(found) >= MOST_FINDINGS:
                return

    @property
    def _is_over(self) -> bool:
        return self.is_interrupted or self._budget.is_spent

    def _taken(self) -> list[FirstViolation]:
        taken, self._new = self._new, []
        return taken

    def _search(self, batch: Batch, most: int) -> None:
        def test(episode: Episode) -> None:
            if self._is_over or len(self._known) >= most:
                raise engine.Stop
            self.examples += 1
            self._look_at(episode, batch)
            self._listener.searched(self.examples, len(self._known))

        self._until_stopped(lambda: engine.generate(self._strategy, batch.seed, batch.examples, test))

    def _look_at(self, episode: Episode, batch: Batch) -> None:
        try:
            evidence = gather(self._subject, episode, again=self.examples % _AGAIN == 0)
        except HarnessBroken as error:
            # Not an exception to Hypothesis, which would play the episode again.
            self._broken = BrokenIn(episode, error)
            raise engine.Stop from error
        violated = violations(evidence)
        for requirement_id in violated:
            if requirement_id not in self._known:
                self._known.add(requirement_id)
                self._new.append(FirstViolation(requirement_id, evidence, violated, batch, self.examples))

    def _shrunk(self, first: FirstViolation) -> FirstViolation:
        smallest = first
        wanted = first.requirement_id

        def fails(episode: Episode) -> bool:
            nonlocal smallest
            try:
                evidence = gather(self._subject, episode, again=wanted == DETERMINISM)
            except HarnessBroken:
                return False
            violated = violations(evidence)
            if wanted in violated:
                smallest = replace(first, evidence=evidence, violations=violated)
            return wanted in violated

        def attempted(attempts: int) -> None:
            self._listener.shrinking(wanted, attempts)

        if not self.is_interrupted:
            self._until_stopped(lambda: shrunk(self._strategy, first.batch, first.episode, fails, attempted))
        return smallest

    def _until_stopped(self, action: Callable[[], object]) -> None:
        try:
            action()
        except engine.Stop:
            return
        except KeyboardInterrupt:
            self.is_interrupted = True
