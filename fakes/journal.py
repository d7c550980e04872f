"""The journal: what the kit observes during one episode, frozen on arrival; and where the episode stands."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import NamedTuple

from pydantic import JsonValue

from react_tck.adapter.lm import LMFault, LMRefusal
from react_tck.model.base import Value
from react_tck.model.record import Asked, Called, Event, Record, Resumed, Returned, Stray, ToolRan

#: What a call begins and ends with.
_BORDERS = (Called, Resumed, Returned)


#: What is to be raised to whoever asks, and what a subject that shares a process with the kit brings about.
_MEANT = (LMFault, LMRefusal, MemoryError, RecursionError, OSError)


class KitFault(Exception):
    """The kit itself failed while it served a subject: no verdict counts what that touched."""


class Faults:
    """What fails in the kit while it serves a subject, which is told of it and may swallow it."""

    def __init__(self) -> None:
        self._first: Exception | None = None

    @contextmanager
    def note_failure(self) -> Iterator[None]:
        """Note what fails on its way to whoever asked."""
        try:
            yield
        except Exception as error:
            self.add_error(error)
            raise

    def add_error(self, error: Exception) -> None:
        """Note an error, unless it is meant."""
        if not isinstance(error, _MEANT):
            self._first = self._first or error

    def raise_first(self) -> None:
        """Raise the first of what was noted.

        Raises:
            KitFault: if something was.
        """
        if self._first:
            raise KitFault(f"{type(self._first).__name__}: {self._first}") from self._first


class Moment(NamedTuple):
    """Where an episode stands when a request comes in: nothing but retries can come twice at one moment."""

    invocation: int
    tool_runs: int


class Journal:
    """Collects events from whatever thread or task the subject uses."""

    def __init__(self) -> None:
        self._events: list[Event | Callable[[], Asked]] = []
        self._lock = Lock()
        #: How many events are no longer kept.
        self.forgotten = 0
        self._tool_runs = 0
        self._strays: list[Stray] = []
        self._breach: str | None = None
        self.faults = Faults()
        #: What has been made of all this for who reads it, again and again, until there is more.
        self._record: Record | None = None
        #: Whether the call under way has come back.
        self._is_over = False
        #: Which call of the instance is under way; set by whoever makes the calls.
        self.invocation = 0

    @property
    def moment(self) -> Moment:
        """Where the episode stands: the call under way, and how many tools have run."""
        return Moment(self.invocation, self._tool_runs)

    def add_request(self, made: Callable[[], Asked]) -> None:
        """Append a request, by what makes it of frozen values once somebody reads the journal."""
        with self._lock:
            self._events.append(made)
            self._record = None

    def add_event(self, event: Event) -> None:
        """Append an event that has happened. Safe to call from any thread."""
        with self._lock:
            self._events.append(event)
            self._record = None
            if isinstance(event, ToolRan):
                self._tool_runs += 1
            elif isinstance(event, _BORDERS):
                self._is_over = isinstance(event, Returned)

    def keep_latest(self, events: int) -> None:
        """Forget all but so many of the latest events."""
        with self._lock:
            if (oldest := len(self._events) - events) > 0:
                del self._events[:oldest]
                self.forgotten += oldest
                self._record = None

    def add_stray(self, what: str) -> None:
        """Note a request that leads nowhere."""
        with self._lock:
            self._strays.append(Stray(invocation=self.invocation, what=what, late=self._is_over))
            self._record = None

    def add_breach(self, how: str) -> None:
        """Note what the harness did after its answer; the first of it is told."""
        with self._lock:
            self._breach = self._breach or how
            self._record = None

    def list_observations(self, tool: str) -> list[JsonValue]:
        """Return what the runs of a tool came to in the call under way."""
        with self._lock:
            runs = (event for event in self._events if isinstance(event, ToolRan) and event.tool == tool)
            return [run.observation for run in runs if run.invocation == self.invocation]

    @property
    def is_responded_to(self) -> bool:
        """Whether a person's response is the latest event."""
        with self._lock:
            return isinstance(next(reversed(self._events), None), Resumed)

    @property
    def is_interrupted(self) -> bool:
        """Whether a tool was interrupted."""
        with self._lock:
            return any(isinstance(event, ToolRan) and event.interrupted for event in self._events)

    def read_record(self, case_id: str) -> Record:
        """Return what has been observed so far."""
        with self._lock:
            if self._record is None or self._record.case_id != case_id:
                events = [event if isinstance(event, Value) else event() for event in self._events]
                self._events[:] = events
                self._record = Record(
                    case_id=case_id, events=tuple(events), strays=tuple(self._strays), breach=self._breach
                )
            return self._record


#: Sentences that are kept, and characters of each.
_KEPT, _SHOWN = 1000, 2000


class Complaints:
    """Takes sentences; whoever goes wrong without end fills no memory, and is told of all the same.

    >>> from react_tck.fakes.journal import Complaints
    >>> found = Complaints()
    >>> for number in range(1002):
    ...     found.add(f"request {number} was refused")
    >>> found.sentences[0], found.sentences[-1]
    ('request 0 was refused', 'and 2 more')
    """

    def __init__(self) -> None:
        self._kept: list[str] = []
        self._more = 0

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was wrong, in order; at the end, how much more there was."""
        return (*self._kept, f"and {self._more} more") if self._more else tuple(self._kept)

    def add(self, sentence: str) -> None:
        """Take a sentence about something else that was wrong."""
        if len(self._kept) < _KEPT:
            self._kept.append(sentence[:_SHOWN])
        else:
            self._more += 1

    def clear(self) -> None:
        """Forget all sentences, once they have been told."""
        self._kept, self._more = [], 0
