"""Source 000's claim, checked: the same conversation of two turns, by each implementation that can have it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from benchmarks.prefix import Reuse, reuses, together
from react_tck.fakes.toolbox import TOOLBOX
from react_tck.model.base import JsonObject
from react_tck.model.case import Case, Invocation, Options, System
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Intent, Script, Submit
from react_tck.model.outcome import Outcome
from react_tck.model.signature import parse_arrow
from react_tck.model.tool import Returns
from react_tck.play.session import Session
from react_tck.subjects.catalogue import UnknownSubject, resolve


class Implementation(NamedTuple):
    """What is measured: a name for it, the subject, which of its systems, and whether its loop ends with `submit`."""

    name: str
    subject: str
    system: System | None = None
    submits: bool = False


IMPLEMENTATIONS = (
    Implementation("reference", "reference"),
    Implementation("reference, conversation", "reference-conversation", "conversation"),
    Implementation("reference, transcript", "reference-transcript", "transcript", submits=True),
    Implementation("dspy.ReAct", "dspy"),
    Implementation("dspy.ReActV2", "dspy-v2", submits=True),
    Implementation("udspy.ReAct", "udspy"),
    Implementation("ReActMachina", "machina"),
)
_STEPS = 4
_QUESTIONS = ("Which of the archive's towns had a harbour?", "And which of these had a market as well?")
_ANSWER = "Ostia, Puteoli and Portus; the records of the others are lost."
_FOUND = "The entry is damaged; what can be read names a harbour, two granaries and a street of traders. "


@dataclass(frozen=True)
class Row:
    """What was measured of one implementation; None for a second turn that it can't have."""

    name: str
    first_turn: Reuse
    second_turn: Reuse | None


def rows() -> Iterator[Row | str]:
    """A row for each implementation, or why there is none."""
    for implementation in IMPLEMENTATIONS:
        try:
            yield _row(implementation)
        except UnknownSubject as error:
            yield f"{implementation.name}: {error}"


def _row(implementation: Implementation) -> Row:
    subject = resolve(implementation.subject)
    has_history = not implementation.submits and "history" in subject.initialize().capabilities
    session = Session(subject, _episode(implementation, has_history))
    first = session.call(Invocation(inputs={"question": _QUESTIONS[0]}, history=() if has_history else None))
    how: dict[str, Any] = {"history": _history(first)} if has_history else {"follows": 0}
    goes_on = has_history or implementation.submits
    if goes_on:
        session.call(Invocation(inputs={"question": _QUESTIONS[1]}, **how))
    asked = session.record().requests
    measured = reuses([each.request for each in asked])
    turns = [[r for each, r in zip(asked[1:], measured, strict=True) if each.invocation == n] for n in (0, 1)]
    return Row(implementation.name, together(turns[0]), together(turns[1]) if goes_on else None)


def _history(first: Outcome) -> tuple[JsonObject, ...]:
    """What the first turn gave back to be given again; else the turn itself, as core has it (S4+)."""
    if isinstance(first.history, list):
        return tuple(entry for entry in first.history if isinstance(entry, dict))
    return ({"question": _QUESTIONS[0], **first.outputs},)


def _episode(implementation: Implementation, has_history: bool) -> Episode:
    steps: list[Intent] = [
        CallTool(tool="search", args={"query": f"town {number}"}, thought=f"Town {number} is next.")
        for number in range(_STEPS)
    ]
    end: Intent = Finish(thought="All towns are looked up.")
    if implementation.submits:
        end = Submit(outputs={"answer": _ANSWER}, thought="All towns are looked up.")
    turn = (*steps, end)
    answer = Answer(outputs={"answer": _ANSWER}, reasoning="The entries say so.")
    case = Case(
        id="caching",
        signature=parse_arrow("question, history: dspy.History -> answer" if has_history else "question -> answer"),
        tools=(TOOLBOX["search"], TOOLBOX["add"]),
        options=Options(system=implementation.system),
    )
    script = Script(steps=(*turn, *turn), answers=(answer, answer))
    behaviours = {"search": tuple(Returns(value=f"{number}: {_FOUND * 3}") for number in range(2 * _STEPS))}
    return Episode(case=case, script=script, behaviours=behaviours, nonce="caching")
