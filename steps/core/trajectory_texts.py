"""A trajectory that is a text, read step by step."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from react_tck.dialects.markup import as_text
from react_tck.judges.verdict import check
from react_tck.model.intent import CallTool
from react_tck.model.outcome import PARTS
from react_tck.model.record import ToolRan
from react_tck.record.places import Part, find_places
from react_tck.record.visibility import hides_value, names_whole_word


@dataclass(frozen=True)
class TakenStep:
    """A step that was really taken: the call the LM asked for, and the tool's run if it ran."""

    number: int
    call: CallTool
    run: ToolRan | None
    #: Not so where JSON can't hold the result, nor where the agent tells of an error in words of its own (ERR-007).
    is_known: bool

    @property
    def observation(self) -> JsonValue:
        """What the tool returned or said; None if that can't be told, or is nothing."""
        return self.run.observation if self.run and self.is_known else None


def text_holds(text: str, taken: Sequence[TakenStep], parts: Collection[str] = tuple(PARTS)) -> None:
    """These parts of each step, in the stretch from its thought to the next one's.

    Raises:
        Violation: if one isn't there.
    """
    #: Where each step begins, and whether its thought is there to say so.
    starts: list[tuple[int, bool]] = []
    behind = 0
    for step in taken:
        thought = step.call.thought
        at = text.find(thought, behind)
        check(at >= 0 or "thought" not in parts, f"the thought {thought!r}, after those before it", "it is not there")
        starts.append((max(at, behind), at >= 0 and bool(thought)))
        behind = at + len(thought) if at >= 0 else behind
    for number, (step, (start, is_exact)) in enumerate(zip(taken, starts, strict=True), 1):
        end, is_known = starts[number] if number < len(taken) else (len(text), True)
        _check_stretch(text[start : end if is_known else len(text)], step, parts, is_exact=is_exact)


def text_tells_once(text: str, taken: Sequence[TakenStep]) -> None:
    """Each thought at most as often as there are steps that have it.

    Raises:
        Violation: if one is told more often.
    """
    thoughts = [step.call.thought for step in taken]
    for thought in filter(None, thoughts):
        wanted, count = sum(other.count(thought) for other in thoughts), text.count(thought)
        times = f"{wanted} times" if wanted > 1 else "once"
        check(count <= wanted, f"the trajectory has the thought {thought!r} {times}", f"it has it {count} times")


def text_names_only(text: str, others: set[str]) -> None:
    """None of these tools, which were never chosen.

    Raises:
        Violation: if one is named.
    """
    for name in sorted(others):
        expected = f"the trajectory doesn't name {name!r}, which was never chosen"
        check(not names_whole_word(text, name), expected, f"it is {cut_text(text)}")


def cut_text(text: str) -> str:
    """Its beginning and its end, if it is long."""
    return text if len(text) <= 300 else f"{text[:140]} ... {text[-140:]} ({len(text)} characters)"


def _check_stretch(stretch: str, step: TakenStep, parts: Collection[str], *, is_exact: bool) -> None:
    where = f"the trajectory after the thought of step {step.number}"
    if "tool" in parts:
        _check_shown(where, stretch, step.call.tool)
    if "args" in parts:
        _check_part(where, stretch, "args" if is_exact else None, step.call.args, step.call.tool)
    if "observation" in parts and step.run and step.is_known:
        is_exact = is_exact and step.run.error is None
        _check_part(where, stretch, "observation" if is_exact else None, step.observation, step.call.tool)


def _check_part(where: str, stretch: str, part: Part | None, value: JsonValue, tool: str) -> None:
    """In its place, where the text is of a form that has one."""
    place = next(iter(find_places(stretch, part)), None) if part else None
    if place is None:
        _check_shown(where, stretch, value)
        return
    expected = f"{where} has the {part} {cut_text(as_text(value))}"
    check(place.has_value(value, tool), expected, f"it is {cut_text(stretch)}")


def _check_shown(where: str, stretch: str, value: JsonValue) -> None:
    check(not hides_value(stretch, value), f"{where} shows {value!r}", f"it is {cut_text(stretch)}")
