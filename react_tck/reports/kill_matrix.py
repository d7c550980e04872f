"""The kill matrix as a person reads it."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from react_tck.prove.kill_matrix import Kills, Proof
from react_tck.suite.conformance import Exit


def show(proof: Proof, console: Console) -> None:
    """The matrix, the cheaters, and what isn't proven."""
    console.print(_matrix(proof))
    for cheater, status in proof.cheaters.items():
        result = "passes" if status is Exit.CONFORMANT else f"fails ({status.name.lower().replace('_', ' ')})"
        console.print(f"cheater {cheater}: {result}")
    problems = list(proof.problems())
    for problem in problems:
        console.print(Text(f"not proven: {problem}", style="bold red"))
    console.print(_conclusion(proof, len(problems)))


def _matrix(proof: Proof) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("mutant", "requirement", "killed by its own", "and by"):
        table.add_column(heading)
    for kills in sorted(proof.kills, key=lambda kills: (kills.requirement_id, kills.mutant)):
        table.add_row(kills.mutant, kills.requirement_id, _own(kills), _others(kills))
    return table


def _own(kills: Kills) -> Text:
    count = len(kills.own)
    return Text(f"{count} scenarios", style="green") if count else Text("survives", style="bold red")


def _others(kills: Kills) -> str:
    others = {rid: len(titles) for rid, titles in kills.failed.items() if rid != kills.requirement_id}
    return ", ".join(f"{requirement_id} {count}" for requirement_id, count in others.items()) or "–"


def _conclusion(proof: Proof, problems: int) -> str:
    killed = sum(1 for kills in proof.kills if kills.own)
    caught = sum(1 for status in proof.cheaters.values() if status is not Exit.CONFORMANT)
    counts = (
        f"{killed} of {len(proof.kills)} mutants killed by their own requirement, {caught} of {len(proof.cheaters)} "
        f"cheaters caught, {len(proof.scenarios)} scenarios"
    )
    return f"[bold red]{counts}: {problems} problems[/]" if problems else f"[bold green]{counts}: proven[/]"
