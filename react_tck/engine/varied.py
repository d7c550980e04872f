"""Rows under a variation: which of them are left out, and where a play parts from that without the variation."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from react_tck.model.record import Record
from react_tck.play.session import play_episode
from react_tck.record.course import describe_deed
from react_tck.steps.world import World
from react_tck.subjects.api import HarnessBroken, Subject

#: What a paragraph begins with that tells of a difference.
VARIED = "varied: "
_WIDTH = 52
#: Events shown before the first that differs, and after it.
_BEFORE, _AFTER = 4, 2


def describe_difference(subject: Subject, world: World) -> str:
    """What variations change, and the first event that is another one where the row is played without; else nothing."""
    if world.variation is None:
        return ""
    told = f"{VARIED}{world.variation.sentence} Without that the row passes."
    for episode, record in world.list_unvaried():
        try:
            without = play_episode(subject, episode, is_watched=False)
        except HarnessBroken as error:
            return f"{told}\nPlayed once more without it, the harness broke: {error}"
        if lines := list(_draw_parting(_list_deeds(without), _list_deeds(record))):
            return "\n".join([told, f"   {'without':<{_WIDTH}} with", *lines])
    return f"{told}\nThe agent does the same as without it."


def _list_deeds(record: Record) -> list[str]:
    return [describe_deed(event) for event in record.events]


def _draw_parting(without: Iterable[str], varied: Iterable[str]) -> Iterator[str]:
    pairs = list(zip_longest(without, varied, fillvalue="nothing"))
    at = next((number for number, (one, other) in enumerate(pairs) if one != other), None)
    if at is None:
        return
    for number in range(max(0, at - _BEFORE), min(len(pairs), at + _AFTER + 1)):
        one, other = map(_cut_text, pairs[number])
        yield f"{'>>' if number == at else '  '} {one:<{_WIDTH}} {other}"


def _cut_text(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"
