"""What was found in a mutant, and what that shows: of the mutant, of a scenario or of a sanitizer, that it can fail."""

import gc
import logging
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from itertools import chain
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Generic, Literal, NamedTuple, TypeVar

from react_tck.catalogue.features import ScenarioInfo, ScenarioRow, load_features
from react_tck.catalogue.registry import load_registry
from react_tck.catalogue.sampling import strip_variation
from react_tck.catalogue.selection import Selection
from react_tck.catalogue.sentences import load_step_definitions, modules_of
from react_tck.engine.run import Run
from react_tck.engine.session import CollectedRows, collect_rows
from react_tck.model.report import ScenarioResult, Verdict
from react_tck.play.fresh_process import start_fork_server
from react_tck.processes.guard import PR_SET_PDEATHSIG, set_process_option
from react_tck.prove import mutants
from react_tck.results.ledger import Results
from react_tck.subjects.catalogue import resolve

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


start_fork_server(IMPORTED)
load_features()
load_registry()
load_step_definitions()


#: Rows by the requirement that fails in them.
Rows = Mapping[str, frozenset[str]]


class Claim(NamedTuple):
    """Who has to fail, or to make fail; for a scenario the requirement is its own."""

    kind: Literal["mutant", "scenario", "sanitizer"]
    name: str
    requirement_id: str


@dataclass(frozen=True)
class Kills:
    """What was found in one mutant, in the rows that it was played in."""

    mutant: str
    requirement_id: str
    #: The rows that failed by their own sentences.
    failed: Rows = field(default_factory=dict)
    #: The rows in which a sanitizer was violated.
    violated: Rows = field(default_factory=dict)
    #: The rows in which the mutant departed from what the oracle predicts.
    departed: Rows = field(default_factory=dict)
    #: What went wrong in the kit, or with the process.
    kit_errors: tuple[str, ...] = ()

    @property
    def own_rows(self) -> frozenset[str]:
        """The rows that show it to violate its own requirement, not by the oracle alone."""
        rows = (found.get(self.requirement_id, frozenset()) for found in (self.failed, self.violated))
        return frozenset(chain.from_iterable(rows))

    def list_entries(self) -> Iterator[tuple[str, str, str]]:
        """Yield what stands of it in the kill matrix: mutant, requirement id, row."""
        for requirement_id, rows in chain(self.failed.items(), self.violated.items(), self.departed.items()):
            yield from ((self.mutant, requirement_id, row) for row in rows)

    def list_shown(self, scenario_of: Mapping[str, ScenarioInfo]) -> Iterator[tuple[str, Claim]]:
        """Yield each row, and what it shows."""
        yield from ((row, Claim("mutant", self.mutant, self.requirement_id)) for row in self.own_rows)
        for id_, rows in self.failed.items():
            for row in rows & scenario_of.keys():
                yield row, Claim("scenario", scenario_of[row].title, id_)
        for id_, rows in self.violated.items():
            yield from ((row, Claim("sanitizer", id_, id_)) for row in rows)


@dataclass(frozen=True)
class MutantPlay:
    """A mutant, and the titles of the rows that it is played in; behind each variation the row itself is meant, too."""

    mutant: str
    requirement_id: str
    titles: frozenset[str]
    #: Whether every episode is played again: of all but a few that would cost half the time.
    replays: bool

    @property
    def rows(self) -> frozenset[str]:
        """The titles of all rows that are played."""
        return self.titles | frozenset(map(strip_variation, self.titles))


def play_mutants(plays: Iterable[MutantPlay], processes: int) -> list[Kills]:
    """Return what is found in each of the mutants, so many at once."""
    plays = list(plays)
    titles = frozenset(chain.from_iterable(play.rows for play in plays))
    rows = [row for row in Selection("all", vary="all").rows if row.title in titles]
    tasks: list[Play[Kills]] = [partial(_find_kills, play) for play in plays]
    return [
        Kills(play.mutant, play.requirement_id, kit_errors=(found.why,)) if isinstance(found, Lost) else found
        for play, found in zip(plays, play_apart(rows, tasks, processes), strict=True)
    ]


def _find_kills(play: MutantPlay, collected: CollectedRows) -> Kills:
    name, watch = f"mutant:{play.mutant}", FindingsWatch()
    Run(resolve(name), name, Selection("all", replay="all"), replays=play.replays).play_rows(
        collected, play.rows, watch
    )
    found, sanitizers = watch.results, {row.id for row in load_registry().by_profile["sanitizer"]}
    return Kills(
        play.mutant,
        play.requirement_id,
        failed=_find_red(found.scenarios),
        violated={id_: rows for id_, rows in _find_red(found.violations).items() if id_ in sanitizers},
        departed=_find_red(found.departures),
        kit_errors=tuple(found.kit_errors),
    )


def _find_red(ended: Mapping[str, list[ScenarioResult]]) -> Rows:
    red = {
        id_: frozenset(result.title for result in results if result.verdict is Verdict.FAILED)
        for id_, results in ended.items()
    }
    return {id_: rows for id_, rows in red.items() if rows}
