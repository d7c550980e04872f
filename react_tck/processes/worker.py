"""What a worker does: plays rows of a run in a process of its own, and reports each of them as it ends."""

import faulthandler
import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from react_tck.catalogue.manifests import manifest_of
from react_tck.catalogue.selection import Selection
from react_tck.collector import collect_rarely
from react_tck.engine.run import Run
from react_tck.engine.session import CollectedRows
from react_tck.model.base import Value
from react_tck.model.manifest import Manifest
from react_tck.play.left_over import await_lasting_threads
from react_tck.processes.monitor import ProcessMonitor
from react_tck.results.ledger import Results
from react_tck.subjects.api import HarnessBroken, Subject, expecting_exceptions
from react_tck.subjects.catalogue import LibraryMissing, UnknownSubject, close_subject, is_harness, resolve
from react_tck.subjects.config import ConfigError


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


#: What says that the subject can't be had, by the name under which it is reported.
REFUSALS: dict[str, type[Exception]] = {
    error.__name__: error for error in (HarnessBroken, LibraryMissing, UnknownSubject, ConfigError)
}
#: Has a worker show, on its standard error, where it is.
WHERE = signal.SIGUSR1
#: What a worker exits with that can't report any more.
UNHEARD = 71


@dataclass(frozen=True)
class WorkerTask:
    """The run that a worker plays rows of."""

    subject_name: str
    selection: Selection
    seed: int
    transcripts: Path | None
    #: Bytes that the subject may take up; None for however many there are.
    memory: int | None
    #: Whether the records of all rows are reported, rather than of those in which something is wrong.
    keeps_records: bool = False
    #: Whether rows are played again (SAN-009).
    replays: bool = True

    def play_rows(self, collected: CollectedRows, rows: Collection[str], report: int) -> None:
        """Play these of the collected rows, report to that descriptor."""
        if is_harness(self.subject_name):
            collect_rarely()
        faulthandler.enable(file=os.dup(sys.stderr.fileno()))
        faulthandler.register(WHERE, file=sys.stderr, all_threads=True)
        reporter = Reporter(report, self.memory, has_subject=not is_harness(self.subject_name))
        reporter.send_message(WorkerStarted(process=os.getpid()))
        known_threads = frozenset(threading.enumerate())
        try:
            subject, manifest = self._resolve_subject()
            reporter.send_message(SubjectReady(manifest=manifest))
        except tuple(REFUSALS.values()) as error:
            kind = next(kind.__name__ for kind in type(error).__mro__ if kind.__name__ in REFUSALS)
            reporter.send_message(SubjectUnavailable(error=kind, message=str(error)))
            return
        try:
            how = (self.selection, self.seed, self.transcripts, self.replays, self.keeps_records)
            left = await_lasting_threads(known_threads)
            Run(subject, self.subject_name, *how, left).play_rows(collected, rows, reporter)
            close_subject(subject)
        except Exception:
            reporter.send_message(KitFailed(trace=traceback.format_exc()))
        reporter.send_message(WorkerFinished())

    def _resolve_subject(self) -> tuple[Subject, Manifest]:
        with expecting_exceptions():
            subject = resolve(self.subject_name)
            try:
                return subject, manifest_of(subject)
            except HarnessBroken:
                raise
            except Exception as error:
                raise HarnessBroken(f"initializing raised {type(error).__name__}: {error}") from error


class Reporter:
    """Watches over the process it is in, and reports to the one that supervises it."""

    #: Ctrl-C doesn't come here.
    spared: tuple[type[BaseException], ...] = ()
    #: What a subject prints, the supervisor keeps.
    is_overheard = True

    def __init__(self, report: int, memory: int | None, *, has_subject: bool) -> None:
        self._report = report
        self._process = os.getpid()
        self._monitor = ProcessMonitor(report, memory, has_subject=has_subject)
        self._row = ""

    @property
    def is_damaged(self) -> bool:
        """Whether no other row may be played here."""
        return self._monitor.is_damaged

    def begin_row(self, row: str, *, again: bool = False) -> None:
        """Tell that a row is played now."""
        self._monitor.take_snapshot()
        self._row = row
        self.send_message(RowStarted(row=row, again=again))

    def end_row(self, row: str, found: Results, *, again: bool = False) -> None:
        """Tell what was found of the row."""
        self.send_message(RowEnded(row=row, found=found, again=again))

    def find_damage(self, error: BaseException | None = None) -> str:
        """Return what the subject has done to the process."""
        self._exit_if_forked()
        return self._monitor.find_damage(error)

    def send_message(self, message: Message) -> None:
        """Report it; a process that can't be heard any more needn't go on."""
        self._exit_if_forked()
        self._write_message(message)

    def _exit_if_forked(self) -> None:
        if os.getpid() != self._process:
            self._write_message(ProcessForked(row=self._row))
            os._exit(0)

    def _write_message(self, message: Message) -> None:
        rest = memoryview(encode_message(message))
        try:
            while rest and self._monitor.is_ours(self._report):
                rest = rest[os.write(self._report, rest) :]
        except OSError:
            os._exit(UNHEARD)
        if rest:
            os._exit(UNHEARD)
