"""How well a report tells the one fault of a mutant: `python -m tests.support.mutant_causes FOLDER --count 200`.

It draws mutants with a seed and plays each once: the rows of its requirement, those that the kill matrix says it fails,
and every second scenario of the core. What came of it stays in the folder, so that another way of finding causes is
held against the same plays. No episode is played again.
"""

import argparse
import logging
import pickle
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from react_tck.catalogue.features import load_features
from react_tck.catalogue.kill_matrix import load_kill_matrix
from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.prove.mutants import load_mutants
from react_tck.results.books import Unheard
from react_tck.results.causes import explain_symptoms
from react_tck.results.ledger import Results
from react_tck.subjects.catalogue import resolve

#: Of the core's scenarios every so many-th is played against each mutant.
_EVERY = 2


def choose_rows(mutant: str) -> Selection:
    """What shows the mutant, and what may only suffer from it; what only variations show is played under all."""
    scenarios, fault = load_features(), load_mutants()[mutant]
    sample = [scenario.row_titles[0] for scenario in scenarios if scenario.profile == "core"][::_EVERY]
    own = (row for each in scenarios if each.requirement_id == fault.requirement_id for row in each.row_titles)
    shown = {*own, *load_kill_matrix().rows_of(mutant)}
    if fault.is_varied:
        return Selection(profile="all", titles=frozenset(shown), vary="all")
    return Selection(profile="all", titles=frozenset({*shown, *sample}))


def play_mutant(mutant: str, folder: Path) -> Results:
    """What came of the mutant's rows, now or when they were played before."""
    file = folder / f"{mutant}.pickle"
    if not file.exists():
        name = f"mutant:{mutant}"
        run = Run(resolve(name), name, choose_rows(mutant), replays=False)
        file.write_bytes(pickle.dumps(run.collect_results(Unheard())))
    found = pickle.loads(file.read_bytes())
    assert isinstance(found, Results)
    return found


def list_causes(mutant: str, results: Results) -> list[str]:
    """The ids of the causes, the first first."""
    registry = choose_rows(mutant).registry_for(resolve(f"mutant:{mutant}").initialize())
    return [cause.requirement for cause in explain_symptoms(tuple(results.list_symptoms(registry)), {}).causes]


def main(arguments: Sequence[str]) -> int:
    """Print a line for each mutant that isn't told as its requirement alone, and one for all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=48)
    parser.add_argument("--count", type=int, default=200)
    given = parser.parse_args(arguments)
    logging.disable(logging.WARNING)
    given.folder.mkdir(parents=True, exist_ok=True)
    drawn = random.Random(given.seed).sample(sorted(load_mutants()), given.count)
    first = alone = 0
    for mutant in drawn:
        own = load_mutants()[mutant].requirement_id
        causes = list_causes(mutant, play_mutant(mutant, given.folder))
        first, alone = first + (causes[:1] == [own]), alone + (causes == [own])
        if causes != [own]:
            print(f"{mutant}, {own}: {', '.join(causes) or 'nothing'}", flush=True)
    print(f"of {len(drawn)} own requirement first for {first}, alone for {alone}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
