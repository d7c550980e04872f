"""One search through a subject's behaviour: its shards are played by workers, their results merged in their order."""

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Protocol

from react_tck.fuzz.playing import (
    Kept,
    SearchSettings,
    ToGenerate,
    ToPlay,
    ToShrink,
    generate_episodes,
    play_shard,
    shrink_sighting,
)
from react_tck.fuzz.shards import (
    Behaviour,
    BehaviourMap,
    Broken,
    Budget,
    SearchScope,
    Shard,
    ShardResult,
    Sighting,
    Source,
)
from react_tck.fuzz.state import CampaignState, Corpus, minimise_corpus, replay_all
from react_tck.model.episode import Episode
from react_tck.processes.workers.workers import Beat, Serial, TaskSilent, Workers
from react_tck.subjects.api import HarnessBroken


class SearchListener(Protocol):
    """Whoever shows how far the search is."""

    def show_progress(self, shards: int, examples: int, findings: int) -> None:
        """So many shards and examples have been judged."""

    def show_found(self, ids: str, sighting: Sighting) -> None:
        """Show that these are violated in an episode that isn't any smaller yet."""

    def show_shrinking(self, requirement_id: str, attempts: int) -> None:
        """So many attempts have been made to make a finding smaller."""

    def show_choosing(self, examples: int) -> None:
        """All examples have been judged, so many of them; those that the corpus keeps are chosen."""


class SilentSearchListener:
    """For searches that nobody watches."""

    def show_progress(self, shards: int, examples: int, findings: int) -> None:
        """Ignore how many shards and examples have been judged."""

    def show_found(self, ids: str, sighting: Sighting) -> None:
        """Ignore that something is found."""

    def show_shrinking(self, requirement_id: str, attempts: int) -> None:
        """Ignore how many attempts have been made to make a finding smaller."""

    def show_choosing(self, examples: int) -> None:
        """Ignore that the episodes are chosen that the corpus keeps."""


class SearchCount:
    """Counts what is heard of the workers."""

    def __init__(self, listener: SearchListener) -> None:
        self.found = 0
        self._listener = listener
        self._beats = self._shards = self._examples = 0

    def count_beat(self) -> None:
        """Count one more example, and show it."""
        self._beats += 1
        self._show_progress()

    def count_shard(self, result: ShardResult) -> None:
        """Count one more shard, and show it; of workers far away no more is heard."""
        self._shards += 1
        self._examples += result.examples
        self._show_progress()

    def _show_progress(self) -> None:
        self._listener.show_progress(self._shards, max(self._beats, self._examples), self.found)

    def show_choosing(self) -> None:
        """Show that all examples have been judged, and what is done now."""
        self._listener.show_choosing(max(self._beats, self._examples))

    def show_found(self, found: Sequence["Violated"]) -> None:
        """Show what is found at once, by the episode in which it is."""
        for sighting in {each.sighting.example: each.sighting for each in found}.values():
            ids = [each.requirement_id for each in found if each.sighting is sighting]
            self._listener.show_found(", ".join(ids), sighting)

    def count_attempts(self, ids: str) -> Beat:
        """Count the attempts to make these smaller."""
        attempts = count(1)
        return lambda: self._listener.show_shrinking(ids, next(attempts))


#: Seconds, and the share of the time that is left, that one finding may take to become smaller where time is short.
_PATIENCE, _SHARE = 60.0, 0.25


@dataclass(frozen=True)
class Violated:
    """The smallest episode that violates a requirement, or the first, and all that is violated in it."""

    requirement_id: str
    sighting: Sighting

    @property
    def key(self) -> tuple[str, int]:
        """No two of a campaign are of one requirement and one example."""
        return self.requirement_id, self.sighting.example


class HarnessBrokenIn(HarnessBroken):
    """The harness broke while it played this episode."""

    def __init__(self, episode: Episode, why: str) -> None:
        super().__init__(why)
        self.episode = episode


