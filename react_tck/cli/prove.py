"""`react-tck prove`: the kill matrix."""

import click
from rich.console import Console

from react_tck.prove.by_fuzz import PROFILES, prove_by_fuzz
from react_tck.prove.kill_matrix import prove
from react_tck.reports import fuzz_proof
from react_tck.reports.kill_matrix import show
from react_tck.subjects.catalogue import mutants
from react_tck.subjects.cheaters import CHEATERS
from react_tck.suite.conformance import Exit
from react_tck.suite.features import load_features
from react_tck.suite.registry import load_registry


@click.command()
@click.option(
    "--by",
    type=click.Choice(("scenarios", "fuzz")),
    default="scenarios",
    help="who has to kill the mutants (default scenarios)",
)
def command(by: str) -> int:
    """Show that every scenario and sanitizer can fail, against mutants and cheaters: the kill matrix."""
    return _prove_by_fuzz() if by == "fuzz" else _prove()


def _prove_by_fuzz() -> int:
    by_id = load_registry().by_id
    wanted = {
        name: mutant.requirement_id
        for name, mutant in mutants().items()
        if by_id[mutant.requirement_id].profile in PROFILES
    }
    proof = prove_by_fuzz(wanted)
    fuzz_proof.show(proof, Console(highlight=False, soft_wrap=True))
    return Exit.NOT_CONFORMANT if any(proof.problems()) else Exit.CONFORMANT


def _prove() -> int:
    sanitizers = tuple(requirement.id for requirement in load_registry().by_profile["sanitizer"])
    by_requirement = {name: mutant.requirement_id for name, mutant in mutants().items()}
    proof = prove(by_requirement, CHEATERS, load_features(), sanitizers)
    show(proof, Console(highlight=False, soft_wrap=True))
    return Exit.NOT_CONFORMANT if any(proof.problems()) else Exit.CONFORMANT
