"""Supervises workers: hears what they report, and gives the row at hand its verdict when one dies, hangs or lies."""

import contextlib
import os
import select
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from react_tck.engine.session import CollectedRows
from react_tck.model.manifest import Manifest
from react_tck.model.report import Verdict
from react_tck.processes.endings import how_it_ended, last_lines, whereabouts
from react_tck.processes.guard import Guarded, guarded
from react_tck.processes.messages import (
    Begun,
    Broke,
    Died,
    Doubled,
    Ended,
    Garbage,
    Message,
    Over,
    Ready,
    Started,
    Unavailable,
    read,
    written,
)
from react_tck.processes.worker import REFUSALS, WHERE, Assignment
from react_tck.results.books import Books
from react_tck.results.bug_report import BugReport
from react_tck.results.ledger import Results
from react_tck.subjects.api import HarnessBroken

#: Seconds between two looks at the time, and those in which a worker tells where it is.
_TURN, _ASKED = 0.1, 0.5
#: A turn that took longer counts as so many seconds: it was us who slept.
_COUNTED = 0.5
#: Bytes taken at a time; kept of what a worker writes to its standard error, the latest ones.
_CHUNK, _KEPT = 1024 * 1024, 16 * 1024
#: Pieces of what it reports that are taken in a turn; bytes that a message has at the most.
_PIECES, _LONGEST = 256, 256 * 1024 * 1024


def _half_of_memory() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2


@dataclass(frozen=True)
class Allowance:
    """What a subject may take; None for however much it wants."""

    #: Seconds for a row.
    row: float | None = 60.0
    #: Seconds until it says who it is, what it imports included.
    start: float | None = 120.0
    #: Bytes.
    memory: int | None = field(default_factory=_half_of_memory)


class Worker:
    """A process, what it has reported, and what it wrote."""

    def __init__(self, process: Guarded) -> None:
        self.process = process
        self.spent = 0.0
        #: The number of the worker itself, once it has told; and whether its subject has said who it is.
        self.number, self.is_ready = 0, False
        self._received = b""
        self._written = bytearray()

    def messages(self) -> Iterator[Message]:
        """What it has reported since the last time; at the end of the line, that it died."""
        self.overhear()
        for taken in _pieces(self.process.reports):
            *lines, self._received = (self._received + taken).split(b"\n")
            for line in filter(None, lines):
                # What somebody else has written there is none of ours; what it has spoilt will be missed.
                with contextlib.suppress(Garbage):
                    yield read(line)
            if len(self._received) > _LONGEST:
                self._received = b""
            if not taken:
                yield Died(status=None)
                return

    def overhear(self) -> str:
        """The end of what it wrote to its standard output and error."""
        if taken := _taken(self.process.outputs):
            self._written += taken
            del self._written[:-_KEPT]
        return self._written.decode(errors="replace")

    def whereabouts(self) -> str:
        """Which functions of the subject's are under way, if it can tell."""
        if not self.number:
            return ""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.number, WHERE)
        deadline = time.monotonic() + _ASKED
        while not whereabouts(self.overhear()) and time.monotonic() < deadline:
            time.sleep(_TURN / 10)
        return whereabouts(self.overhear())


def _pieces(descriptor: int) -> Iterator[bytes]:
    """What can be read in a turn: whoever writes without end isn't listened to without end."""
    for _ in range(_PIECES):
        if (taken := _taken(descriptor)) is None:
            return
        yield taken


