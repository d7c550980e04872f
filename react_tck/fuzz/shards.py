"""A campaign in shards: what is searched, in which stretches, and what one of them comes to."""

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from react_tck.fakes.strategies import PROFILES
from react_tck.judges.choices.observers import observe_variants
from react_tck.judges.oracle.departures import list_reached_positions
from react_tck.judges.verdict import Violation
from react_tck.model.base import Value
from react_tck.model.episode import Episode
from react_tck.model.record import Event, Record
from react_tck.record.evidence import Evidence
from react_tck.subjects.api import Subject
from react_tck.subjects.catalogue import close_subject, resolve
from react_tck.subjects.config import Config, keep_config

EXAMPLES, SHARD = 2000, 500


class Shard(Value):
    """A stretch of the examples, with the seed that gives it again."""

    number: int
    seed: int
    #: How many examples come before it, and how many it has.
    start: int
    examples: int


@dataclass(frozen=True)
class Budget:
    """As many examples, or, where that is given, as many seconds from now on."""

    examples: int = EXAMPLES
    seconds: float | None = None
    seed: int = 0
    #: Of a shard: more would only make Hypothesis slower, and its first ones are the simplest.
    shard: int = SHARD
    #: To make a finding smaller: what is gained after so many isn't worth waiting for.
    attempts: int = 1500
    #: By a clock that several machines may read.
    begun: float = field(default_factory=time.time)

    def yield_shards(self) -> Iterator[Shard]:
        """Yield the shards, until the time is over if that is what ends them."""
        start = 0
        while self.examples > start if self.seconds is None else not self.is_spent:
            examples = self.shard if self.seconds is not None else min(self.shard, self.examples - start)
            number = start // self.shard
            # Seeds of neighbouring runs mustn't meet.
            yield Shard(number=number, seed=self.seed * 1_000_003 + number, start=start, examples=examples)
            start += self.shard

    @property
    def count(self) -> int | None:
        """How many shards there are; None if time is what ends them."""
        return None if self.seconds is not None else -(-self.examples // self.shard)

    @property
    def left(self) -> float | None:
        """Seconds; None if examples are what is counted."""
        return None if self.seconds is None else self.seconds - (time.time() - self.begun)

    @property
    def is_spent(self) -> bool:
        """Whether the time is over."""
        return self.left is not None and self.left < 0


@dataclass(frozen=True)
class SearchScope:
    """What is searched: in the episodes of which profiles, for which requirements, and for how many violations."""

    profiles: tuple[str, ...] = PROFILES
    #: Ids of requirements that are known to be violated: neither told nor made smaller.
    known: frozenset[str] = frozenset()
    #: None for however many there are.
    most: int | None = None


class Source(Protocol):
    """Where whoever plays a shard gets the subject from."""

    def open_subject(self) -> AbstractContextManager[Subject]:
        """Return the subject, let go of at the end."""


@dataclass(frozen=True)
class GivenSubject:
    """The subject that is there already, and stays."""

    subject: Subject

    def open_subject(self) -> AbstractContextManager[Subject]:
        """Give the subject; it isn't let go of at the end."""
        return nullcontext(self.subject)


@dataclass(frozen=True)
class NamedSubject:
    """A subject for each shard, in whatever process, found where it is played."""

    name: str
    #: What its configuration file said when the command began, if it has one.
    config: Config | None = None

    @contextmanager
    def open_subject(self) -> Iterator[Subject]:
        """Yield the subject, let go of at the end; raises what `resolve` raises."""
        if self.config:
            keep_config(Path(self.name), self.config)
        subject = resolve(self.name)
        try:
            yield subject
        finally:
            close_subject(subject)


class Breach(Value):
    """A violation as it is told: its text, and the number of the event of the first divergence."""

    text: str
    at: int | None = None

    def find_event(self, record: Record) -> Event | None:
        """Return that event, if it is one's."""
        return None if self.at is None else record.events[self.at]


class Sighting(Value):
    """An episode in which requirements were violated, and where it comes again."""

    episode: Episode
    #: The same as it was played under its variations, with what they bring.
    played: Episode
    record: Record
    #: By requirement id, in the order of the judges.
    breaches: dict[str, Breach]
    shard: Shard
    #: Which example of the campaign it was.
    example: int

    @classmethod
    def from_evidence(
        cls, episode: Episode, evidence: Evidence, violations: Mapping[str, Violation], shard: Shard, example: int
    ) -> "Sighting":
        """Return what is violated in an episode, as it was seen."""
        told = describe_violations(evidence, violations)
        played, record = evidence.episode, evidence.record
        return cls(episode=episode, played=played, record=record, breaches=told, shard=shard, example=example)


def describe_violations(evidence: Evidence, violations: Mapping[str, Violation]) -> dict[str, Breach]:
    """Return what is violated, without what only judges need."""
    events = evidence.record.events

    def place(violation: Violation) -> int | None:
        return next((number for number, event in enumerate(events) if event is violation.at), None)

    return {id_: Breach(text=str(violation), at=place(violation)) for id_, violation in violations.items()}


class Broken(Value):
    """The harness broke while it played this episode."""

    episode: Episode
    text: str


class Behaviour(Value):
    """What examples have in common that went the same way: how many they are, and the first."""

    #: The positions of the oracle and the variants of choices that were reached.
    marks: tuple[str, ...]
    example: int
    count: int = 1


class ShardResult(Value):
    """What a shard came to: nothing of it depends on who played it, and when."""

    shard: Shard
    #: How many examples were judged: all of them, unless something ended it.
    examples: int
    #: In how many of the examples each requirement was in play.
    in_play: dict[str, int]
    #: The first sighting of each requirement, those of the same example once.
    sightings: tuple[Sighting, ...] = ()
    #: By their first examples; none unless they are wanted.
    behaviours: tuple[Behaviour, ...] = ()
    broken: Broken | None = None
    #: Whether somebody pressed Ctrl-C, or the time was over.
    is_cut_off: bool = False
    is_interrupted: bool = False


def collect_marks(evidence: Evidence) -> tuple[str, ...]:
    """Return the positions of the oracle that the episode reached, and the variants of choices that were seen in it."""
    positions = {label for scene in evidence.scenes for label in list_reached_positions(scene)}
    seen = observe_variants([(evidence.episode, evidence.record)])
    choices = {f"{name} = {variant}" for name, variants in seen.items() for variant in variants}
    return tuple(sorted(positions | choices))


class BehaviourMap:
    """The behaviours of a campaign, each once, in the order of their first examples."""

    def __init__(self) -> None:
        self._by_marks: dict[tuple[str, ...], Behaviour] = {}

    def add_behaviours(self, behaviours: Iterable[Behaviour]) -> None:
        """Those of a shard that comes after all there were."""
        for each in behaviours:
            known = self._by_marks.get(each.marks)
            count = known.count + each.count if known else each.count
            self._by_marks[each.marks] = (known or each).model_copy(update={"count": count})

    @property
    def behaviours(self) -> tuple[Behaviour, ...]:
        """All behaviours, in the order of their first examples."""
        return tuple(self._by_marks.values())
