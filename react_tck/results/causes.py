"""Causes: one fault makes many scenarios fail; what they have in common is named once, with how many it explains.

Every failing row has symptoms: that its own sentence failed, and what judges saw in its episodes, each of a
requirement. The requirement that most rows share is a cause, and explains them; then that which most of the others
share, until all are explained. What a cause explains is no second blame for others.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from react_tck.catalogue.kill_matrix import KillMatrix, Sentences
from react_tck.model.report import Cause, NearestMutant, ScenarioResult


@dataclass(frozen=True)
class Symptom:
    """That a requirement is violated in a row."""

    requirement_id: str
    result: ScenarioResult
    #: Whether a sentence of the requirement's own scenario failed, rather than that a judge saw it.
    is_own: bool

    @property
    def row(self) -> str:
        """The title of the row."""
        return self.result.title


@dataclass(frozen=True)
class Known:
    """The mutants that there are, and the rows that they fail."""

    sentences: Sentences
    matrix: KillMatrix

    def find_nearest_mutant(
        self, requirement_id: str, failing: Collection[str], played: Collection[str]
    ) -> NearestMutant | None:
        """The mutant of the requirement whose failing rows fit best: the most that both fail of what either fails."""
        best: tuple[float, NearestMutant] | None = None
        for name, (violated, sentence) in sorted(self.sentences.items()):
            if violated != requirement_id:
                continue
            theirs = set(self.matrix.failing.get(name, {}).get(requirement_id, ())).intersection(played)
            shared = len(theirs.intersection(failing))
            fit = shared / len(theirs.union(failing))
            if shared and (best is None or fit > best[0]):
                best = fit, NearestMutant(name=name, sentence=sentence, shared=shared, failing=len(theirs))
        return best[1] if best else None


def find_causes(symptoms: Sequence[Symptom], known: Known, played: Collection[str]) -> tuple[Cause, ...]:
    """What explains the symptoms, the cause of most rows first; `played` are the rows of the run."""
    by_requirement: dict[str, list[Symptom]] = {}
    for symptom in symptoms:
        by_requirement.setdefault(symptom.requirement_id, []).append(symptom)
    return tuple(_explain_greedily(by_requirement, known, played))


def _explain_greedily(
    by_requirement: Mapping[str, Sequence[Symptom]], known: Known, played: Collection[str]
) -> Iterator[Cause]:
    unexplained = {symptom.row for found in by_requirement.values() for symptom in found}
    while unexplained:
        id_ = max(by_requirement, key=lambda id_: _weigh_symptoms(by_requirement[id_], unexplained))
        found = by_requirement[id_]
        explained = [symptom for symptom in found if symptom.row in unexplained]
        yield _make_cause(id_, explained, known.find_nearest_mutant(id_, {symptom.row for symptom in found}, played))
        unexplained -= {symptom.row for symptom in explained}


def _weigh_symptoms(found: Sequence[Symptom], unexplained: Collection[str]) -> tuple[int, bool]:
    """How many rows it explains, those twice in which its own sentence failed: they are about it.

    Of equals, what is no mere invariant tells more.
    """
    rows = {symptom.row for symptom in found if symptom.row in unexplained}
    own = {symptom.row for symptom in found if symptom.is_own and symptom.row in unexplained}
    is_invariant = found[0].requirement_id.startswith("SAN-")
    return (len(rows) + len(own) if rows else 0), not is_invariant


def _make_cause(id_: str, explained: Sequence[Symptom], nearest: NearestMutant | None) -> Cause:
    kinds = Counter(symptom.result.kind for symptom in explained if symptom.result.kind)
    shown = next((symptom for symptom in explained if symptom.is_own), explained[0]).result
    rows = tuple(dict.fromkeys(symptom.row for symptom in explained))
    return Cause(
        requirement=id_,
        kind=kinds.most_common(1)[0][0] if kinds else "",
        explains=len(rows),
        rows=rows,
        nearest_mutant=nearest,
        message=shown.message,
        reproduce=shown.reproduce,
    )
