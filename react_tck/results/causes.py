"""Causes: one fault makes many rows fail; it is told once, with all the rows that it explains.

Three sentences say who is to blame:

1. A failed row is held against its own requirement, and, where the oracle saw the call depart earlier in it by
   another's rule, against that one; a request that every provider refuses takes the row alone. A row whose sentence
   held is held against whatever judges saw in it.
2. The causes are as few requirements as cover these rows: asked one by one, each goes whose rows the others cover.
   Those whose own sentences failed are asked last, the weightier after the lighter, and then those of more rows.
3. A requirement that is violated and no cause is blocked by the causes of its rows. One that the registry tells with
   another (`told_with`), which is violated too, is no cause: its rows are held against that other.

What is declared otherwise (SAN-010) stays out of that: what comes no earlier in the row is held against nobody else, so
that it is the cause of a row in which nothing came before, and it is never blocked.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from react_tck.model.report import Cause, ScenarioResult
from react_tck.model.requirement import AS_DECLARED, DECLARED_OTHERWISE, PROTOCOL_BROKEN

#: By level or severity.
_WEIGHTS = {"MUST": 4, "critical": 3, "SHOULD": 2, "major": 2, "MAY": 1, "minor": 1}


@dataclass(frozen=True)
class Symptom:
    """That a requirement is violated in a row."""

    requirement_id: str
    result: ScenarioResult
    #: Whether a sentence of the requirement's own scenario failed, rather than that a judge saw it.
    is_own: bool
    #: The requirement's level or severity.
    weight: str = "MUST"

    @property
    def is_departure(self) -> bool:
        """Whether the oracle saw the call go another way than was due."""
        kind = self.result.kind
        return not self.is_own and bool(kind) and not kind.endswith(AS_DECLARED) and self.result.moment is not None

    def precedes(self, other: "Symptom") -> bool:
        """Tell whether it is seen earlier in the row, or in the same event; what no event shows comes last."""
        mine, others = self.result.moment, other.result.moment
        return mine is not None and (others is None or mine <= others)


@dataclass(frozen=True)
class Explanation:
    """What explains the failures of a run."""

    #: That of most rows first.
    causes: tuple[Cause, ...] = ()
    #: Of each requirement that is violated and no cause: the causes of its rows.
    blockers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def explain_symptoms(symptoms: Sequence[Symptom], told_with: Mapping[str, Sequence[str]]) -> Explanation:
    """Explain all that is violated in a run, given with which others requirements are told."""
    by_row: dict[str, list[Symptom]] = {}
    by_id: dict[str, list[Symptom]] = {}
    for symptom in symptoms:
        by_row.setdefault(symptom.result.title, []).append(symptom)
        by_id.setdefault(symptom.requirement_id, []).append(symptom)
    told = {id_: next((one for one in told_with.get(id_, ()) if one in by_id), id_) for id_ in by_id}
    blamed = {row: frozenset(told[id_] for id_ in _list_blamed(found)) for row, found in by_row.items()}
    explained: dict[str, list[str]] = {id_: [] for id_ in _find_causes(blamed, by_id)}
    cause_of = {row: next((id_ for id_ in explained if id_ in ids), DECLARED_OTHERWISE) for row, ids in blamed.items()}
    for row, id_ in cause_of.items():
        explained.setdefault(id_, []).append(row)
    causes = tuple(_make_cause(by_id[id_], rows) for id_, rows in explained.items())
    blocked = {id_: found for id_, found in by_id.items() if id_ not in {*explained, DECLARED_OTHERWISE}}
    counted = {id_: Counter(cause_of[symptom.result.title] for symptom in found) for id_, found in blocked.items()}
    return Explanation(causes, {id_: tuple(dict(found.most_common())) for id_, found in counted.items()})


def _list_blamed(found: Sequence[Symptom]) -> frozenset[str]:
    """Return the requirements that a row is held against; none for what follows what is declared otherwise."""
    declared = [symptom for symptom in found if symptom.requirement_id == DECLARED_OTHERWISE]
    judged = [each for each in found if not any(other is each or other.precedes(each) for other in declared)]
    own = next((symptom for symptom in judged if symptom.is_own), None)
    if own is None:
        return frozenset(symptom.requirement_id for symptom in judged)
    departures = [symptom for symptom in judged if symptom.is_departure and symptom.precedes(own)]
    earliest = min(departures, key=lambda symptom: symptom.result.moment or 0, default=own)
    if earliest.result.kind == PROTOCOL_BROKEN:  # no provider answers: nothing else of the row was seen
        return frozenset({earliest.requirement_id})
    return frozenset({own.requirement_id, earliest.requirement_id})


def _find_causes(blamed: Mapping[str, frozenset[str]], by_id: Mapping[str, Sequence[Symptom]]) -> list[str]:
    """Return the requirements that are left, that of most rows first; a row of its own sentence counts twice."""
    own = {id_: sum(symptom.is_own for symptom in found) for id_, found in by_id.items()}
    weights = {id_: _WEIGHTS.get(found[0].weight, 0) for id_, found in by_id.items()}
    counts = Counter(id_ for ids in blamed.values() for id_ in ids)
    left = {*counts}
    for id_ in sorted(counts, key=lambda id_: (own[id_] > 0, weights[id_], counts[id_], id_)):
        if all(left & ids - {id_} for ids in blamed.values() if id_ in ids):
            left.remove(id_)
    return sorted(left, key=lambda id_: (-counts[id_] - own[id_], -weights[id_], id_))


def _make_cause(found: Sequence[Symptom], rows: Sequence[str]) -> Cause:
    """Return the cause of these rows, told by one in which its own sentence failed, or else was seen to fail."""
    own_first = sorted(found, key=lambda symptom: not symptom.is_own)
    mine = frozenset(rows)
    of_rows = [symptom.result for symptom in own_first if symptom.result.title in mine]
    shown, kinds = of_rows[0], Counter(result.kind for result in of_rows if result.kind)
    return Cause(
        requirement=found[0].requirement_id,
        kind=kinds.most_common(1)[0][0] if kinds else "",
        fault=shown.fault,
        rows=tuple(rows),
        message=shown.message,
        reproduce=shown.reproduce,
    )
