"""What the gate says, after the report: what is flaky, whether it is open, and each thing to do if it isn't."""

from rich.console import Console
from rich.text import Text

from react_tck.gate.gate import Gate, Objection
from react_tck.reports.printing import escape_line, escape_text


def show_gate(gate: Gate, console: Console) -> None:
    """Show the flakes with both sides of where their plays part, the objections, and whether it is open."""
    for flake in gate.report.flakes:
        console.print(Text(escape_line(f"{flake.requirement} {flake.summary_sentence}"), style="yellow"))
        if flake.parting.first:
            console.print(Text(f"  in the run: {escape_line(flake.parting.first)}"))
            console.print(Text(f"  alone:      {escape_line(flake.parting.second)}"))
    for objection in gate.objections:
        console.print(
            Text(escape_text(format_objection(gate, objection)), style="yellow" if objection.is_stale else "red")
        )
    if said := standing_of(gate):
        console.print(Text(said, style="bold red" if gate.objections else "bold green"))


def standing_of(gate: Gate) -> str:
    """Tell whether it is open, and why; empty where there is no gate."""
    if gate.section is None and not gate.objections:
        return ""
    file = gate.places.baseline
    flaky = f", {len(gate.report.flakes)} flaky" if gate.report.flakes else ""
    expected = f"{gate.gated_report.ledger.expected_failures} expected failures"
    if not gate.objections:
        return f"gate: open; {expected}, as {file} lists them{flaky}"
    if all(objection.is_stale for objection in gate.objections):
        return f"gate: closed; nothing is broken, but {file} is out of date{flaky}"
    wrong = sum(not objection.is_stale for objection in gate.objections)
    return f"gate: closed, objections: {wrong}; {expected}{flaky}"


def format_objection(gate: Gate, objection: Objection) -> str:
    """Such as `react-tck.baseline.toml:12: LOOP-003 'stops' passes and is listed as a failure`."""
    place = f"{gate.places.baseline}:{objection.line}: " if objection.line else ""
    return f"{place}{objection.requirement} {objection.text}".strip()
