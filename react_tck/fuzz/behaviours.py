"""How episodes went: as which positions and choices they reached; and how much of it hasn't been seen yet."""

from collections.abc import Iterable, Sequence

from react_tck.fuzz.shards import Behaviour
from react_tck.judges.choices.observers import observe_variants
from react_tck.judges.oracle.departures import list_reached_positions
from react_tck.record.evidence import Evidence


def collect_marks(evidence: Evidence) -> tuple[str, ...]:
    """Return the positions of the oracle that the episode reached, and the variants of choices that were seen in it."""
    positions = {label for scene in evidence.scenes for label in list_reached_positions(scene)}
    seen = observe_variants([(evidence.episode, evidence.record)])
    choices = {f"{name} = {variant}" for name, variants in seen.items() for variant in variants}
    return tuple(sorted(positions | choices))


class BehaviourMap:
    """The behaviours of a campaign, each once, in the order of their first examples."""

    def __init__(self) -> None:
        self._by_marks: dict[tuple[str, ...], Behaviour] = {}

    def add_behaviours(self, behaviours: Iterable[Behaviour]) -> None:
        """Those of a shard that comes after all there were."""
        for each in behaviours:
            known = self._by_marks.get(each.marks)
            count = known.count + each.count if known else each.count
            self._by_marks[each.marks] = (known or each).model_copy(update={"count": count})

    @property
    def behaviours(self) -> tuple[Behaviour, ...]:
        """All behaviours, in the order of their first examples."""
        return tuple(self._by_marks.values())


def choose_cover(behaviours: Sequence[Behaviour]) -> tuple[Behaviour, ...]:
    """Return the fewest behaviours, as far as greed finds them, that reach all that is reached; by example."""
    chosen: list[Behaviour] = []
    missing = {mark for behaviour in behaviours for mark in behaviour.marks}
    while missing:
        best = max(behaviours, key=lambda behaviour: (len(missing.intersection(behaviour.marks)), -behaviour.example))
        chosen.append(best)
        missing.difference_update(best.marks)
    return tuple(sorted(chosen, key=lambda behaviour: behaviour.example))
