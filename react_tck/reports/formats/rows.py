"""A report row by row, as formats count it that know tests, and as the ledger does."""

from collections.abc import Iterator
from dataclasses import dataclass

from react_tck.gate.gate import Gate
from react_tck.model.report import Flake, RequirementResult, ScenarioResult, Verdict
from react_tck.reports.causes import owners_of
from react_tck.results.ledger import find_worst_verdict


@dataclass(frozen=True)
class Row:
    """One thing that passes or doesn't."""

    #: Whose row it is.
    requirement: RequirementResult
    #: How it ended: what its own sentence came to, or something worse that was seen in it.
    result: ScenarioResult
    #: Of which requirement that is.
    violated: RequirementResult
    #: How it ended when it was played again, where it is flaky.
    flake: Flake | None


def list_rows(gate: Gate) -> Iterator[Row]:
    """Yield all that were selected, in the report's order."""
    flaky = {(flake.requirement, flake.row): flake for flake in gate.report.flakes}
    owners = owners_of(gate.report)
    entered: dict[str, list[tuple[RequirementResult, ScenarioResult]]] = {}
    for requirement in gate.gated_report.requirements:
        for result in requirement.held_results:
            entered.setdefault(result.title, []).append((requirement, result))
    for requirement in gate.gated_report.requirements:
        mine = (result.title for result in requirement.scenarios if result.verdict is not Verdict.NOT_SELECTED)
        for title in dict.fromkeys(title for title in mine if owners[title] == requirement.id):
            entries = sorted(entered[title], key=lambda entry: entry[0].id != requirement.id)
            worst = find_worst_verdict(tuple(result for _, result in entries))
            violated, result = next(entry for entry in entries if entry[1].verdict is worst)
            flake = flaky.get((violated.id, title)) if worst is Verdict.FLAKY else None
            yield Row(requirement, result, violated, flake)


def describe_briefly(row: Row) -> str:
    """Return how it ended and why, where it didn't pass; for people, in a line."""
    result = row.result
    if row.flake:
        return f"{result.verdict}: {row.flake.first}, then {row.flake.second}; {row.flake.parting.place}"
    why = result.fault or result.message
    if row.violated.verdict is Verdict.BLOCKED:
        why = f"blocked by {', '.join(row.violated.blocked_by)}: {why}"
    elif row.violated.id != row.requirement.id:
        why = f"{row.violated.id}: {why}"
    return why if result.verdict in (Verdict.FAILED, Verdict.ERROR) else ": ".join(filter(None, (result.verdict, why)))


def describe_fully(row: Row) -> str:
    """Return all that there is to say of a row that didn't pass; of a flaky one, where both plays part first."""
    return (
        f"{row.flake.summary_sentence}{row.flake.parting.difference_text}\n\n{row.result.message}"
        if row.flake
        else row.result.message
    )
