"""What workers do in a campaign: play a shard, make a sighting smaller, play episodes of the corpus."""

import re
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from react_tck.catalogue.manifests import is_asked, manifest_of
from react_tck.engine.judging import examine_episode
from react_tck.fakes.strategies import Reach, episodes
from react_tck.fakes.strategies.texts import among
from react_tck.fuzz import engine
from react_tck.fuzz.engine import show_smaller_episodes
from react_tck.fuzz.gherkin import SYSTEMS
from react_tck.fuzz.shards import (
    Behaviour,
    Broken,
    Budget,
    SearchScope,
    Shard,
    ShardResult,
    Sighting,
    Source,
    collect_marks,
)
from react_tck.judges.determinism import DETERMINISM
from react_tck.judges.in_play import find_tested_requirements
from react_tck.judges.verdict import Violation
from react_tck.model.base import Value
from react_tck.model.episode import Episode
from react_tck.model.manifest import Manifest
from react_tck.model.record import Hung
from react_tck.processes.workers.workers import Beat
from react_tck.record.evidence import Evidence
from react_tck.subjects.api import HarnessBroken, Subject
from react_tck.variations.change import Change, Combination
from react_tck.variations.table import VARIATIONS

#: How many changes are drawn at once; what fits together and changes something is played.
_TIMES = (0, 0, 1, 1, 2, 3)
#: Changes that no drawn episode is played under, and why.
NOT_DRAWN: Mapping[str, str] = {
    "more args": "drawn tools take lists and nulls by themselves",
    "other marks": "texts of drawn episodes hold such marks by themselves",
}


@st.composite
def varied_episodes(draw: st.DrawFn, manifest: Manifest, profiles: tuple[str, ...]) -> Episode:
    """Episodes of these profiles that the subject can play; some of them under variations."""
    episode = draw(episodes(Reach.of(manifest), profiles))
    fitting = tuple(each.name for each in list_fitting(episode, manifest))
    times = draw(among(_TIMES)) if fitting else 0
    return vary_episode(episode, [draw(among(fitting)) for _ in range(times)])


def list_fitting(episode: Episode, manifest: Manifest) -> Iterator[Change]:
    """Yield the changes that the subject can play and the judges of a drawn episode can hold it against."""
    system = f"{SYSTEMS[episode.case.options.system]} over"
    for each in VARIATIONS if episode.case.invocations else ():
        is_meant = any(re.search(each.only, sentence) for sentence in (system, "it is called"))
        if is_meant and each.name not in NOT_DRAWN and not each.find_lack(manifest) and _is_open_to(each, episode):
            yield each


def _is_open_to(change: Change, episode: Episode) -> bool:
    """Tell whether nobody is asked anything in the episode, or the change leaves it as it is who is asked what.

    Nobody says which adapter a call is resumed under, and a history is the instance's own that gave it: that of the
    call of a number, among which a concurrent one would be counted; another instance has none of them, and its
    callbacks hear of its own calls alone.
    """
    case = episode.case
    is_resumed_elsewhere = change.name == "agreed elsewhere"
    if case.options.callbacks and is_resumed_elsewhere:
        return False
    counts_otherwise = is_resumed_elsewhere or change.name in ("concurrent call", "called while waiting")
    if counts_otherwise and any(call.follows is not None for call in case.invocations):
        return False
    is_asked = case.options.clarification is not None or any(call.resumptions for call in case.invocations)
    return not is_asked or not {"person", "concurrent"} & {*change.settles}


def vary_episode(episode: Episode, names: Collection[str]) -> Episode:
    """Return the episode under those of the changes of these names that fit with the ones before."""
    chosen: list[Change] = []
    for name in names:
        drawn = next(each for each in VARIATIONS if each.name == name)
        if drawn not in chosen and all(drawn.fits_with(other) for other in chosen):
            chosen.append(drawn)
    return Combination(tuple(sorted(chosen, key=VARIATIONS.index))).change(episode)


#: One episode in so many is played again: often enough to be found out, too seldom to be slow.
_AGAIN = 8


