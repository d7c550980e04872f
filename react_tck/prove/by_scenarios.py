"""Proves that everything that can be green can be red: plays rows with the mutants."""

from collections.abc import Sequence
from dataclasses import replace

from react_tck.catalogue.features import ScenarioInfo, load_features
from react_tck.catalogue.kill_matrix import CERTIFICATE_FILE, FILE, KillMatrix
from react_tck.catalogue.sampling import strip_variation
from react_tck.catalogue.selection import Selection
from react_tck.judges.determinism import DETERMINISM
from react_tck.prove.kills import MutantPlay, play_mutants
from react_tck.prove.mutants import load_mutants
from react_tck.prove.proof import Proof, Statement

#: Scenarios, each with the titles of its rows.
RowsByScenario = Sequence[tuple[ScenarioInfo, Sequence[str]]]

_SANITIZER = "SAN-"
#: Where episodes have all that sanitizers look at: small results are TOOL-003's, errors of tools ERR-007's.
_LOOP = ("SAN-", "LOOP-", "TOOL-003", "ERR-007")


def prove_certificate(statement: Statement, certificate: KillMatrix, processes: int) -> Proof:
    """Play the pairs of the certificate, and once more, each mutant alone, those that came to another end."""
    plays = [
        MutantPlay(mutant, id_, certificate.rows_of(mutant), _shows_again(mutant, id_, certificate))
        for mutant, id_ in statement.mutants.items()
        if mutant in certificate.failing
    ]
    kills = tuple(play_mutants(plays, processes))
    proof = Proof(statement, kills, certificate, CERTIFICATE_FILE)
    surprising = proof.list_surprising()
    again = {each.mutant: each for each in play_mutants((play for play in plays if play.mutant in surprising), 1)}
    return replace(proof, kills=tuple(again.get(each.mutant, each) for each in kills))


def prove_pairs(statement: Statement, shipped: KillMatrix, processes: int, *, is_new: bool = False) -> Proof:
    """Play each mutant in the rows that have to kill it and those that the matrix says it fails.

    Of those that only variations show it is these alone; for a new matrix, all rows of their requirement under all
    variations, and every episode is played again.
    """
    list_titles = list_own_titles if is_new else list_said_titles
    scenarios = {is_varied: list_rows_by_scenario(is_varied=is_varied) for is_varied in (False, True)}
    plays = [
        MutantPlay(
            mutant,
            id_,
            list_titles(mutant, id_, scenarios[load_mutants()[mutant].is_varied], shipped),
            is_new or _shows_again(mutant, id_, shipped),
        )
        for mutant, id_ in statement.mutants.items()
    ]
    kills = tuple(play_mutants(plays, processes))
    return Proof(statement, kills, shipped, FILE)


def _shows_again(mutant: str, requirement_id: str, matrix: KillMatrix) -> bool:
    """Tell whether it is seen when an episode is played again: of all others that would cost half the time."""
    return DETERMINISM in (requirement_id, *matrix.failing.get(mutant, {}))


def list_rows_by_scenario(*, is_varied: bool) -> RowsByScenario:
    """Return each scenario, and the titles of its rows; also as they are under each variation."""
    titles: dict[int, list[str]] = {}
    for row in Selection("all", vary="all" if is_varied else "none").rows:
        titles.setdefault(id(row.scenario), []).append(row.title)
    return [(scenario, titles[id(scenario)]) for scenario in load_features()]


def list_said_titles(
    mutant: str, requirement_id: str, scenarios: RowsByScenario, shipped: KillMatrix
) -> frozenset[str]:
    """Return the rows that it is said to fail, of a mutant that variations show; of any other what has to kill it.

    To play all variations of all rows takes three times as long as everything else.
    """
    said = shipped.rows_of(mutant)
    is_varied = any(strip_variation(row) != row for row in said)
    return said if is_varied else list_own_titles(mutant, requirement_id, scenarios, shipped)


def list_own_titles(mutant: str, requirement_id: str, scenarios: RowsByScenario, shipped: KillMatrix) -> frozenset[str]:
    """Return the rows of its own requirement's scenarios and of those that it is said to fail.

    A sanitizer watches every episode: its mutants meet the scenarios of the tool loop, and of what tools return.
    """
    own = _LOOP if requirement_id.startswith(_SANITIZER) else (requirement_id,)
    said = set(map(strip_variation, shipped.rows_of(mutant)))
    return frozenset(
        title
        for scenario, titles in scenarios
        if (scenario.requirement_id or "").startswith(own) or said.intersection(scenario.row_titles)
        for title in titles
    )
