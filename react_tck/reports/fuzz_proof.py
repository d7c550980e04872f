"""How many examples the fuzzer needs for each mutant, as a person reads it."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from react_tck.prove.by_fuzz import FuzzProof, Hunt


def show(proof: FuzzProof, console: Console) -> None:
    """A row a mutant, then what isn't proven."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("mutant", "requirement", "examples to kill", "violates"):
        table.add_column(heading)
    for hunt in sorted(proof.hunts, key=lambda hunt: (hunt.requirement_id, hunt.mutant)):
        table.add_row(hunt.mutant, hunt.requirement_id, _examples(hunt), ", ".join(hunt.violated) or "–")
    console.print(table)
    for name, why in sorted(proof.left_out.items()):
        console.print(Text(f"left out: {name}: {why}", style="yellow"))
    problems = list(proof.problems())
    for problem in problems:
        console.print(Text(f"not proven: {problem}", style="bold red"))
    killed = sum(hunt.examples is not None for hunt in proof.hunts)
    counts = f"{killed} of {len(proof.hunts)} mutants found by fuzzing alone"
    console.print(
        f"[bold red]{counts}: {len(problems)} problems[/]" if problems else f"[bold green]{counts}: proven[/]"
    )


def _examples(hunt: Hunt) -> Text:
    if hunt.examples is None:
        return Text("survives", style="bold red")
    return Text(str(hunt.examples), style="green")
