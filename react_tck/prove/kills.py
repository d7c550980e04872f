"""What was found in a mutant, and what that shows: of the mutant, of a scenario or of a sanitizer, that it can fail."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Literal, NamedTuple

from react_tck.catalogue.features import ScenarioInfo, load_features
from react_tck.catalogue.registry import load_registry
from react_tck.catalogue.sampling import strip_variation
from react_tck.catalogue.selection import Selection
from react_tck.catalogue.sentences import load_step_definitions
from react_tck.engine.run import Run
from react_tck.engine.session import CollectedRows
from react_tck.model.report import ScenarioResult, Verdict
from react_tck.play.fresh_process import start_fork_server
from react_tck.prove.playing import IMPORTED, FindingsWatch, Lost, Play, play_apart
from react_tck.subjects.catalogue import resolve

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
