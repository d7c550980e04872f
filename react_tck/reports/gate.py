"""What the gate says, after the report: whether it is open, and each thing to do if it isn't."""

from pathlib import Path

from rich.console import Console
from rich.text import Text

from react_tck.gate.gate import Gate, Objection
from react_tck.reports.printing import printable


def show_gate(gate: Gate, file: Path, console: Console) -> None:
    """The objections, a line each, and whether it is open; nothing where there is no gate."""
    for objection in gate.objections:
        console.print(Text(printable(sentence(objection, file)), style="yellow" if objection.is_stale else "red"))
    if said := standing_of(gate, file):
        console.print(Text(said, style="bold red" if gate.objections else "bold green"))


def standing_of(gate: Gate, file: Path) -> str:
    """Whether it is open, and why; empty where there is no gate."""
    expected = gate.gated.ledger.expected_failures
    if gate.section is None and not gate.objections:
        return ""
    if not gate.objections:
        return f"gate: open; {expected} expected failures, as {file} lists them"
    if all(objection.is_stale for objection in gate.objections):
        return f"gate: closed; nothing is broken, but {file} is out of date"
    wrong = sum(not objection.is_stale for objection in gate.objections)
    return f"gate: closed, objections: {wrong}; {expected} expected failures"


def sentence(objection: Objection, file: Path) -> str:
    """Such as `react-tck.baseline.toml:12: LOOP-003 'stops' passes and is listed as a failure`."""
    place = f"{file}:{objection.line}: " if objection.line else ""
    return f"{place}{objection.requirement} {objection.text}".strip()
