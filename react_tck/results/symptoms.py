"""What was seen to be wrong in a row, what it weighs, and what made it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from react_tck.model.report import ScenarioResult
from react_tck.model.requirement import AS_DECLARED, DECLARED_OTHERWISE

#: By level or severity. The lighter never hides the heavier: a broken practice excuses no MUST.
_WEIGHTS = {"MUST": 4, "critical": 3, "SHOULD": 2, "major": 2, "MAY": 1, "minor": 1}
#: Departures of the oracle's that are about how the call ended, rather than that it did.
OUTCOMES = ("answers otherwise", "fails instead of answering", "answers instead of failing")


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
    def row(self) -> str:
        """The title of the row."""
        return self.result.title

    @property
    def is_departure(self) -> bool:
        """Whether a judge saw the call go another way than was due: nothing after that is as it was to be."""
        return not self.is_own and bool(self.result.kind) and self.result.moment is not None

    @property
    def is_contradiction(self) -> bool:
        """Whether something is declared otherwise: such a scenario may fail, or its call depart, otherwise, too."""
        return self.requirement_id == DECLARED_OTHERWISE and self.result.kind.endswith(AS_DECLARED)

    @property
    def is_invariant(self) -> bool:
        """Whether it is a sanitizer's, which has an entry of its own in the ledger."""
        return self.requirement_id.startswith("SAN-")

    def may_hide(self, other: "Symptom") -> bool:
        """Whether it weighs enough; what is declared otherwise fails every run."""
        return self.is_contradiction or (not other.is_contradiction and self.rank >= other.rank)

    def precedes(self, other: "Symptom") -> bool:
        """Whether it is seen no later in the row; a sentence about the whole row comes first."""
        if self.result.moment is None:
            return self.is_own
        return other.result.moment is None or self.result.moment <= other.result.moment

    def may_explain(self, other: "Symptom") -> bool:
        """Whether the other, of the same row, may come of it: it weighs as much, and is seen no later."""
        return self.may_hide(other) and self.precedes(other)

    @property
    def rank(self) -> int:
        """How much the requirement weighs, as a number."""
        return _WEIGHTS.get(self.weight, 0)


@dataclass(frozen=True)
class Traced:
    """A symptom, and the one of its row that made it: itself, if none did."""

    symptom: Symptom
    root: Symptom

    @property
    def is_root(self) -> bool:
        """Whether nothing of another requirement made it."""
        return self.symptom.requirement_id == self.root.requirement_id

    @property
    def is_held(self) -> bool:
        """Whether it is held against its requirement all the same: an invariant weighs more than what made it.

        So does a departure from a MUST that comes no later than what is lighter; that the call ended otherwise is
        what the lighter says more of: an empty answer that is refused is ERR-023's.
        """
        is_departure = self.symptom.is_departure and self.symptom.result.kind not in OUTCOMES
        is_must = is_departure and self.symptom.weight == "MUST"
        is_no_later = is_must and self.symptom.precedes(self.root)
        is_lighter = not self.is_root and not self.root.may_hide(self.symptom)
        return is_lighter and (self.symptom.is_invariant or is_no_later)


def collect_roots(traced: Sequence[Traced]) -> dict[str, list[Symptom]]:
    """Of each cause, what is its own."""
    roots: dict[str, list[Symptom]] = {}
    for each in traced:
        if each.is_root:
            roots.setdefault(each.root.requirement_id, []).append(each.root)
    return roots


def measure_cause(roots: Sequence[Symptom]) -> tuple[int, bool]:
    """In how many events it is seen; of as many, a sentence's counts more than an invariant's."""
    events = {(symptom.row, symptom.result.moment) for symptom in roots}
    return len(events), not roots[0].is_invariant


def join_wider(each: Traced, wider: Mapping[str, str], roots: Mapping[str, Sequence[Symptom]]) -> Traced:
    """The symptom as the wider cause's that its own was joined to, if it was to any."""
    id_, passed = each.root.requirement_id, {each.root.requirement_id}
    while (whole := wider.get(id_, id_)) not in passed:
        passed.add(whole)
        id_ = whole
    if id_ == each.root.requirement_id:
        return each
    return Traced(each.symptom, next((root for root in roots[id_] if root.row == each.symptom.row), roots[id_][0]))
