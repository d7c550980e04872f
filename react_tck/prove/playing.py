"""Plays rows with many subjects: the rows are collected once, and each subject has a process forked from that one."""

import gc
import logging
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Generic, TypeVar

from react_tck.catalogue.features import ScenarioRow
from react_tck.catalogue.sentences import modules_of
from react_tck.engine.session import CollectedRows, collect_rows
from react_tck.processes.guard import PR_SET_PDEATHSIG, set_process_option
from react_tck.prove import mutants
from react_tck.results.ledger import Results

#: What every mutant imports.
IMPORTED = (
    "react_tck.subjects.libraries.dspy.instance",
    "react_tck.subjects.libraries.reference.instance",
    "react_tck.subjects.libraries.reference.react",
    *modules_of(mutants),
)
#: What dspy imports when an LM is called for the first time, as far as a version has it.
_AT_FIRST_CALL = (
    "pydantic._internal._dataclasses",
    "dspy.clients.costs",
    "dspy.clients.execution",
    "dspy.clients.engines.streaming",
)
#: What is there before the first of them: what they import, and where their fresh processes come from.
PRELOADED = ("react_tck.prove.kills", *IMPORTED, *_AT_FIRST_CALL)
#: Seconds that one subject may take for its rows.
_PATIENCE = 300.0

Found = TypeVar("Found")
#: Plays some of the collected rows, and gives what was found.
Play = Callable[[CollectedRows], Found]


@dataclass(frozen=True)
class Lost:
    """What is known of a play whose process came to no end."""

    why: str


@dataclass
class FindingsWatch:
    """Keeps what is found in the rows of one subject, in a process that is its own."""

    results: Results = field(default_factory=Results)
    is_damaged = False
    spared: tuple[type[BaseException], ...] = (KeyboardInterrupt,)
    is_overheard = False

    def begin_row(self, row: str, *, again: bool = False) -> None:
        """Do nothing: what counts is how a row ends."""

    def end_row(self, row: str, found: Results, *, again: bool = False) -> None:  # noqa: ARG002 - all count alike
        """Keep what was found in the row, beside what came of those before it."""
        self.results.merge_results(found)

    def find_damage(self, error: BaseException | None = None) -> str:  # noqa: ARG002 - the process ends with its rows
        """Find none: nobody else is in this process."""
        return ""


def play_apart(rows: Iterable[ScenarioRow], plays: Sequence[Play[Found]], processes: int) -> list[Found | Lost]:
    """Return what each play gives, in a process of its own, so many at once; rows are all that any asks for."""
    for name in PRELOADED:
        with suppress(ModuleNotFoundError):
            import_module(name)
    found: dict[int, Found | Lost] = {}

    def play_all(collected: CollectedRows) -> None:
        # Pages that the collector doesn't write to are shared with the forked processes.
        gc.collect()
        gc.freeze()
        found.update(_Forks(collected, plays).play_all(processes))

    collect_rows(rows, play_all)
    return [found[number] for number in range(len(plays))]


@dataclass(frozen=True)
class _Fork:
    number: int
    process: int
    said: Connection


@dataclass(frozen=True)
class _Forks(Generic[Found]):
    """The processes of the plays."""

    collected: CollectedRows
    plays: Sequence[Play[Found]]

    def play_all(self, processes: int) -> Iterator[tuple[int, Found | Lost]]:
        """Yield the number of each play and what it gave, as they end."""
        waiting = list(reversed(range(len(self.plays))))
        living: list[_Fork] = []
        while waiting or living:
            while waiting and len(living) < processes:
                living.append(self._fork_play(waiting.pop()))
            heard = wait([fork.said for fork in living], _PATIENCE)
            for fork in [fork for fork in living if fork.said in heard or not heard]:
                living.remove(fork)
                yield fork.number, self._read_found(fork)

    def _fork_play(self, number: int) -> _Fork:
        ours, theirs = Pipe(duplex=False)
        process = os.fork()
        if not process:
            self._play_in_fork(self.plays[number], theirs)
        theirs.close()
        return _Fork(number, process, ours)

    def _play_in_fork(self, play: Play[Found], theirs: Connection) -> None:
        """Play, say what was found, and end the process, whatever the subject has left in it."""
        try:
            set_process_option(PR_SET_PDEATHSIG, signal.SIGKILL)
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):  # what a subject prints is no evidence
                os.dup2(nowhere, stream)
            # What a library says of a failure in its log is nobody's business.
            logging.disable(logging.WARNING)
            theirs.send(_play_or_say_why(self.collected, play))
        finally:
            os._exit(0)

    def _read_found(self, fork: _Fork) -> Found | Lost:
        try:
            if fork.said.poll():
                found: Found | Lost = fork.said.recv()
                return found
            return Lost(f"its process said nothing for {_PATIENCE:g} seconds")
        except EOFError:
            return Lost("its process ended before it had played its rows")
        finally:
            fork.said.close()
            os.kill(fork.process, signal.SIGKILL)
            os.waitpid(fork.process, 0)


def _play_or_say_why(collected: CollectedRows, play: Play[Found]) -> Found | Lost:
    try:
        return play(collected)
    except Exception as error:
        return Lost(f"{type(error).__name__}: {error}")
