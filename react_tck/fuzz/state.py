"""A folder in which campaigns are kept, to be gone on with: what shards came to, and the corpus.

`corpus.json` is of all campaigns; each has a folder of its own, named after all that its shards depend on.
"""

import hashlib
import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import TypeVar

from pydantic import ValidationError

import react_tck
from react_tck.catalogue.kill_matrix import choose_cover
from react_tck.files import CannotRead, make_folder, read_file, write
from react_tck.fuzz.playing import (
    Kept,
    Replayed,
    SearchSettings,
    Shrunk,
    ToGenerate,
    ToReplay,
    generate_episodes,
    replay_episodes,
)
from react_tck.fuzz.shards import Behaviour, SearchScope, Shard, ShardResult, Sighting
from react_tck.model.base import Value
from react_tck.model.manifest import Manifest
from react_tck.processes.workers.workers import Beat, Workers
from react_tck.texts import read_json

Kind = TypeVar("Kind", bound=Value)


class Corpus(Value):
    """Episodes that between them reach all that has been reached."""

    kept: tuple[Kept, ...] = ()


class CampaignBegun(Value):
    """What a campaign began with: the sightings among the corpus."""

    sightings: tuple[Sighting, ...] = ()


class CampaignState:
    """The folder of one campaign, below that of all.

    Raises:
        CannotWrite: if a folder can't be written to.
    """

    def __init__(self, folder: Path, name: str, manifest: Manifest, seed: int, scope: SearchScope) -> None:
        depends = [react_tck.__version__, name, manifest.model_dump(mode="json"), seed, scope.profiles]
        text = json.dumps([*depends, sorted(scope.known), scope.most])
        self._corpus = folder / "corpus.json"
        self._folder = folder / f"campaign-{hashlib.sha256(text.encode()).hexdigest()[:10]}"
        self._lock = Lock()
        make_folder(folder)
        make_folder(self._folder)

    def read_corpus(self) -> Corpus:
        """Return the corpus, empty where there is none; raises what `read_file` raises, and `UnreadableState`."""
        return _read_value(self._corpus, Corpus) or Corpus()

    def keep_corpus(self, corpus: Corpus) -> None:
        """Write the corpus, which all campaigns of the folder share."""
        self._write_value(self._corpus, corpus)

    def read_beginning(self) -> CampaignBegun | None:
        """Return what the campaign began with, if it has."""
        return _read_value(self._folder / "begun.json", CampaignBegun)

    def write_beginning(self, sightings: tuple[Sighting, ...]) -> None:
        """Begin it, anew if it had begun."""
        shutil.rmtree(self._folder)
        make_folder(self._folder)
        self._write_value(self._folder / "begun.json", CampaignBegun(sightings=sightings))

    def read_shard(self, shard: Shard) -> ShardResult | None:
        """Return what it came to, if it has been played."""
        return _read_value(self._name_file(shard), ShardResult)

    def keep_shard(self, result: ShardResult) -> None:
        """Write what a shard came to, unless something ended it."""
        if not result.is_cut_off:
            self._write_value(self._name_file(result.shard), result)

    def read_shrunk(self, requirement_id: str, first: Sighting) -> Shrunk | None:
        """Return the smallest, if it has been made."""
        return _read_value(self._name_file(first.shard, f"-{first.example}-{requirement_id}"), Shrunk)

    def keep_shrunk(self, requirement_id: str, first: Sighting, shrunk: Shrunk) -> None:
        """Write what a sighting came to."""
        if not shrunk.is_interrupted:
            self._write_value(self._name_file(first.shard, f"-{first.example}-{requirement_id}"), shrunk)

    def _name_file(self, shard: Shard, what: str = "") -> Path:
        # The examples of a short shard aren't those that a long one begins with.
        return self._folder / f"shard-{shard.number:06}-{shard.start}-{shard.examples}{what}.json"

    def _write_value(self, path: Path, value: Value) -> None:
        with self._lock:
            write(path, f"{json.dumps(value.model_dump(mode='json'))}\n")


class UnreadableState(Exception):
    """A file of the state isn't what a campaign wrote; the message says which."""


def _read_value(path: Path, kind: type[Kind]) -> Kind | None:
    if not path.exists():
        return None
    try:
        return kind.model_validate(read_json(read_file(path)))
    except (ValidationError, ValueError, RecursionError, CannotRead) as error:
        raise UnreadableState(f"{path} isn't what `react-tck fuzz --state` has written: delete its folder.") from error


#: Episodes that one task plays.
_AT_ONCE = 10


def replay_all(kept: Sequence[Kept], settings: SearchSettings, workers: Workers, beat: Beat) -> list[Replayed]:
    """Return how all the episodes go now."""
    parts = (tuple(kept[at : at + _AT_ONCE]) for at in range(0, len(kept), _AT_ONCE))
    tasks = (ToReplay(settings, part) for part in parts)
    return [each for part in workers.map(replay_episodes, tasks, beat) for each in part]


def minimise_corpus(
    kept: Sequence[Kept],
    behaviours: Sequence[Behaviour],
    shards: Sequence[Shard],
    settings: SearchSettings,
    workers: Workers,
) -> tuple[Kept, ...]:
    """One episode of each behaviour of the fewest that reach all that the corpus and the shards have reached."""
    have = {each.behaviour.marks: each for each in kept}
    reached = [*(each.behaviour for each in have.values()), *(b for b in behaviours if b.marks not in have)]
    reached.sort(key=lambda behaviour: behaviour.example)
    chosen = choose_cover({each.marks: each.marks for each in reached})
    wanted = [each for each in reached if each.marks in chosen]
    missing = [each for each in wanted if each.marks not in have]
    have |= {each.behaviour.marks: each for each in _generate_missing(missing, shards, settings, workers)}
    return tuple(have[each.marks] for each in wanted)


def _generate_missing(
    behaviours: Sequence[Behaviour], shards: Sequence[Shard], settings: SearchSettings, workers: Workers
) -> Iterator[Kept]:
    """Yield the behaviours' first examples, generated again: to send all that were played would cost more."""
    by_shard = [
        (shard, [each for each in behaviours if shard.start < each.example <= shard.start + shard.examples])
        for shard in shards
    ]
    tasks = [ToGenerate(settings, shard, tuple(each.example for each in found)) for shard, found in by_shard if found]
    by_example = {each.example: each for each in behaviours}
    for task, episodes in zip(tasks, workers.map(generate_episodes, tasks), strict=True):
        for example in task.examples:
            yield Kept(episode=episodes[example], behaviour=by_example[example], shard=task.shard)