class Campaign:
    """One search: what it finds, and what it has seen, is the same whoever the workers are.

    `source` is where workers get the subject from; `state` is where what has been done is kept.
    """

    def __init__(
        self,
        source: Source,
        budget: Budget,
        listener: SearchListener,
        scope: SearchScope | None = None,
        *,
        workers: Workers | None = None,
        state: CampaignState | None = None,
        find_accused: Callable[[Episode], Collection[str]] = lambda _: (),
    ) -> None:
        #: What of an episode somebody who is right is accused of too: it isn't told.
        self._find_accused = find_accused
        self.acquitted: set[str] = set()
        self._budget = budget
        self._scope = scope or SearchScope()
        self._workers: Workers = workers or Serial()
        self._state = state
        until = None if budget.seconds is None else budget.begun + budget.seconds
        # Where time is short, what is found gets smaller before it is over.
        enough = 1 if until is not None and state is None else self._scope.most
        self._settings = SearchSettings(source, self._scope, state is not None, until, enough, budget.attempts)
        self._progress = SearchCount(listener)
        self._behaviour_map = BehaviourMap()
        self._known: set[str] = set(self._scope.known)
        self._shards: list[Shard] = []
        self._corpus: list[Kept] = []
        self._shrunk: dict[tuple[str, int], Sighting] = {}
        self.examples = 0
        #: In how many of the examples each requirement was in play.
        self.in_play: Counter[str] = Counter()
        #: Whether somebody pressed Ctrl-C.
        self.is_interrupted = False
        #: How many episodes of the corpus were played, and how many of them went otherwise than they did.
        self.replayed = self.changed = 0

    @property
    def behaviours(self) -> tuple[Behaviour, ...]:
        """The ways examples went, by the first that did."""
        return self._behaviour_map.behaviours

    def find_first(self) -> Violated | None:
        """Return the first violation of anything, as it was generated.

        Raises:
            BrokenIn: if the harness breaks.
        """
        self._settings = replace(self._settings, enough=1)
        for result in self._play_shards():
            new = self._merge_result(result)
            _raise_if_broken(result.broken)
            if new or self.is_interrupted:
                return next(iter(new), None)
        return None

    def find_violations(self) -> Iterator[Violated]:
        """Yield the smallest episodes that violate requirements not violated by those before.

        Raises:
            BrokenIn: if the harness breaks; what was found before has been given by then.
            WorkersLost: if the workers are lost.
        """
        found, given = set(self._scope.known), 0
        for new, broken in self._search_for_violations():
            self._progress.show_found(new)
            for number, first in enumerate(new):
                if first.requirement_id not in found and given != self._scope.most:
                    smallest = self._find_smallest(new[number:], found)
                    found |= smallest.breaches.keys()
                    given += 1
                    yield Violated(first.requirement_id, smallest)
            _raise_if_broken(broken)
            if self.is_interrupted or given == self._scope.most:
                return
        self._keep_corpus()

    def _search_for_violations(self) -> Iterator[tuple[list[Violated], Broken | None]]:
        """Yield what is new in the corpus, if the campaign begins, and in each shard."""
        yield self._select_new(self._replay_corpus()), None
        for result in self._play_shards():
            yield self._merge_result(result), result.broken

    # The shards.

    def _play_shards(self) -> Iterator[ShardResult]:
        """Yield what the shards came to, in their order; whatever is kept isn't played again."""
        decided: deque[tuple[Shard, ShardResult | None]] = deque()

        def yield_missing() -> Iterator[ToPlay]:
            for shard in self._budget.yield_shards():
                kept = self._state.read_shard(shard) if self._state else None
                decided.append((shard, kept))
                self._shards.append(shard)
                if kept is None:
                    yield ToPlay(self._settings, shard)

        played = self._workers.map(play_shard, yield_missing(), self._progress.count_beat, self._keep_result)
        try:
            for result in played:
                while (kept := decided.popleft()[1]) is not None:
                    yield kept
                yield result
            yield from (kept for _, kept in decided if kept)
        except KeyboardInterrupt:
            self.is_interrupted = True
        except TaskSilent as error:
            yield self._report_hanging_shard(next(shard for shard, kept in decided if kept is None), error)

    def _keep_result(self, result: ShardResult) -> None:
        self._progress.count_shard(result)
        if self._state:
            self._state.keep_shard(result)

    def _report_hanging_shard(self, shard: Shard, error: TaskSilent) -> ShardResult:
        """Return what is told of a shard that hangs: the episode in which it does."""
        example = shard.start + error.beats + 1
        task = ToGenerate(self._settings, shard, (example,))
        episode = next(self._workers.map(generate_episodes, [task])).get(example)
        if episode is None:
            raise error
        text = f"the shard {shard.number} hangs: its example {example} hasn't ended in {error.seconds:g} seconds, twice"
        return ShardResult(shard=shard, examples=0, in_play={}, broken=Broken(episode=episode, text=text))

    def _merge_result(self, result: ShardResult) -> list[Violated]:
        """Add a shard to what has been seen; gives what is new in it."""
        self.examples += result.examples
        self.in_play.update(result.in_play)
        self._behaviour_map.add_behaviours(result.behaviours)
        self.is_interrupted |= result.is_interrupted
        return self._select_new(result.sightings)

    def _select_new(self, sightings: Iterable[Sighting]) -> list[Violated]:
        new: list[Violated] = []
        for sighting in sightings:
            seen = self._drop_accusations(sighting) if sighting.breaches.keys() - self._known else sighting
            new += [Violated(id_, seen) for id_ in seen.breaches if id_ not in self._known]
            self._known |= seen.breaches.keys()
        self._progress.found = len(self._known - self._scope.known)
        return new

    def _drop_accusations(self, sighting: Sighting) -> Sighting:
        """Return the sighting without what somebody who is right is accused of in the episode, too."""
        accused = sighting.breaches.keys() & {*self._find_accused(sighting.episode)}
        self.acquitted |= accused
        left = {id_: breach for id_, breach in sighting.breaches.items() if id_ not in accused}
        return sighting.model_copy(update={"breaches": left}) if accused else sighting

    # What is found gets smaller.

    def _find_smallest(self, new: Sequence[Violated], found: Collection[str]) -> Sighting:
        """Return the smallest episode of the first; workers make those of others at the same time."""
        first = new[0]
        if first.key not in self._shrunk:
            self._shrink_violations(
                [each for each in _select_one_per_episode(new) if each.requirement_id not in found][
                    : self._workers.count
                ]
            )
        smallest = self._drop_accusations(self._shrunk.get(first.key, first.sighting))
        return smallest if first.requirement_id in smallest.breaches else first.sighting

    def _shrink_violations(self, wanted: Sequence[Violated]) -> None:
        if self.is_interrupted:
            return
        left = self._budget.left
        patience = None if left is None else max(0.0, min(_PATIENCE, left * _SHARE))
        known = [
            (each, self._state.read_shrunk(each.requirement_id, each.sighting) if self._state else None)
            for each in wanted
        ]
        self._shrunk.update({each.key: shrunk.sighting for each, shrunk in known if shrunk})
        missing = [each for each, shrunk in known if not shrunk]
        tasks = (ToShrink(self._settings, each.requirement_id, each.sighting, patience) for each in missing)
        try:
            results = self._workers.map(
                shrink_sighting,
                tasks,
                self._progress.count_attempts(", ".join(each.requirement_id for each in missing)),
            )
            for each, shrunk in zip(missing, results, strict=True):
                self._shrunk[each.key] = shrunk.sighting
                self.is_interrupted |= shrunk.is_interrupted
                if self._state:
                    self._state.keep_shrunk(each.requirement_id, each.sighting, shrunk)
        except (KeyboardInterrupt, TaskSilent) as error:
            # A finding in which the subject hangs stays as it was found.
            self.is_interrupted |= isinstance(error, KeyboardInterrupt)

    # The corpus.

    def _replay_corpus(self) -> tuple[Sighting, ...]:
        """Return the sightings among the corpus it began with; it begins anew if the subject has changed."""
        if not self._state:
            return ()
        kept = self._state.read_corpus().kept
        try:
            replayed = replay_all(kept, self._settings, self._workers, self._progress.count_beat)
        except KeyboardInterrupt:
            self.is_interrupted = True
            return ()
        _raise_if_broken(next((each.broken for each in replayed if each.broken), None))
        self._corpus = [each.update_kept(old) for each, old in zip(replayed, kept, strict=True)]
        self.replayed = len(replayed)
        self.changed = sum(new != old for new, old in zip(self._corpus, kept, strict=True))
        begun = self._state.read_beginning()
        if begun and not self.changed:
            return begun.sightings
        sightings = tuple(each.sighting for each in replayed if each.sighting)
        self._state.write_beginning(sightings)
        return sightings

    def _keep_corpus(self) -> None:
        if self._state and not self.is_interrupted:
            self._progress.show_choosing()
            kept = minimise_corpus(self._corpus, self.behaviours, self._shards, self._settings, self._workers)
            self._state.keep_corpus(Corpus(kept=kept))


def _raise_if_broken(broken: Broken | None) -> None:
    if broken:
        raise HarnessBrokenIn(broken.episode, broken.text)


def _select_one_per_episode(new: Sequence[Violated]) -> list[Violated]:
    """One of each episode: what is violated besides in one is likely to be in its smallest as well."""
    return list({id(each.sighting): each for each in reversed(new)}.values())[::-1]
