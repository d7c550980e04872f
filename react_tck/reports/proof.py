"""What is proven, as a person reads it: a row a mutant, then what isn't proven."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from react_tck.prove.acquittal import Acquittal
from react_tck.prove.by_fuzz import FuzzProof
from react_tck.prove.by_scenarios import Kills, ScenarioProof
from react_tck.results.exit_status import Exit


def show_by_scenarios(proof: ScenarioProof, console: Console) -> None:
    """The kill matrix, the cheaters, and what isn't proven."""
    table = _make_table("mutant", "requirement", "killed by its own", "and by")
    for kills in sorted(proof.kills, key=lambda kills: (kills.requirement_id, kills.mutant)):
        own = f"{len(kills.own_rows)} rows" if kills.own_rows else None
        table.add_row(kills.mutant, kills.requirement_id, _format_kills(own), _list_other_kills(kills))
    console.print(table)
    for cheater, status in proof.cheaters.items():
        result = "passes" if status is Exit.CONFORMANT else f"fails ({status.name.lower().replace('_', ' ')})"
        console.print(f"cheater {cheater}: {result}")
    causes = proof.causes
    console.print(
        f"causes: of {causes.mutants} mutants, {causes.median} in the median, at most 2 for {causes.at_most_two}; "
        f"the mutant's own requirement first for {causes.own_first}"
    )
    killed = sum(1 for kills in proof.kills if kills.own_rows)
    caught = sum(1 for status in proof.cheaters.values() if status is not Exit.CONFORMANT)
    _print_conclusion(
        f"{killed} of {len(proof.kills)} mutants killed by their own requirement, {caught} of {len(proof.cheaters)} "
        f"cheaters caught, {len(proof.scenarios)} scenarios",
        list(proof.list_problems()),
        console,
        is_interrupted=proof.is_interrupted,
    )


def show_by_fuzz(proof: FuzzProof, console: Console) -> None:
    """How many examples the fuzzer needs for each mutant, and what isn't proven."""
    table = _make_table("mutant", "requirement", "examples to kill", "violates")
    for search in sorted(proof.searches, key=lambda search: (search.requirement_id, search.mutant)):
        examples = None if search.examples is None else str(search.examples)
        table.add_row(search.mutant, search.requirement_id, _format_kills(examples), ", ".join(search.violated) or "–")
    console.print(table)
    for name, why in sorted(proof.left_out.items()):
        console.print(Text(f"left out: {name}: {why}", style="yellow"))
    killed = sum(search.examples is not None for search in proof.searches)
    _print_conclusion(
        f"{killed} of {len(proof.searches)} mutants found by fuzzing alone",
        list(proof.list_problems()),
        console,
        is_interrupted=proof.is_interrupted,
    )


def show_acquittal(acquittal: Acquittal, console: Console) -> None:
    """How many innocents failed nothing, and what the others are accused of."""
    hearings = acquittal.hearings
    acquitted = sum(not hearing.accusations for hearing in hearings)
    passed = sum(hearing.passed for hearing in hearings)
    _print_conclusion(
        f"{acquitted} of {len(hearings)} innocents acquitted, {passed} rows passed",
        list(acquittal.list_problems()),
        console,
        is_interrupted=acquittal.is_interrupted,
    )


def _make_table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading)
    return table


def _format_kills(counted: str | None) -> Text:
    return Text("survives", style="bold red") if counted is None else Text(counted, style="green")


def _list_other_kills(kills: Kills) -> str:
    others = {id_: len(rows) for id_, rows in kills.failed.items() if id_ != kills.requirement_id}
    return ", ".join(f"{requirement_id} {count}" for requirement_id, count in others.items()) or "–"


def _print_conclusion(counts: str, problems: Sequence[str], console: Console, *, is_interrupted: bool) -> None:
    for problem in problems:
        console.print(Text(f"not proven: {problem}", style="bold red"))
    if is_interrupted:
        console.print(f"interrupted after {counts}: {len(problems)} problems so far, nothing proven", style="bold red")
    elif problems:
        console.print(f"{counts}: {len(problems)} problems", style="bold red")
    else:
        console.print(f"{counts}: proven", style="bold green")
