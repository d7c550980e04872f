"""How well a report tells the one fault of a mutant: `python -m tests.support.mutant_causes --seed 30 --count 30`.

It draws mutants with the seed, plays with each one row of every scenario, and prints what the report makes of it: the
MUSTs that aren't met, how many are blocked, the causes, and whether the mutant's own requirement comes first. The row
is one that the kill matrix says the mutant fails, where there is one; of a mutant that only variations show, they are
played too. No episode is played again.
"""

import argparse
import logging
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import median_low

from react_tck.catalogue.features import RowInfo, ScenarioInfo, ScenarioRow, load_features
from react_tck.catalogue.kill_matrix import load_kill_matrix
from react_tck.catalogue.sampling import Varied, Vary, vary_rows
from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.model.report import Report
from react_tck.processes.workers.processes import start_process_workers
from react_tck.processes.workers.workers import Beat
from react_tck.prove.by_scenarios import PRELOADED
from react_tck.prove.mutants import load_mutants
from react_tck.results.books import Unheard
from react_tck.results.exit_status import list_blocked, list_unmet
from react_tck.subjects.catalogue import resolve


@dataclass(frozen=True)
class Telling:
    """What the report of a mutant says."""

    mutant: str
    #: Which the mutant violates.
    requirement: str
    unmet: tuple[str, ...]
    blocked: tuple[str, ...]
    causes: tuple[str, ...]

    @property
    def is_own_first(self) -> bool:
        """Whether the mutant's own requirement is the first cause."""
        return self.causes[:1] == (self.requirement,)

    @property
    def line(self) -> str:
        """The line of the table."""
        first = "own first" if self.is_own_first else f"{self.requirement} isn't first"
        unmet, causes = (", ".join(ids) or "–" for ids in (self.unmet, self.causes))
        return f"{self.mutant} | {len(self.unmet)}: {unmet} | {len(self.blocked)} | {causes} | {first}"


def draw_mutants(seed: int, count: int) -> list[str]:
    """So many mutants, the same for the same seed."""
    return random.Random(seed).sample(sorted(load_mutants()), count)


def choose_rows(mutant: str, every: int) -> Selection:
    """A row of each scenario that the mutant is known to fail, and of every so many-th of the others.

    What only variations show is played under all of them, as `prove` plays it.
    """
    failing = load_kill_matrix().rows_of(mutant)
    vary: Vary = "all" if load_mutants()[mutant].is_varied else "none"
    sampled = vary_rows(load_features(), vary)
    first: list[str] = []
    others: list[str] = []
    for scenario in load_features():
        played = {row.title: {row.title, *_title_varied(scenario, row, sampled)} for row in scenario.rows}
        known = next((title for title, titles in played.items() if not failing.isdisjoint(titles)), None)
        (first if known else others).append(known or scenario.row_titles[0])
    return Selection(profile="all", titles=frozenset((*first, *islice(others, 0, None, every))), vary=vary)


def _title_varied(scenario: ScenarioInfo, row: RowInfo, sampled: Varied) -> Iterator[str]:
    return (ScenarioRow(scenario, row, variation).title for variation in sampled.get(row.title, ()))


def play_mutant(task: tuple[str, int], _: Beat) -> Telling:
    """What the report says of the mutant, of which so many-th of the scenarios that it isn't known to fail."""
    mutant, every = task
    logging.disable(logging.WARNING)
    name = f"mutant:{mutant}"
    report = Run(resolve(name), name, choose_rows(mutant, every), replays=False).report(Unheard())
    return read_telling(mutant, load_mutants()[mutant].requirement_id, report)


def read_telling(mutant: str, requirement: str, report: Report) -> Telling:
    """What the report says of the mutant that violates the requirement."""
    unmet, blocked = (tuple(each.id for each in found) for found in (list_unmet(report), list_blocked(report)))
    return Telling(mutant, requirement, unmet, blocked, tuple(each.requirement for each in report.causes))


def summarise(tellings: Sequence[Telling]) -> str:
    """How many of them are told as one fault, in a line."""
    return (
        f"of {len(tellings)}: MUSTs not met {median_low(len(each.unmet) for each in tellings)} in the median, "
        f"at most 2 for {sum(len(each.unmet) <= 2 for each in tellings)}; "
        f"one cause for {sum(len(each.causes) == 1 for each in tellings)}, "
        f"own requirement first for {sum(each.is_own_first for each in tellings)}"
    )


def main(arguments: Sequence[str]) -> int:
    """Print a line for each mutant that is drawn, and one for all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=30)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--every", type=int, default=1, help="of what it isn't known to fail, play every so many-th")
    parser.add_argument("-n", type=int, default=1, help="share the work among so many processes")
    given = parser.parse_args(arguments)
    tellings: list[Telling] = []
    print("mutant | MUSTs not met | blocked | causes | first")
    with start_process_workers(given.n, PRELOADED) as workers:
        for telling in workers.map(
            play_mutant, [(mutant, given.every) for mutant in draw_mutants(given.seed, given.count)]
        ):
            tellings.append(telling)
            print(telling.line, flush=True)
    print(summarise(tellings))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
