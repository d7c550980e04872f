"""A report row by row, as formats count it that know tests: those of scenarios, and what judges saw in others'."""

from collections.abc import Iterator
from dataclasses import dataclass

from react_tck.gate.gate import Gate
from react_tck.model.report import Flake, RequirementResult, ScenarioResult, Verdict

#: Of a requirement that isn't met, what judges saw counts.
_UNMET = (Verdict.FAILED, Verdict.EXPECTED_FAILURE, Verdict.FLAKY)


@dataclass(frozen=True)
class Row:
    """One thing that passes or doesn't."""

    requirement: RequirementResult
    result: ScenarioResult
    #: Unlike any other of the requirement.
    name: str
    #: How it ended when it was played again, where it is flaky.
    flake: Flake | None


def list_rows(gate: Gate) -> Iterator[Row]:
    """All that were selected, in the report's order."""
    flaky = {(flake.requirement, flake.row): flake for flake in gate.report.flakes}
    for requirement in gate.gated_report.requirements:
        named = [
            (result, result.title) for result in requirement.scenarios if result.verdict is not Verdict.NOT_SELECTED
        ]
        if requirement.verdict in _UNMET:
            seen = enumerate(requirement.departures, 1)
            named += [(result, f"seen in: {result.title} ({number})") for number, result in seen]
        for result, name in named:
            flake = flaky.get((requirement.id, result.title)) if result.verdict is Verdict.FLAKY else None
            yield Row(requirement, _block_result(requirement, result), name, flake)


def _block_result(requirement: RequirementResult, result: ScenarioResult) -> ScenarioResult:
    """A failed row of a blocked requirement is blocked with it: the failure is told where its cause is."""
    is_blocked = requirement.verdict is Verdict.BLOCKED and result.verdict is Verdict.FAILED
    return result.model_copy(update={"verdict": Verdict.BLOCKED}) if is_blocked else result


def describe_briefly(row: Row) -> str:
    """How it ended and why, where it didn't pass; for people, in a line."""
    result = row.result
    if result.verdict is Verdict.BLOCKED:
        return f"blocked by {', '.join(row.requirement.blocked_by)}: {result.fault or result.message}"
    if row.flake:
        return f"{result.verdict}: {row.flake.first}, then {row.flake.second}; {row.flake.parting.place}"
    why = result.fault or result.message
    return why if result.verdict in (Verdict.FAILED, Verdict.ERROR) else ": ".join(filter(None, (result.verdict, why)))


def describe_fully(row: Row) -> str:
    """All that there is to say of a row that didn't pass; of a flaky one, where both plays part first."""
    return (
        f"{row.flake.summary_sentence}{row.flake.parting.difference_text}\n\n{row.result.message}"
        if row.flake
        else row.result.message
    )
