"""`python -m tests.prove.sabotage [KIND]`: proves three mutants by a certificate, with something made idle before.

It is a process of its own, since what it proves is played in forks of it.
"""

import sys
from dataclasses import replace
from unittest.mock import patch

from react_tck.catalogue.features import load_features
from react_tck.catalogue.kill_matrix import build_kill_matrix
from react_tck.engine import judging
from react_tck.judges.table import JUDGES, MANIFEST
from react_tck.model.report import ScenarioResult, Verdict
from react_tck.prove.mutants import load_mutants
from react_tck.prove.proof import Statement, prove_certificate
from react_tck.reference.seams import Seams
from react_tck.results.ledger import Results

RUNS_TWICE = ("tool-run-twice", "LOOP-001", "ReAct selects and executes a tool")
KEEPS_ARGS = (
    "empty-args-recorded-as-those-before",
    "TRJ-002",
    "The trajectory holds a step without args behind one with args",
)
READS_PYTHON = ("args-read-as-python", "SAN-010", "The agent reads args in another notation as it declares")
CERTIFICATE = build_kill_matrix((RUNS_TWICE, KEEPS_ARGS, READS_PYTHON))


def make_mutant_harmless() -> None:
    """Take what it does wrong from a mutant."""
    mutants = load_mutants()
    name, *_ = RUNS_TWICE
    assert isinstance(mutants, dict)
    mutants[name] = replace(mutants[name], seams=Seams())


def make_scenario_idle() -> None:
    """Have a scenario pass, whatever its sentences say."""
    add_result = Results.add_result

    def pass_row(results: Results, requirement_id: str, result: ScenarioResult) -> None:
        passed = ScenarioResult(title=result.title, verdict=Verdict.PASSED)
        add_result(results, requirement_id, passed if result.title == KEEPS_ARGS[2] else result)

    patch.object(Results, "add_result", pass_row).start()


def switch_off_sanitizer() -> None:
    """Leave out the judge that sees what is declared otherwise."""
    patch.object(judging, "JUDGES", tuple(judge for judge in JUDGES if judge is not MANIFEST)).start()


SABOTAGES = {
    "mutant": make_mutant_harmless,
    "scenario": make_scenario_idle,
    "sanitizer": switch_off_sanitizer,
}


def main() -> None:
    """Print what isn't proven."""
    for kind in sys.argv[1:]:
        SABOTAGES[kind]()
    titles = {row for _, __, row in CERTIFICATE.list_entries()}
    statement = Statement(
        {mutant: id_ for mutant, id_, _ in CERTIFICATE.list_entries()},
        tuple(each for each in load_features() if each.title in titles),
        ("SAN-010",),
    )
    proof = prove_certificate(statement, CERTIFICATE, 1)
    print(*proof.list_problems(), sep="\n")


if __name__ == "__main__":
    main()
