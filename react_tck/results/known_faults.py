"""The mutants: single faults of which is known what each makes fail, to hold a run's failures against."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from react_tck.catalogue.kill_matrix import KillMatrix, Sentences
from react_tck.model.report import NearestMutant
from react_tck.results.symptoms import Symptom


@dataclass(frozen=True)
class Known:
    """The mutants that there are, and the rows that they fail."""

    sentences: Sentences
    matrix: KillMatrix

    @cached_property
    def _failed_sentences(self) -> frozenset[tuple[str, str, str]]:
        """The requirement that a mutant violates, another, and a row of that one in which it fails for the mutant."""
        violated = {name: own for name, (own, _) in self.sentences.items()}
        return frozenset((violated.get(name, ""), id_, row) for name, id_, row in self.matrix.list_entries())

    def fails_sentence(self, requirement_id: str, sentence: Symptom) -> bool:
        """Whether a mutant of the requirement fails the sentence, too."""
        return (requirement_id, sentence.requirement_id, sentence.row) in self._failed_sentences

    def find_nearest_mutant(
        self, requirement_id: str, shown: Collection[Symptom], failing: Collection[str], played: Collection[str]
    ) -> NearestMutant | None:
        """The mutant of the requirement whose failing rows fit best: the most that both fail of what either fails.

        Most of its rows have to fail, and that which is shown as it fails for the mutant: by the same requirements.
        """
        row, violated = next(iter(shown)).row, {symptom.requirement_id for symptom in shown}
        best: tuple[float, NearestMutant] | None = None
        for name, (own, sentence) in sorted(self.sentences.items()):
            by_id = self.matrix.failing.get(name, {}) if own == requirement_id else {}
            theirs = set(by_id.get(requirement_id, ())).intersection(played)
            shared = len(theirs.intersection(failing))
            is_alike = violated == {id_ for id_, rows in by_id.items() if row in rows}
            fit = shared / len(theirs.union(failing))
            if is_alike and 2 * shared > len(theirs) and (best is None or fit > best[0]):
                best = fit, NearestMutant(name=name, sentence=sentence, shared=shared, failing=len(theirs))
        return best[1] if best else None