@dataclass(frozen=True)
class SearchSettings:
    """What all tasks of a campaign have in common."""

    source: Source
    scope: SearchScope
    #: Whether behaviours are wanted.
    collects_behaviours: bool = False
    #: When the time is over, by the clock; None where there is enough.
    until: float | None = None
    #: So many requirements sighted are enough for a shard.
    enough: int | None = None
    #: How often it is tried to make a finding smaller.
    attempts: int = Budget.attempts

    @property
    def is_over(self) -> bool:
        """Whether the time is over."""
        return self.until is not None and time.time() > self.until

    def make_strategy(self, subject: Subject) -> SearchStrategy[Episode]:
        """Return the episodes that are searched."""
        return varied_episodes(subject.initialize(), self.scope.profiles)

    def examine_episode(
        self, subject: Subject, episode: Episode, *, again: bool
    ) -> tuple[Evidence, Mapping[str, Violation]]:
        """Return what came of an episode, and what is violated in it and not known to be."""
        evidence, found = examine_episode(subject, episode, again=again)
        return evidence, {id_: violation for id_, violation in found.items() if id_ not in self.scope.known}


@dataclass(frozen=True)
class ToPlay:
    """A shard to be played."""

    settings: SearchSettings
    shard: Shard


@dataclass
class _ShardLog:
    """What has been seen of a shard so far."""

    shard: Shard
    examples: int = 0
    in_play: Counter[str] = field(default_factory=Counter)
    sightings: list[Sighting] = field(default_factory=list)
    behaviours: dict[tuple[str, ...], Behaviour] = field(default_factory=dict)
    broken: Broken | None = None

    @property
    def example(self) -> int:
        """Which example of the campaign the latest is."""
        return self.shard.start + self.examples

    @property
    def sighted_ids(self) -> set[str]:
        """The requirements sighted so far."""
        return {id_ for sighting in self.sightings for id_ in sighting.breaches}

    def count_behaviour(self, evidence: Evidence) -> None:
        """Count the behaviour that the latest example showed."""
        seen = collect_marks(evidence)
        known = self.behaviours.get(seen)
        self.behaviours[seen] = Behaviour(
            marks=seen, example=known.example if known else self.example, count=known.count + 1 if known else 1
        )

    def make_result(self, *, is_cut_off: bool, is_interrupted: bool) -> ShardResult:
        """Make the shard's result of what has been seen of it."""
        return ShardResult(
            shard=self.shard,
            examples=self.examples,
            in_play=dict(sorted(self.in_play.items())),
            sightings=tuple(self.sightings),
            behaviours=tuple(self.behaviours.values()),
            broken=self.broken,
            is_cut_off=is_cut_off or is_interrupted,
            is_interrupted=is_interrupted,
        )


def play_shard(task: ToPlay, beat: Beat) -> ShardResult:
    """Play the shard; Ctrl-C leaves what has been seen so far."""
    settings, log = task.settings, _ShardLog(task.shard)
    is_interrupted = False
    with settings.source.open_subject() as subject:

        def test(episode: Episode) -> None:
            if settings.is_over or (settings.enough is not None and len(log.sighted_ids) >= settings.enough):
                raise engine.Stop
            log.examples += 1
            _judge_example(subject, episode, settings, log)
            beat()

        try:
            engine.generate_examples(settings.make_strategy(subject), task.shard.seed, task.shard.examples, test)
        except engine.Stop:
            pass
        except KeyboardInterrupt:
            is_interrupted = True
    return log.make_result(is_cut_off=settings.is_over, is_interrupted=is_interrupted)


def _judge_example(subject: Subject, episode: Episode, settings: SearchSettings, log: _ShardLog) -> None:
    try:
        evidence, violated = settings.examine_episode(subject, episode, again=log.example % _AGAIN == 0)
    except HarnessBroken as error:
        # Not an exception to Hypothesis, which would play the episode again.
        log.broken = Broken(episode=episode, text=str(error))
        raise engine.Stop from error
    log.in_play.update(id_ for id_ in find_tested_requirements(evidence) if is_asked(id_, evidence.manifest))
    if not violated.keys() <= log.sighted_ids:
        log.sightings.append(Sighting.from_evidence(episode, evidence, violated, log.shard, log.example))
    if settings.collects_behaviours:
        log.count_behaviour(evidence)


