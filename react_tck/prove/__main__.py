"""`python -m react_tck.prove`: shows that each mutant is found, and that each scenario and sanitizer finds one.

It plays the few pairs of mutant and row that `features/certificate.json` names, and ends with 1 if anything isn't so.
"""

import os
import sys
from collections.abc import Sequence
from dataclasses import replace

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from react_tck.catalogue.features import load_features
from react_tck.catalogue.kill_matrix import (
    CERTIFICATE_FILE,
    FILE,
    load_kill_matrix,
    write_kill_matrix,
    write_sentences,
)
from react_tck.catalogue.registry import load_registry
from react_tck.processes.workers.workers import start_process_workers
from react_tck.prove.kills import PRELOADED
from react_tck.prove.mutants import load_mutants
from react_tck.prove.proof import (
    FuzzProof,
    Proof,
    Statement,
    choose_certificate,
    prove_by_fuzz,
    prove_certificate,
    prove_pairs,
)


@click.command()
@click.option("--all", "is_whole", is_flag=True, help=f"play every pair of {FILE}, and hold what is found against it")
@click.option("--write", "writes", is_flag=True, help=f"compute {FILE} and {CERTIFICATE_FILE} anew, and write them")
@click.option("--by", type=click.Choice(("scenarios", "fuzz")), default="scenarios", help="who has to find the mutants")
@click.option("-n", "processes", type=click.IntRange(1), default=os.cpu_count(), help="so many processes at once")
def command(is_whole: bool, writes: bool, by: str, processes: int) -> None:
    """Show that each mutant is found, and that each scenario and sanitizer finds one."""
    if by == "fuzz" and (is_whole or writes):
        raise click.UsageError("--by fuzz goes with -n, and with nothing else.")
    console = Console(markup=False, emoji=False, highlight=False, soft_wrap=True)
    if by == "fuzz":
        problems = _prove_by_fuzz(processes, console)
    elif writes:
        problems = _write_proof(processes, console)
    else:
        problems = _prove_by_scenarios(processes, console, is_whole=is_whole)
    sys.exit(1 if problems else 0)


def make_statement() -> Statement:
    """Return what is to be proven of our mutants, scenarios and sanitizers; what is retired may have no judge."""
    mutants, sanitizers = load_mutants(), load_registry().by_profile["sanitizer"]
    violated = {mutant.requirement_id for mutant in mutants.values()}
    return Statement(
        {name: mutant.requirement_id for name, mutant in mutants.items()},
        load_features(),
        tuple(row.id for row in sanitizers if row.id in violated or not row.retired),
        frozenset(name for name, mutant in mutants.items() if mutant.is_timed),
    )


def _prove_by_scenarios(processes: int, console: Console, *, is_whole: bool) -> Sequence[str]:
    play, file = (prove_pairs, FILE) if is_whole else (prove_certificate, CERTIFICATE_FILE)
    proof = play(make_statement(), load_kill_matrix(file=file), processes)
    problems = [*proof.list_problems(), *(proof.list_differences() if is_whole else ())]
    show_proof(proof, problems, console)
    return problems


def _write_proof(processes: int, console: Console) -> Sequence[str]:
    """Write what was found, even if it proves too little: who adds what is missing starts from there."""
    found = prove_pairs(make_statement(), load_kill_matrix(), processes, is_new=True)
    proof = replace(found, named=found.computed_matrix)
    write_kill_matrix(proof.named)
    write_kill_matrix(choose_certificate(proof.statement, proof.kills), file=CERTIFICATE_FILE)
    write_sentences({name: (mutant.requirement_id, mutant.description) for name, mutant in load_mutants().items()})
    problems = [*proof.list_problems()]
    show_proof(proof, problems, console)
    return problems


def _prove_by_fuzz(processes: int, console: Console) -> Sequence[str]:
    # What only variations show is theirs to find.
    plain = {name: mutant.requirement_id for name, mutant in load_mutants().items() if not mutant.is_varied}
    with start_process_workers(processes, PRELOADED) as workers:
        proof = prove_by_fuzz(plain, workers)
    show_by_fuzz(proof, console)
    return [*proof.list_problems()]


def show_proof(proof: Proof, problems: Sequence[str], console: Console) -> None:
    """Print what isn't proven, and how much was played."""
    killed = sum(bool(kills.own_rows) for kills in proof.kills)
    statement = proof.statement
    _print_conclusion(
        f"{killed} of {len(statement.mutants)} mutants killed by their own requirement, {len(statement.scenarios)} "
        f"scenarios and {len(statement.sanitizers)} sanitizers",
        problems,
        console,
    )


def show_by_fuzz(proof: FuzzProof, console: Console) -> None:
    """Print how many examples the fuzzer needs for each mutant, and what isn't proven."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("mutant", "requirement", "examples to kill", "violates"):
        table.add_column(heading)
    for search in sorted(proof.searches, key=lambda search: (search.requirement_id, search.mutant)):
        examples = "survives" if search.examples is None else str(search.examples)
        table.add_row(search.mutant, search.requirement_id, examples, ", ".join(search.violated) or "–")
    console.print(table)
    for name, why in sorted(proof.left_out.items()):
        console.print(Text(f"left out: {name}: {why}", style="yellow"))
    killed = sum(search.examples is not None for search in proof.searches)
    counts = f"{killed} of {len(proof.searches)} mutants found by fuzzing alone"
    _print_conclusion(counts, list(proof.list_problems()), console)


def _print_conclusion(counts: str, problems: Sequence[str], console: Console) -> None:
    for problem in problems:
        console.print(Text(f"not proven: {problem}", style="bold red"))
    ending, style = (f"{len(problems)} problems", "bold red") if problems else ("proven", "bold green")
    console.print(f"{counts}: {ending}", style=style)


if __name__ == "__main__":
    command()
