"""What the kill matrix is held against: it speaks of mutants, requirements and rows that there are."""

import json
from collections.abc import Iterator, Sequence

from react_tck.lint.scenario_checks import Finding, Standard, suggestion
from react_tck.suite.features import ScenarioInfo


def kill_matrix_findings(text: str, scenarios: Sequence[ScenarioInfo], standard: Standard) -> Iterator[Finding]:
    """Lines and messages of the entries in the file's text that name what doesn't exist."""
    rows = {row for scenario in scenarios for row in scenario.run_titles}
    for mutant, requirement_id, row in standard.kill_matrix.entries():
        if mutant not in standard.mutants:
            yield _line(text, mutant), f"there is no mutant {mutant!r}{suggestion(mutant, standard.mutants)}"
        if requirement_id not in standard.registry.by_id:
            hint = suggestion(requirement_id, standard.registry.by_id)
            yield _line(text, mutant, requirement_id), f"requirement {requirement_id} is not in the registry{hint}"
        if row not in rows:
            message = f"no scenario has the row {row!r}{suggestion(row, rows)}"
            yield _line(text, mutant, requirement_id, row), message


def _line(text: str, *names: str) -> int:
    """The line of the last of some names, each of which stands inside the value of the one before."""
    at = 0
    for name in names:
        at = max(at, text.find(json.dumps(name, ensure_ascii=False), at))
    return text.count("\n", 0, at) + 1
