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
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from react_tck.catalogue.kill_matrix import KillMatrix, Sentences
from react_tck.model.report import Beside, Cause, NearestMutant, ScenarioResult
from react_tck.model.requirement import DECLARED_OTHERWISE

#: Departures of the oracle's that are about how the call ended, rather than that it did.
_OUTCOMES = ("answers otherwise", "fails instead of answering", "answers instead of failing")
#: By level or severity. The lighter never hides the heavier: a broken practice excuses no MUST.
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
    def row(self) -> str:
        """The title of the row."""
        return self.result.title

    @property
    def is_departure(self) -> bool:
        """Whether a judge saw the call go another way than was due: nothing after that is as it was to be."""
        return not self.is_own and bool(self.result.kind) and self.result.moment is not None

    @property
    def is_invariant(self) -> bool:
        """Whether it is a sanitizer's, which has an entry of its own in the ledger."""
        return self.requirement_id.startswith("SAN-")

    def may_hide(self, other: "Symptom") -> bool:
        """Whether it weighs enough; what is declared otherwise fails every run."""
        return self.requirement_id == DECLARED_OTHERWISE or (
            other.requirement_id != DECLARED_OTHERWISE and self.rank >= other.rank
        )

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
        """Whether it is held against its requirement all the same: an invariant weighs more than what made it."""
        return self.symptom.is_invariant and not self.is_root and not self.root.may_hide(self.symptom)


@dataclass(frozen=True)
class Explanation:
    """What explains the failures of a run."""

    #: That of most failed rows first.
    causes: tuple[Cause, ...] = ()
    #: Of each requirement that isn't a cause though something of it was seen: the causes of that.
    blockers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


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


def explain_symptoms(symptoms: Sequence[Symptom], known: Known, played: Collection[str]) -> Explanation:
    """What explains them; `played` are the rows of the run."""
    by_row: dict[str, list[Symptom]] = {}
    for symptom in symptoms:
        by_row.setdefault(symptom.row, []).append(symptom)
    sure = frozenset(id_ for found in by_row.values() for id_ in _find_sure(found, known))
    traced = _part_what_several_made([each for found in by_row.values() for each in trace_row(found, sure, known)])
    made: dict[str, list[Traced]] = {}
    for each in traced:
        made.setdefault(each.root.requirement_id, []).append(each)
    beside = _find_beside(traced)
    found = {id_: _make_cause(mine, by_row, known, played) for id_, mine in made.items()}
    causes = [each.model_copy(update={"beside": tuple(beside.get(id_, ()))}) for id_, each in found.items()]
    weights = {symptom.requirement_id: symptom.rank for symptom in symptoms}
    causes.sort(key=lambda cause: (-cause.explains, -weights[cause.requirement], -len(cause.rows)))
    held = {each.requirement for cause in causes for each in cause.beside}
    return Explanation(tuple(causes), _find_blockers(traced, {*made, *held}))


def _part_what_several_made(traced: Sequence[Traced]) -> list[Traced]:
    """An invariant that isn't met stands beside one lighter cause, which made all that is seen of it, or is its own."""
    roots: dict[str, set[str]] = {}
    for each in traced:
        roots.setdefault(each.symptom.requirement_id, set()).add(each.root.requirement_id)
    return [
        Traced(each.symptom, each.symptom) if each.is_held and len(roots[each.symptom.requirement_id]) > 1 else each
        for each in traced
    ]


def _find_sure(found: Sequence[Symptom], known: Known) -> Iterator[str]:
    """The requirements of which the row alone says that they are violated."""
    sentence = next((symptom for symptom in found if symptom.is_own), None)
    if sentence is None:
        yield from (each.symptom.requirement_id for each in trace_row(found, (), known) if each.is_root)
    elif not any(_find_makers(sentence, found, known)):
        yield sentence.requirement_id


def trace_row(found: Sequence[Symptom], sure: Collection[str], known: Known) -> Iterator[Traced]:
    """What made each symptom of a row: what its sentence says, and else what was seen first."""
    sentence = next((symptom for symptom in found if symptom.is_own), None)
    if sentence is None:
        seen = sorted(found, key=_place_in_row)
        for symptom in found:
            yield Traced(symptom, next(each for each in seen if each is symptom or _leads_to(each, symptom)))
        return
    makers = _find_makers(sentence, found, known)
    first = next((each for each in makers if each.requirement_id in {*sure, DECLARED_OTHERWISE}), sentence)
    for symptom in found:
        is_second = symptom.is_own or not symptom.is_invariant or _brings(first, symptom, found)
        yield Traced(symptom, first if is_second else symptom)


def _brings(root: Symptom, invariant: Symptom, found: Sequence[Symptom]) -> bool:
    """Whether what broke the invariant is what made the row's sentence fail, or came of it.

    Where the oracle saw either, it says when. What is declared otherwise is no event's.
    """
    begun = (root, *_list_departures(root, found))
    ended = _list_departures(invariant, found) or [invariant]
    is_later = any(first.precedes(other) for first in begun for other in ended)
    return is_later or invariant.requirement_id == DECLARED_OTHERWISE


def _list_departures(symptom: Symptom, found: Sequence[Symptom]) -> list[Symptom]:
    return [each for each in found if each.requirement_id == symptom.requirement_id and each.is_departure]


def _find_makers(sentence: Symptom, found: Sequence[Symptom], known: Known) -> Iterator[Symptom]:
    """What judges saw of other requirements that may have made the sentence fail, the first first.

    Where a judge says the same as the sentence, that is only an earlier departure.
    """
    seen = sorted((symptom for symptom in found if not symptom.is_own), key=_place_in_row)
    same = next((each for each in seen if each.requirement_id == sentence.requirement_id), None)
    for each in seen:
        if each is same:
            return
        if _is_made(sentence, each, known) and (same is None or each.is_departure):
            yield each


def _place_in_row(symptom: Symptom) -> tuple[bool, int, int]:
    """What no event shows comes last; of what one event shows, that the call departs comes first.

    Of what is wrong with an outcome, an invariant says more than that another end was due.
    """
    moment = symptom.result.moment
    is_end = symptom.result.kind in _OUTCOMES
    return moment is None or is_end, moment or 0, 2 if is_end else 0 if symptom.is_departure else 1


def _leads_to(first: Symptom, other: Symptom) -> bool:
    """Whether what judges saw first in a row explains what they saw next."""
    if first.is_invariant and other.result.kind in _OUTCOMES:
        return first.may_hide(other) and first.result.moment in (None, other.result.moment)
    return first.is_departure and first.may_explain(other)


def _is_made(sentence: Symptom, seen: Symptom, known: Known) -> bool:
    """Whether what a judge saw made the sentence fail.

    That is: a departure no later, something wrong in the very event, a fault that is known to make it fail, or that the
    same choice isn't as declared.
    """
    if not seen.may_hide(sentence):
        return False
    if seen.is_departure:
        return seen.may_explain(sentence)
    is_same_event = seen.result.moment is not None and seen.result.moment == sentence.result.moment
    is_same_choice = seen.requirement_id == DECLARED_OTHERWISE and seen.result.kind == sentence.result.kind
    return is_same_event or is_same_choice or known.fails_sentence(seen.requirement_id, sentence)


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
