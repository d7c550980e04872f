"""Supervises workers: hears what they report, and gives the row at hand its verdict when one dies, hangs or lies."""

import contextlib
import os
import select
import signal
import sysconfig
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import react_tck
from react_tck.engine.session import CollectedRows
from react_tck.model.manifest import Manifest
from react_tck.model.report import Verdict
from react_tck.play import session
from react_tck.play.left_over import StackFrame, as_written, is_of_a_stack, stacks_in
from react_tck.processes import worker
from react_tck.processes.guard import GuardedWorker, start_guarded_worker
from react_tck.processes.worker import (
    REFUSALS,
    WHERE,
    InvalidMessage,
    KitFailed,
    Message,
    ProcessForked,
    RowEnded,
    RowStarted,
    SubjectReady,
    SubjectUnavailable,
    WorkerDied,
    WorkerFinished,
    WorkerStarted,
    WorkerTask,
    decode_message,
    encode_message,
)
from react_tck.results.books import UNVARIED_FAILS, Books, leave_out_variation
from react_tck.results.bug_report import BugReport
from react_tck.results.ledger import Results
from react_tck.subjects.api import HarnessBroken

#: Lines, and characters of each, that are shown of what a worker wrote.
_LINES, _CHARACTERS = 8, 300
_NOT_THEIRS = tuple(
    as_written(str(folder)) for folder in (Path(react_tck.__file__).parent, sysconfig.get_paths()["stdlib"], "<frozen")
)
#: Where something of a subject's may begin: an episode; else the worker, which is a copy of the kit's process.
_BEGINNINGS = (as_written(str(Path(session.__file__).parent)), as_written(worker.__file__))
_HINTS = {
    signal.SIGKILL: "as the system does where memory runs out",
    signal.SIGSEGV: "memory was used that isn't the process's",
    signal.SIGABRT: "`abort` was called",
}


def describe_ending(status: int | None) -> str:
    """Return what a wait status says; None if there was nobody left to take it."""
    if status is None:
        return "ended the process that guards it"
    if os.WIFSTOPPED(status):
        number = signal.Signals(os.WSTOPSIG(status))
        return f"stopped the process that plays it, by signal {int(number)} ({number.name}), so that it was ended"
    if not os.WIFSIGNALED(status):
        code = os.waitstatus_to_exitcode(status)
        closed = ": it had closed descriptors that aren't its own, so that nothing was heard of it any more"
        return f"ended its process: exited with status {code}{closed if code == worker.UNHEARD else ''}"
    number = signal.Signals(os.WTERMSIG(status))
    hint = f", {_HINTS[number]}" if number in _HINTS else ""
    return f"ended its process: ended by signal {int(number)} ({number.name}{hint})"


def find_subject_functions(written: str) -> str:
    """Return which functions of the subject's own were under way, by what `faulthandler` wrote; the outermost first."""
    for stack in stacks_in(written):
        theirs = [frame for frame in _drop_inherited_frames(stack.frames) if _is_subject_file(frame.file)]
        if theirs:
            return " > ".join(f"{frame.function} ({Path(frame.file).name})" for frame in theirs[:_LINES])
    return ""


def select_last_lines(written: str) -> str:
    """Return the last lines that were written, without what `faulthandler` did."""
    lines = [line for line in written.splitlines() if not is_of_a_stack(line)]
    shown = [line if len(line) <= _CHARACTERS else f"{line[:_CHARACTERS]}…" for line in lines if line.strip()]
    return "\n".join(f"  {line}" for line in shown[-_LINES:])


def _drop_inherited_frames(frames: Sequence[StackFrame]) -> Sequence[StackFrame]:
    """Drop what the original of a worker was doing, and pytest until it plays; the outermost comes first."""
    outermost_first = frames[::-1]
    for place in _BEGINNINGS:
        began = [number for number, frame in enumerate(outermost_first) if frame.file.startswith(place)]
        if began:
            return outermost_first[began[0] :]
    return outermost_first


def _is_subject_file(file: str) -> bool:
    in_library = file.startswith(_NOT_THEIRS) and "site-packages" not in file
    return not in_library


#: Seconds between two looks at the time, and those in which a worker tells where it is.
_TURN, _ASKED = 0.1, 0.5
#: A turn that took longer counts as so many seconds: it was us who slept.
_COUNTED = 0.5
#: Bytes taken at a time; kept of what a worker writes to its standard error, the latest ones.
_CHUNK, _KEPT = 1024 * 1024, 16 * 1024
#: Pieces of what it reports that are taken in a turn; bytes that a message has at the most.
_PIECES, _LONGEST = 256, 256 * 1024 * 1024


def _halve_memory() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2


