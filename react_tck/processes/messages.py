"""What a worker reports to the process that supervises it, a line of JSON each."""

import json
from typing import get_args

from react_tck.model.base import Value
from react_tck.model.manifest import Manifest
from react_tck.results.ledger import Results


class WorkerStarted(Value):
    """The worker is there: its number."""

    process: int


class SubjectReady(Value):
    """The subject has said who it is."""

    manifest: Manifest


class SubjectUnavailable(Value):
    """The subject can't be had; the name of the exception that says so, and what it says."""

    error: str
    message: str


class RowStarted(Value):
    """A row is played now, or played again."""

    row: str
    again: bool


class RowEnded(Value):
    """What was found in a row."""

    row: str
    found: Results
    again: bool


class ProcessForked(Value):
    """Said by a second process that came out of the row: the subject has forked, and let the copy go on."""

    row: str


class WorkerFinished(Value):
    """No more rows are played in this process: all of them have been, or it is damaged."""


class KitFailed(Value):
    """The kit failed outside of any row."""

    trace: str


class WorkerDied(Value):
    """Said by the guard: the worker is gone, with this wait status; None if the guard itself is."""

    status: int | None


Message = (
    WorkerStarted
    | SubjectReady
    | SubjectUnavailable
    | RowStarted
    | RowEnded
    | ProcessForked
    | WorkerFinished
    | KitFailed
    | WorkerDied
)
_KINDS: dict[str, type[Message]] = {kind.__name__: kind for kind in get_args(Message)}


class InvalidMessage(ValueError):
    """A line that no worker of ours has written."""


def encode_message(message: Message) -> bytes:
    """Return the message as a line; after whatever a worker that died has left unfinished, it is one of its own."""
    # What pydantic writes itself can't hold half a surrogate pair, which a subject may have said.
    return f"\n{json.dumps([type(message).__name__, message.model_dump(mode='json')])}\n".encode()


def decode_message(line: bytes) -> Message:
    """Return the message of a line.

    Raises:
        Garbage: if it is none.
    """
    try:
        kind, said = json.loads(line)
        return _KINDS[kind].model_validate(said)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InvalidMessage(line[:80].decode(errors="backslashreplace")) from error
