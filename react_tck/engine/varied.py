"""Rows under variations: which of those a failure takes, and where the play parts from that without them."""

from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest

from react_tck.model.record import Record
from react_tck.model.report import Verdict
from react_tck.play.session import play_episode
from react_tck.record.course import describe_deed
from react_tck.results.ledger import Results
from react_tck.steps.world import World
from react_tck.subjects.api import HarnessBroken, Subject
from react_tck.variations.change import Combination

#: What a paragraph begins with that tells of a difference.
VARIED = "varied: "
_WIDTH = 52
#: Events shown before the first that differs, and after it.
_BEFORE, _AFTER = 4, 2


def list_failed(found: Results) -> frozenset[str]:
    """Return what a play shows to be broken, by requirement; a row that fails by its own sentence, that alone."""
    own = {id_ for id_, rows in found.scenarios.items() if any(row.verdict is Verdict.FAILED for row in rows)}
    return frozenset(own or {*found.violations, *found.departures})


def reduce_combination(combination: Combination, fails: Callable[[Combination], bool]) -> Combination:
    """Those of the few variations that a failure takes: one alone, or else those without any of which it is none."""
    for part in combination.parts:
        if fails(alone := Combination((part,))):
            return alone
    needed = combination
    for part in combination.parts:
        fewer = Combination(tuple(other for other in needed.parts if other is not part))
        if len(fewer.parts) > 1 and fails(fewer):
            needed = fewer
    return needed


def describe_difference(subject: Subject, world: World) -> str:
    """Return what variations change, and the first event that differs where the row is played without."""
    if world.variation is None:
        return ""
    names = [f"{{{part.name}}}" for part in world.variation.parts]
    without = names[0] if len(names) == 1 else f"one of {', '.join(names)}"
    told = f"{VARIED}{world.variation.sentence} Without {without} the row passes."
    for episode, record in world.list_unvaried():
        try:
            unvaried = play_episode(subject, episode, is_watched=False)
        except HarnessBroken as error:
            return f"{told}\nPlayed once more as it is, the harness broke: {error}"
        if lines := list(_draw_parting(_list_deeds(unvaried), _list_deeds(record))):
            return "\n".join([told, f"   {'as it is':<{_WIDTH}} varied", *lines])
    return f"{told}\nThe agent does the same as without it."


def _list_deeds(record: Record) -> list[str]:
    return [describe_deed(event) for event in record.events]


def _draw_parting(unvaried: Iterable[str], varied: Iterable[str]) -> Iterator[str]:
    pairs = list(zip_longest(unvaried, varied, fillvalue="nothing"))
    at = next((number for number, (one, other) in enumerate(pairs) if one != other), None)
    if at is None:
        return
    for number in range(max(0, at - _BEFORE), min(len(pairs), at + _AFTER + 1)):
        one, other = map(_cut_text, pairs[number])
        yield f"{'>>' if number == at else '  '} {one:<{_WIDTH}} {other}"


def _cut_text(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"