@dataclass(frozen=True)
class WorkerLimits:
    """What a subject may take; None for however much it wants."""

    #: Seconds for a row.
    row: float | None = 60.0
    #: Seconds until it says who it is, what it imports included.
    start: float | None = 120.0
    #: Bytes.
    memory: int | None = field(default_factory=_halve_memory)


class Worker:
    """A process, what it has reported, and what it wrote."""

    def __init__(self, process: GuardedWorker) -> None:
        self.process = process
        self.spent = 0.0
        #: The number of the worker itself, once it has told; and whether its subject has said who it is.
        self.number, self.is_ready = 0, False
        self._received: list[bytes] = []
        self._written = bytearray()

    def read_messages(self) -> Iterator[Message]:
        """Yield what it has reported since the last time; at the end of the line, that it died."""
        self.read_output()
        for taken in _read_pieces(self.process.reports):
            self._received.append(taken)
            if b"\n" not in taken and taken:
                if sum(map(len, self._received)) > _LONGEST:
                    self._received.clear()
                continue
            *lines, rest = b"".join(self._received).split(b"\n")
            self._received = [rest]
            for line in filter(None, lines):
                # What somebody else has written there is none of ours; what it has spoilt will be missed.
                with contextlib.suppress(InvalidMessage):
                    yield decode_message(line)
            if not taken:
                yield WorkerDied(status=None)
                return

    def read_output(self) -> str:
        """Return the end of what it wrote to its standard output and error."""
        if taken := _read_available(self.process.outputs):
            self._written += taken
            del self._written[:-_KEPT]
        return self._written.decode(errors="replace")

    def find_location(self) -> str:
        """Return which functions of the subject's are under way, if it can tell."""
        if not self.number:
            return ""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.number, WHERE)
        deadline = time.monotonic() + _ASKED
        while not find_subject_functions(self.read_output()) and time.monotonic() < deadline:
            time.sleep(_TURN / 10)
        return find_subject_functions(self.read_output())


def _read_pieces(descriptor: int) -> Iterator[bytes]:
    """Yield what can be read in a turn: whoever writes without end isn't listened to without end."""
    for _ in range(_PIECES):
        if (taken := _read_available(descriptor)) is None:
            return
        yield taken


