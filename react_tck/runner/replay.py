"""SAN-009: the same case gives the same record: again, after another case, and in a fresh process."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from react_tck.model.base import JsonObject
from react_tck.model.episode import Episode
from react_tck.model.record import Event, Record, Returned
from react_tck.runner.findings import Finding
from react_tck.runner.session import play
from react_tck.runner.verdict import Violation
from react_tck.subjects.protocol import HarnessBroken, Subject

#: Seconds a fresh process may take for one episode, imports included.
_FRESH_TIMEOUT = 60
#: Where an object stands in memory; Python puts it into texts about objects.
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")
#: Not the parent's, so that an order taken from a set or a hash shows.
_FRESH_HASH_SEED = "4711"


@dataclass(frozen=True)
class Played:
    """An episode and its record, and where a difference would have been found."""

    finding: Finding
    episode: Episode
    record: Record


class Replayer:
    """Plays each episode again after the next one, and compares the records."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._waiting: Played | None = None

    def after(self, played: Played) -> Iterator[tuple[Played, Violation]]:
        """Play the episode before this one again; gives it, with the difference, if its record changed."""
        yield from self.last()
        self._waiting = played

    def last(self) -> Iterator[tuple[Played, Violation]]:
        """Play the episode again that is still waiting, if there is one."""
        played, self._waiting = self._waiting, None
        if played and _came_back(played) and (violation := self._again(played)):
            yield played, violation

    def _again(self, played: Played) -> Violation | None:
        try:
            return difference(played.record, play(self._subject, played.episode))
        except HarnessBroken as error:
            return Violation("the case can be played again", str(error))


def difference(first: Record, second: Record) -> Violation | None:
    """The first event in which two records of one episode differ."""
    for index in range(max(len(first.events), len(second.events))):
        one, other = _event(first, index), _event(second, index)
        if _comparable(one, first) != _comparable(other, second):
            expected = f"event {index + 1} is the same whenever the case is played"
            return Violation(expected, f"{_shown(one)}\n  became {_shown(other)}", one or other)
    return None


def _came_back(played: Played) -> bool:
    """Whether the harness held out the first time; if not, that has been told already."""
    return len(played.record.outcomes) == sum(i.outcomes for i in played.episode.case.invocations)


def play_afresh(subject_name: str, episode: Episode) -> Record:
    """Play the episode in a process of its own.

    Raises:
        HarnessBroken: if that process gives no record.
    """
    done = subprocess.run(
        [sys.executable, "-m", "react_tck.runner.afresh", subject_name],
        input=episode.model_dump_json(),
        capture_output=True,
        text=True,
        timeout=_FRESH_TIMEOUT,
        env=_fresh_environment(),
        check=False,
    )
    if done.returncode:
        raise HarnessBroken(f"a fresh process exited with {done.returncode}: {done.stderr.strip()[-500:]}")
    return Record.model_validate(json.loads(done.stdout))


def _fresh_environment() -> dict[str, str]:

    return {**os.environ, "PYTHONHASHSEED": _FRESH_HASH_SEED}


def _comparable(event: Event | None, record: Record) -> Event | None:
    """The event without what must differ: ids, the state of the subject's own that holds them (CNF-007), addresses."""
    if not isinstance(event, Returned):
        return event
    outcome = event.outcome
    if outcome.suspension is not None:
        outcome = outcome.model_copy(update={"suspension": _public(outcome.suspension)})
    if outcome.error is not None:
        message = _without(_ids(record), outcome.error.message)
        outcome = outcome.model_copy(update={"error": outcome.error.model_copy(update={"message": message})})
    return event.model_copy(update={"outcome": outcome})


def _ids(record: Record) -> list[str]:
    return [str(outcome.suspension.get("confirmation_id")) for outcome in record.outcomes if outcome.suspension]


def _without(ids: list[str], text: str) -> str:
    for confirmation_id in ids:
        text = text.replace(confirmation_id, "(its id)")
    return _ADDRESS.sub("(an address)", text)


def _public(suspension: JsonObject) -> JsonObject:
    call, context = suspension.get("tool_call"), suspension.get("context")
    return {
        "question": suspension.get("question"),
        "tool_call": _only(call, "name", "args"),
        "context": _only(context, "trajectory", "iteration", "input_args"),
    }


def _only(value: JsonValue, *keys: str) -> JsonValue:
    return {key: value.get(key) for key in keys} if isinstance(value, dict) else None


def _event(record: Record, index: int) -> Event | None:
    return record.events[index] if index < len(record.events) else None


def _shown(event: Event | None) -> str:
    return event.model_dump_json() if event else "nothing"
