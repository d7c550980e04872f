"""Causes: one fault makes many scenarios fail; it is told once, with all that it explains.

Every failing row has symptoms: that its own sentence failed, and what judges saw in its episodes, each of a
requirement. What made a symptom is looked for in its own row. What a judge saw makes a sentence fail where the call
departed no later from what was due, where it is wrong with the very event, or where a mutant with that fault is known
to fail the sentence. It has to be sure, too: seen in a row whose own sentence held, or said by a sentence of its own.
Else the sentence stands, and what judges saw beside it is no second blame.

A symptom that nothing made is held against its requirement, which is a cause; a requirement of which every symptom was
made by another's is blocked. An invariant that weighs more than what broke it isn't met, beside that cause.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from react_tck.model.report import Beside, Cause
from react_tck.results.known_faults import Known
from react_tck.results.symptoms import Symptom, Traced
from react_tck.results.tracing import trace_symptoms


@dataclass(frozen=True)
class Explanation:
    """What explains the failures of a run."""

    #: That of most failed rows first.
    causes: tuple[Cause, ...] = ()
    #: Of each requirement that isn't a cause though something of it was seen: the causes of that.
    blockers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def explain_symptoms(symptoms: Sequence[Symptom], known: Known, played: Collection[str]) -> Explanation:
    """What explains them; `played` are the rows of the run."""
    by_row: dict[str, list[Symptom]] = {}
    for symptom in symptoms:
        by_row.setdefault(symptom.row, []).append(symptom)
    traced = trace_symptoms(by_row, known)
    made: dict[str, list[Traced]] = {}
    for each in traced:
        made.setdefault(each.root.requirement_id, []).append(each)
    beside = _find_beside(traced)
    found = {id_: _make_cause(mine, by_row, known, played) for id_, mine in made.items()}
    causes = [each.model_copy(update={"beside": tuple(beside.get(id_, ()))}) for id_, each in found.items()]
    by_id = {symptom.requirement_id: symptom for symptom in symptoms}
    causes.sort(key=lambda cause: _place_cause(cause, by_id[cause.requirement]))
    held = {each.requirement for cause in causes for each in cause.beside}
    return Explanation(tuple(causes), _find_blockers(traced, {*made, *held}))


def _place_cause(cause: Cause, symptom: Symptom) -> tuple[int, bool, int, int]:
    """Of those that made as many rows fail a MUST comes first, and then what is seen in most rows."""
    return -cause.explains, symptom.weight != "MUST", -len(cause.rows), -symptom.rank


def _find_beside(traced: Sequence[Traced]) -> dict[str, list[Beside]]:
    """What isn't met though nothing of it is a cause, by the cause that made it."""
    held: dict[str, list[Traced]] = {}
    for each in traced:
        if each.is_held:
            held.setdefault(each.symptom.requirement_id, []).append(each)
    found: dict[str, list[Beside]] = {}
    for id_, mine in held.items():
        shown, rows = mine[0].symptom.result, dict.fromkeys(each.symptom.row for each in mine)
        beside = Beside(requirement=id_, fault=shown.fault, rows=tuple(rows), reproduce=shown.reproduce)
        found.setdefault(mine[0].root.requirement_id, []).append(beside)
    return found


def _find_blockers(traced: Sequence[Traced], held: Collection[str]) -> dict[str, tuple[str, ...]]:
    counted: dict[str, Counter[str]] = {}
    for each in traced:
        if each.symptom.requirement_id not in held:
            counted.setdefault(each.symptom.requirement_id, Counter())[each.root.requirement_id] += 1
    return {id_: tuple(root for root, _ in roots.most_common()) for id_, roots in counted.items()}


def _make_cause(
    mine: Sequence[Traced], by_row: Mapping[str, Sequence[Symptom]], known: Known, played: Collection[str]
) -> Cause:
    """The cause of what one requirement made."""
    roots = [each.symptom for each in mine if each.is_root] or [each.root for each in mine]
    shown = next((symptom for symptom in roots if symptom.is_own), roots[0])
    id_, kinds = shown.requirement_id, Counter(root.result.kind for root in roots if root.result.kind)
    failed = dict.fromkeys(each.symptom.row for each in mine if each.symptom.is_own)
    rows = tuple(failed | dict.fromkeys(each.symptom.row for each in mine))
    failing = {row for row, found in by_row.items() if any(each.requirement_id == id_ for each in found)}
    return Cause(
        requirement=id_,
        kind=kinds.most_common(1)[0][0] if kinds else "",
        fault=shown.result.fault,
        explains=len(failed),
        rows=rows,
        nearest_mutant=known.find_nearest_mutant(id_, by_row[shown.row], failing, played),
        message=shown.result.message,
        reproduce=shown.result.reproduce,
    )