@dataclass(frozen=True)
class ToShrink:
    """A sighting to be made smaller, for as long as this requirement is violated in it."""

    settings: SearchSettings
    requirement_id: str
    sighting: Sighting
    #: Seconds, where time is short; elsewhere no clock has a say in what is found.
    patience: float | None = None


class Shrunk(Value):
    """The smallest episode found in which the requirement is still violated."""

    sighting: Sighting
    #: Whether somebody pressed Ctrl-C before it was.
    is_interrupted: bool = False


def shrink_sighting(task: ToShrink, beat: Beat) -> Shrunk:
    """Make the sighting smaller; Ctrl-C leaves the smallest so far."""
    settings, first, wanted = task.settings, task.sighting, task.requirement_id
    smallest = first
    with settings.source.open_subject() as subject:

        def fails(episode: Episode) -> tuple[bool, bool]:
            nonlocal smallest
            beat()
            try:
                evidence, violated = settings.examine_episode(subject, episode, again=wanted == DETERMINISM)
            except HarnessBroken:
                return False, True
            if wanted in violated:
                smallest = Sighting.from_evidence(episode, evidence, violated, first.shard, first.example)
            return wanted in violated, any(isinstance(event, Hung) for event in evidence.record.events)

        try:
            show_smaller_episodes(
                settings.make_strategy(subject), first.shard, first.episode, fails, settings.attempts, task.patience
            )
        except engine.Stop:
            pass
        except KeyboardInterrupt:
            return Shrunk(sighting=smallest, is_interrupted=True)
    return Shrunk(sighting=smallest)


@dataclass(frozen=True)
class ToReplay:
    """Episodes of the corpus, and the shards and examples they come from."""

    settings: SearchSettings
    kept: tuple["Kept", ...]


class Kept(Value):
    """An episode of the corpus, as it went when it was kept."""

    episode: Episode
    behaviour: Behaviour
    shard: Shard


class Replayed(Value):
    """An episode of the corpus, as it went now."""

    marks: tuple[str, ...]
    sighting: Sighting | None = None
    broken: Broken | None = None

    def update_kept(self, kept: Kept) -> Kept:
        """Return what is kept from now on."""
        return kept.model_copy(update={"behaviour": kept.behaviour.model_copy(update={"marks": self.marks})})


def replay_episodes(task: ToReplay, beat: Beat) -> tuple[Replayed, ...]:
    """Play the episodes again; gives how each of them goes now."""
    with task.settings.source.open_subject() as subject:
        return tuple(_replay_one(subject, task.settings, kept, beat) for kept in task.kept)


def _replay_one(subject: Subject, settings: SearchSettings, kept: Kept, beat: Beat) -> Replayed:
    beat()
    try:
        evidence, violated = settings.examine_episode(subject, kept.episode, again=True)
    except HarnessBroken as error:
        return Replayed(marks=(), broken=Broken(episode=kept.episode, text=str(error)))
    if not violated:
        return Replayed(marks=collect_marks(evidence))
    sighting = Sighting.from_evidence(kept.episode, evidence, violated, kept.shard, kept.behaviour.example)
    return Replayed(marks=collect_marks(evidence), sighting=sighting)


@dataclass(frozen=True)
class ToGenerate:
    """Examples of a shard that are wanted without being played, by their numbers in the campaign."""

    settings: SearchSettings
    shard: Shard
    examples: tuple[int, ...]


def generate_episodes(task: ToGenerate, _: Beat) -> dict[int, Episode]:
    """Generate the wanted episodes; gives them by their numbers."""
    found: dict[int, Episode] = {}
    number = task.shard.start

    def test(episode: Episode) -> None:
        nonlocal number
        if number >= max(task.examples):
            raise engine.Stop
        number += 1
        if number in task.examples:
            found[number] = episode

    with task.settings.source.open_subject() as subject, suppress(engine.Stop):
        engine.generate_examples(task.settings.make_strategy(subject), task.shard.seed, task.shard.examples, test)
    return found


def introduce_subject(source: Source, _: Beat) -> Manifest:
    """Who the subject is; raises what `manifest_of` raises."""
    with source.open_subject() as subject:
        return manifest_of(subject)