def _read_available(descriptor: int) -> bytes | None:
    """Return what can be read; None if there is nothing yet, nothing at the end."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None


@dataclass
class RowQueue:
    """Rows of a run, played by one worker after another."""

    task: WorkerTask
    limits: WorkerLimits
    books: Books
    collected: CollectedRows
    rows: Collection[str]
    manifest: Manifest | None = None
    #: Why there is no run.
    refusal: Exception | None = None

    def __post_init__(self) -> None:
        self._left = dict.fromkeys(self.rows)
        self._at_hand: RowStarted | None = None
        self._began = time.monotonic()
        self._ended = ""
        self._worker: Worker | None = None
        self._looked = 0.0

    @property
    def descriptors(self) -> tuple[int, ...]:
        """What is to be listened to; nothing if nobody works any more."""
        return (self._worker.process.reports, self._worker.process.outputs) if self._worker else ()

    def start_worker(self) -> None:
        """Have a worker play the rows that are left."""
        process = start_guarded_worker(
            partial(self.task.play_rows, self.collected, frozenset(self._left)), _encode_death
        )
        self._worker, self._at_hand, self._looked = Worker(process), None, time.monotonic()

    def stop_worker(self) -> None:
        """End the worker, if one works; the rows that are left stay in the queue."""
        worker, self._worker = self._worker, None
        if worker:
            worker.process.end_all()

    def check_worker(self) -> None:
        """Hear what there is, and look at the time."""
        worker = self._worker
        if worker is None:
            return
        for message in worker.read_messages():
            self._handle_message(worker, message)
            if self._worker is not worker:
                return
        if worker.process.is_unguarded:
            self._replace_worker(worker, "stopped the process that guards it", worker.read_output())
            return
        now = time.monotonic()
        worker.spent += min(now - self._looked, _COUNTED)
        self._looked = now
        limit = self.limits.row if self._at_hand else self.limits.start
        if limit is not None and worker.spent > limit:
            said, place = worker.read_output(), worker.find_location()
            where = f"; it was in {place}" if place else ""
            self._replace_worker(worker, f"did not come to an end within {limit:g} seconds{where}", said)

    def _handle_message(self, worker: Worker, message: Message) -> None:
        worker.spent = 0.0
        match message:
            case WorkerStarted(process=number):
                worker.number = number
            case SubjectReady(manifest=manifest):
                self.manifest, worker.is_ready = self.manifest or manifest, True
            case SubjectUnavailable(error=error, message=said):
                self._refuse_rows(REFUSALS[error](said))
            case RowStarted():
                self._start_row(message)
            case RowEnded(row=row, found=found, again=again):
                self.books.end_row(row, found, again=again)
                if not again:
                    self._finish_row(row)
            case ProcessForked(row=row):
                self._at_hand = RowStarted(row=row, again=row not in self._left)
                self._replace_worker(worker, "forked its process, and let both go on", worker.read_output())
            case KitFailed(trace=trace):
                self.books.results.kit_errors.append(trace)
                self.stop_worker()
            case WorkerFinished():
                self._start_next_worker(is_better=bool(self._ended))
            case WorkerDied(status=status):
                self._replace_worker(worker, describe_ending(status), worker.read_output())

    def _start_row(self, begun: RowStarted) -> None:
        before, self._at_hand, self._began = self._at_hand, begun, time.monotonic()
        if before and begun.row != before.row and before.row in self._left and not begun.again:
            self._record_failure(before, "wrote into descriptors that aren't its own: its results can't be read")

    def _finish_row(self, row: str) -> None:
        self._left.pop(row, None)
        self.books.results.seconds[row] = time.monotonic() - self._began
        self._at_hand, self._ended = None, row

    def _refuse_rows(self, why: Exception) -> None:
        """There is no such subject; or there was one, and it can't be had again."""
        if self.manifest is None:
            self.refusal = why
        for row in list(self._left) if self.manifest else ():
            self._record_failure(RowStarted(row=row, again=False), f"can't be had again: {why}")
        self.stop_worker()

    def _replace_worker(self, worker: Worker, how: str, written: str) -> None:
        """Replace a worker that is of no more use; the row it played is the one that it is lost in."""
        said = select_last_lines(written)
        what = f"{how}{f'{chr(10)}it wrote last:{chr(10)}{said}' if said else ''}"
        if self._at_hand:
            self._record_failure(self._at_hand, what)
        elif not worker.is_ready:
            self._refuse_rows(HarnessBroken(f"the subject {what}\nbefore it said who it is"))
        elif self._left:
            # In between: something that an earlier row has left behind.
            row = self._ended or next(iter(self._left))
            self._record_failure(RowStarted(row=row, again=row not in self._left), what)
        self._start_next_worker(is_better=True)

    def _record_failure(self, begun: RowStarted, what: str) -> None:
        owed = self.books.owed[begun.row]
        requirement_id = owed.requirement_id
        found, place = Results(), "the case is played again" if begun.again else ""
        task = self.task
        how = (task.subject_name, task.seed, task.selection)
        bug_report = BugReport(owed, requirement_id, place, *how, variation=owed.variation_name)
        enter = found.add_spoiled if begun.again else found.add_result
        enter(requirement_id, bug_report.make_result(Verdict.ERROR, HarnessBroken(f"the subject {what}")))
        self.books.end_row(begun.row, found, again=begun.again)
        if not begun.again:
            self._finish_row(begun.row)

    def _start_next_worker(self, *, is_better: bool) -> None:
        """Have the rest played by another worker; where the last has ended nothing, neither will the next."""
        self.stop_worker()
        self._leave_out_variations()
        self._ended = ""
        if self._left and is_better and self.refusal is None:
            self.start_worker()

    def _leave_out_variations(self) -> None:
        """Of rows that have failed no variation is played; the next worker wouldn't know of them."""
        for row in [self.books.owed[title] for title in self._left]:
            ended = self.books.find_end(row.row.title) if row.variation else None
            if ended and ended.verdict is not Verdict.PASSED:
                found = Results()
                found.add_result(row.requirement_id, leave_out_variation(row, UNVARIED_FAILS))
                self.books.end_row(row.title, found)
                self._finish_row(row.title)


def _encode_death(status: int) -> bytes:
    return encode_message(WorkerDied(status=status))


def supervise_queues(queues: Sequence[RowQueue], is_interrupted: Callable[[], bool]) -> None:
    """Have the rows of all queues played at the same time; nothing runs when this returns."""
    try:
        for queue in queues:
            queue.start_worker()
        while any(queue.descriptors for queue in queues) and not is_interrupted():
            _wait_for_messages(descriptor for queue in queues for descriptor in queue.descriptors)
            for queue in queues:
                queue.check_worker()
            if any(queue.refusal for queue in queues):
                return
    finally:
        for queue in queues:
            queue.stop_worker()


def _wait_for_messages(descriptors: Iterable[int]) -> None:
    """Until there is something to hear, or it is time to look."""
    any_of_them = select.poll()
    for descriptor in descriptors:
        any_of_them.register(descriptor, select.POLLIN)
    any_of_them.poll(_TURN * 1000)
