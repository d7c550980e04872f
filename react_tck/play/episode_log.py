"""Keeps every episode as a JSONL file: the episode itself, then an event a line; and reads the episodes again."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

from react_tck.files import CannotRead, read_file, write
from react_tck.model.base import Value
from react_tck.model.episode import Episode
from react_tck.model.record import Record
from react_tck.texts import read_json


class EpisodeWriter:
    """Writes into a folder, one file an episode."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write_episode(self, episode: Episode, record: Record, number: int) -> None:
        """Write an episode; `number` tells those of one scenario apart.

        Raises:
            CannotWrite: if the folder can't be written to.
        """
        lines = [_write_json(episode), *map(_write_json, record.events)]
        write(self._folder / f"{_name_file(episode.case.id)}-{number}.jsonl", "\n".join(lines) + "\n")


def read_episodes(folder: Path, case_id: str) -> Iterator[Episode]:
    """Yield the episodes of a case that a `EpisodeWriter` has written into the folder, in order.

    Raises:
        CannotRead: if a file of them can't be read, or doesn't begin with an episode.
    """
    for path in sorted(folder.glob(f"{_name_file(case_id)}-*.jsonl"), key=lambda path: (len(path.name), path.name)):
        text = read_file(path).partition("\n")[0]
        try:
            yield Episode.model_validate(read_json(text))
        except ValueError as error:
            raise CannotRead(f"{path} begins with no episode that a run has written.") from error


def _write_json(value: Value) -> str:
    return json.dumps(value.model_dump(mode="json"), ensure_ascii=False, separators=(",", ":"))


def _name_file(case_id: str) -> str:
    """Return a file name that any system takes; a digest keeps long titles apart."""
    words = re.sub(r"[^A-Za-z0-9]+", "-", case_id).strip("-")
    return f"{words[:80]}-{hashlib.sha256(case_id.encode()).hexdigest()[:6]}"
