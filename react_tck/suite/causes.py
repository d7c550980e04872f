"""Causes: one fault makes many scenarios fail; what they have in common is named once, with how many it explains.

Every failing row has findings: that its own sentence failed, and what judges saw in its episodes, each of a
requirement. The requirement that most rows share is a cause, and explains them; then that which most of the others
share, until all are explained. What a cause explains is no second blame for others.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from react_tck.model.report import Cause, NearestMutant, ScenarioResult
from react_tck.suite.kill_matrix import KillMatrix, Sentences


@dataclass(frozen=True)
class Finding:
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

    def nearest(self, requirement_id: str, failing: Collection[str], played: Collection[str]) -> NearestMutant | None:
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


def causes(findings: Sequence[Finding], known: Known, played: Collection[str]) -> tuple[Cause, ...]:
    """What explains the findings, the cause of most rows first; `played` are the rows of the run."""
    by_requirement: dict[str, list[Finding]] = {}
    for finding in findings:
        by_requirement.setdefault(finding.requirement_id, []).append(finding)
    return tuple(_greedily(by_requirement, known, played))


def _greedily(
    by_requirement: Mapping[str, Sequence[Finding]], known: Known, played: Collection[str]
) -> Iterator[Cause]:
    unexplained = {finding.row for found in by_requirement.values() for finding in found}
    while unexplained:
        id_ = max(by_requirement, key=lambda id_: _weight(by_requirement[id_], unexplained))
        found = by_requirement[id_]
        explained = [finding for finding in found if finding.row in unexplained]
        yield _cause(id_, found, explained, known.nearest(id_, {finding.row for finding in found}, played))
        unexplained -= {finding.row for finding in explained}


def _weight(found: Sequence[Finding], unexplained: Collection[str]) -> tuple[int, bool, int]:
    """How many rows it explains; of equals, what is no mere invariant tells more, and so do its own sentences."""
    mine = [finding for finding in found if finding.row in unexplained]
    is_invariant = found[0].requirement_id.startswith("SAN-")
    return len({finding.row for finding in mine}), not is_invariant, sum(finding.is_own for finding in mine)


def _cause(id_: str, found: Sequence[Finding], explained: Sequence[Finding], nearest: NearestMutant | None) -> Cause:
    kinds = Counter(finding.result.kind for finding in explained if finding.result.kind)
    shown = next((finding for finding in explained if finding.is_own), explained[0]).result
    rows = tuple(dict.fromkeys(finding.row for finding in explained))
    return Cause(
        requirement=id_,
        kind=kinds.most_common(1)[0][0] if kinds else "",
        explains=len(rows),
        rows=rows,
        nearest_mutant=nearest,
        message=shown.message,
        reproduce=shown.reproduce,
    )