def _taken(descriptor: int) -> bytes | None:
    """What can be read; None if there is nothing yet, nothing at the end."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None


@dataclass
class Shift:
    """Rows of a run, played by one worker after another."""

    assignment: Assignment
    allowance: Allowance
    books: Books
    collected: CollectedRows
    rows: Collection[str]
    manifest: Manifest | None = None
    #: Why there is no run.
    refusal: Exception | None = None

    def __post_init__(self) -> None:
        self._left = dict.fromkeys(self.rows)
        self._at_hand: Begun | None = None
        self._ended = ""
        self._worker: Worker | None = None
        self._looked = 0.0

    @property
    def descriptors(self) -> tuple[int, ...]:
        """What is to be listened to; nothing if nobody works any more."""
        return (self._worker.process.reports, self._worker.process.outputs) if self._worker else ()

    def begin(self) -> None:
        """Have a worker play the rows that are left."""
        process = guarded(partial(self.assignment.work, self.collected, frozenset(self._left)), _last_word)
        self._worker, self._at_hand, self._looked = Worker(process), None, time.monotonic()

    def end(self) -> None:
        """Nobody works any more."""
        worker, self._worker = self._worker, None
        if worker:
            worker.process.end()

    def turn(self) -> None:
        """Hear what there is, and look at the time."""
        worker = self._worker
        if worker is None:
            return
        for message in worker.messages():
            self._hear(worker, message)
            if self._worker is not worker:
                return
        now = time.monotonic()
        worker.spent += min(now - self._looked, _COUNTED)
        self._looked = now
        limit = self.allowance.row if self._at_hand else self.allowance.start
        if limit is not None and worker.spent > limit:
            said, place = worker.overhear(), worker.whereabouts()
            where = f"; it was in {place}" if place else ""
            self._lose(worker, f"did not come to an end within {limit:g} seconds{where}", said)

    def _hear(self, worker: Worker, message: Message) -> None:
        worker.spent = 0.0
        match message:
            case Started(process=number):
                worker.number = number
            case Ready(manifest=manifest):
                self.manifest, worker.is_ready = self.manifest or manifest, True
            case Unavailable(error=error, message=said):
                self._refuse(REFUSALS[error](said))
            case Begun():
                self._begun(message)
            case Ended(row=row, found=found, again=again):
                self.books.ended(row, found, again=again)
                if not again:
                    self._close(row)
            case Doubled(row=row):
                self._at_hand = Begun(row=row, again=row not in self._left)
                self._lose(worker, "forked its process, and let both go on", worker.overhear())
            case Broke(trace=trace):
                self.books.results.kit_errors.append(trace)
                self.end()
            case Over():
                self._go_on(is_better=bool(self._ended))
            case Died(status=status):
                self._lose(worker, how_it_ended(status), worker.overhear())

    def _begun(self, begun: Begun) -> None:
        before, self._at_hand = self._at_hand, begun
        if before and begun.row != before.row and before.row in self._left and not begun.again:
            self._blame(before, "wrote into descriptors that aren't its own: its results can't be read")

    def _close(self, row: str) -> None:
        self._left.pop(row, None)
        self._at_hand, self._ended = None, row

    def _refuse(self, why: Exception) -> None:
        """There is no such subject; or there was one, and it can't be had again."""
        if self.manifest is None:
            self.refusal = why
        for row in list(self._left) if self.manifest else ():
            self._blame(Begun(row=row, again=False), f"can't be had again: {why}")
        self.end()

    def _lose(self, worker: Worker, how: str, written: str) -> None:
        """The worker is of no more use; the row at hand is the one that it is lost in."""
        said = last_lines(written)
        what = f"{how}{f'{chr(10)}it wrote last:{chr(10)}{said}' if said else ''}"
        if self._at_hand:
            self._blame(self._at_hand, what)
        elif not worker.is_ready:
            self._refuse(HarnessBroken(f"the subject {what}\nbefore it said who it is"))
        elif self._left:
            # In between: something that an earlier row has left behind.
            row = self._ended or next(iter(self._left))
            self._blame(Begun(row=row, again=row not in self._left), what)
        self._go_on(is_better=True)

    def _blame(self, begun: Begun, what: str) -> None:
        owed = self.books.owed[begun.row]
        requirement_id = owed.requirement_id
        found, place = Results(), "the case is played again" if begun.again else ""
        assignment = self.assignment
        how = (assignment.subject_name, assignment.seed, assignment.selection)
        bug_report = BugReport(owed, requirement_id, place, *how)
        enter = found.spoil if begun.again else found.add
        enter(requirement_id, bug_report.result(Verdict.ERROR, HarnessBroken(f"the subject {what}")))
        self.books.ended(begun.row, found, again=begun.again)
        if not begun.again:
            self._close(begun.row)

    def _go_on(self, *, is_better: bool) -> None:
        """Have the rest played by another worker; where the last has ended nothing, neither will the next."""
        self.end()
        self._ended = ""
        if self._left and is_better and self.refusal is None:
            self.begin()


def _last_word(status: int) -> bytes:
    return written(Died(status=status))


def supervise(shifts: Sequence[Shift], is_interrupted: Callable[[], bool]) -> None:
    """Have the rows of all shifts played at the same time; nothing runs when this returns."""
    try:
        for shift in shifts:
            shift.begin()
        while any(shift.descriptors for shift in shifts) and not is_interrupted():
            _listen(descriptor for shift in shifts for descriptor in shift.descriptors)
            for shift in shifts:
                shift.turn()
            if any(shift.refusal for shift in shifts):
                return
    finally:
        for shift in shifts:
            shift.end()


def _listen(descriptors: Iterable[int]) -> None:
    """Until there is something to hear, or it is time to look."""
    any_of_them = select.poll()
    for descriptor in descriptors:
        any_of_them.register(descriptor, select.POLLIN)
    any_of_them.poll(_TURN * 1000)
