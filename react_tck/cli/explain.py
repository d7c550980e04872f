"""`react-tck explain ID`."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from difflib import get_close_matches

from rich.console import Console
from rich.text import Text

from react_tck.cli import running
from react_tck.model.requirement import Requirement
from react_tck.suite.conformance import Exit
from react_tck.suite.features import ScenarioInfo, load_features
from react_tck.suite.kill_matrix import load_kill_matrix
from react_tck.suite.registry import load_registry


def main(arguments: Namespace) -> int:
    """Explain a requirement."""
    return running.guarded(lambda: _explain(arguments.id.upper()))


def _explain(requirement_id: str) -> int:
    registry = load_registry()
    requirement = registry.by_id.get(requirement_id)
    if requirement is None:
        near = get_close_matches(requirement_id, registry.by_id, n=3)
        hint = f"Did you mean {', '.join(near)}?" if near else "`react-tck list --profile all` names them all."
        print(f"react-tck: There is no requirement {requirement_id!r}. {hint}", file=sys.stderr)
        return Exit.USAGE
    scenarios = [scenario for scenario in load_features() if scenario.requirement_id == requirement_id]
    matrix = load_kill_matrix()
    console = Console(highlight=False, soft_wrap=True)
    console.print(Text(_requirement(requirement)))
    for scenario in scenarios:
        console.print(Text(_scenario(scenario, matrix.killed_by(scenario))))
    return 0


def _requirement(requirement: Requirement) -> str:
    source = load_registry().sources.get(requirement.source.split()[0], "")
    facts = [
        f"{requirement.id} · {requirement.level} · profile {requirement.profile} · since revision {requirement.since}",
        requirement.sentence,
        f"source: {requirement.source}{f' ({source})' if source else ''}",
    ]
    facts += [f"note: {requirement.note}"] if requirement.note else []
    facts += [f"pending: {requirement.pending}"] if requirement.pending else []
    facts += [f"excluded: {requirement.excluded}"] if requirement.excluded else []
    return "\n".join(facts)


def _scenario(scenario: ScenarioInfo, mutants: Sequence[str]) -> str:
    head = f"\n{scenario.title}\n  features/{scenario.profile}/{scenario.path.name}:{scenario.line}"
    sentences = [f"    {step.keyword} {step.text}" for step in scenario.steps]
    rows = [f"      | {' | '.join(row)} |" for table in scenario.examples for row in (table.columns, *table.rows)]
    return "\n".join([head, *sentences, *rows, f"  kills: {', '.join(mutants)}"])
