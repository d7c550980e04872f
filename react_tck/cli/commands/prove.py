"""`react-tck prove`: the kill matrix."""

from dataclasses import replace
from typing import get_args

import click

from react_tck.catalogue.feature_files import DEFAULT_ROOT
from react_tck.catalogue.features import load_features
from react_tck.catalogue.kill_matrix import (
    FILE,
    MUTANTS_FILE,
    KillMatrix,
    load_kill_matrix,
    write_kill_matrix,
    write_sentences,
)
from react_tck.catalogue.registry import load_registry
from react_tck.catalogue.sampling import Vary
from react_tck.cli.mistakes import write_and_conclude
from react_tck.cli.workers import WorkerOptions, workers_options
from react_tck.files import check_writable
from react_tck.processes.workers.workers import Workers
from react_tck.prove.acquittal import Acquittal, acquit_innocents
from react_tck.prove.by_fuzz import FuzzProof, prove_by_fuzz
from react_tck.prove.by_scenarios import PRELOADED, Extent, ScenarioProof, prove_by_scenarios
from react_tck.prove.innocents import list_innocents
from react_tck.prove.mutants import load_mutants
from react_tck.reports.printing import terminal
from react_tck.reports.proof import show_acquittal, show_by_fuzz, show_by_scenarios
from react_tck.results.exit_status import Exit
from react_tck.subjects.cheaters import CHEATERS


@click.command()
@click.option(
    "--by",
    type=click.Choice(("scenarios", "fuzz")),
    default="scenarios",
    help="who has to kill the mutants (default scenarios)",
)
@click.option("--write", is_flag=True, help="write the kill matrix into its file")
@click.option(
    "--acquit",
    is_flag=True,
    help="show instead that nobody is accused who is right: the reference under every policy, and unusual agents",
)
@click.option(
    "--whole",
    is_flag=True,
    help="have every mutant meet all scenarios of the core and of its profile; with --acquit, play every row",
)
@click.option(
    "--vary",
    type=click.Choice(get_args(Vary)),
    help="with --acquit: the variations that rows are played under as well (default sample)",
)
@workers_options
def command(by: str, write: bool, acquit: bool, whole: bool, vary: Vary | None, worker_options: WorkerOptions) -> int:
    """Show that every scenario and sanitizer can fail, against mutants and cheaters: the kill matrix."""
    if acquit and (write or by == "fuzz"):
        raise click.UsageError("--acquit goes with --whole, --vary and with workers, and with nothing else.")
    if vary and not acquit:
        raise click.UsageError("--vary goes with --acquit.")
    with worker_options.open_for_proofs(PRELOADED) as workers:
        if acquit:
            return _acquit_innocents(workers, is_whole=whole, vary=vary or "sample")
        return _prove_by_fuzz(workers) if by == "fuzz" else _prove_by_scenarios(workers, writes=write, is_whole=whole)


def _acquit_innocents(workers: Workers, *, is_whole: bool, vary: Vary) -> int:
    acquittal = acquit_innocents(list_innocents(), workers, is_whole=is_whole, vary=vary)
    show_acquittal(acquittal, terminal())
    return _judge_proof(acquittal)


def _prove_by_fuzz(workers: Workers) -> int:
    # What only variations show is theirs to find.
    plain = {name: mutant.requirement_id for name, mutant in load_mutants().items() if not mutant.is_varied}
    proof = prove_by_fuzz(plain, workers)
    show_by_fuzz(proof, terminal())
    return _judge_proof(proof)


def _prove_by_scenarios(workers: Workers, *, writes: bool, is_whole: bool) -> int:
    if writes:
        for file in (FILE, MUTANTS_FILE):
            check_writable(DEFAULT_ROOT / file)
    by_requirement = {name: mutant.requirement_id for name, mutant in load_mutants().items()}
    # What is retired may have no judge any more.
    violated, rows = frozenset(by_requirement.values()), load_registry().by_profile["sanitizer"]
    sanitizers = tuple(row.id for row in rows if row.id in violated or not row.retired)
    timed = frozenset(name for name, mutant in load_mutants().items() if mutant.is_timed)
    matrix = load_kill_matrix()
    extent: Extent = "whole" if is_whole else "own" if writes else "said"
    proof = prove_by_scenarios(
        by_requirement, CHEATERS, load_features(), sanitizers, matrix, workers, timed=timed, extent=extent
    )
    writes = writes and not proof.is_interrupted
    if writes:
        proof = replace(proof, shipped=proof.computed_matrix)
    show_by_scenarios(proof, terminal())
    return (
        write_and_conclude(_judge_proof(proof), lambda: _write_proof(proof.computed_matrix))
        if writes
        else _judge_proof(proof)
    )


def _judge_proof(proof: ScenarioProof | FuzzProof | Acquittal) -> Exit:
    if proof.is_interrupted:
        return Exit.INTERRUPTED
    return Exit.NOT_CONFORMANT if any(proof.list_problems()) else Exit.CONFORMANT


def _write_proof(matrix: KillMatrix) -> None:
    write_kill_matrix(matrix)
    write_sentences({name: (mutant.requirement_id, mutant.description) for name, mutant in load_mutants().items()})
