"""Source 000's claim, checked: the same conversation of two turns, by each implementation that can have it."""

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.prefix import Reuse, reuses, together
from react_tck.fakes.toolbox import TOOLBOX
from react_tck.model.base import JsonObject
from react_tck.model.case import Case, Invocation, Options, System
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Intent, Script
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Outcome
from react_tck.model.signature import parse_arrow
from react_tck.model.tool import Returns
from react_tck.runner.session import Session
from react_tck.subjects.catalogue import UnknownSubject, resolve

#: What is measured: a name for it, the subject, and which of its systems.
IMPLEMENTATIONS: tuple[tuple[str, str, System | None], ...] = (
    ("reference", "reference", None),
    ("reference, conversation", "reference", "conversation"),
    ("dspy.ReAct", "dspy", None),
    ("udspy.ReAct", "udspy", None),
    ("ReActMachina", "machina", None),
)
_STEPS = 4
_QUESTIONS = ("Which of the archive's towns had a harbour?", "And which of these had a market as well?")
_ANSWER = "Ostia, Puteoli and Portus; the records of the others are lost."
_FOUND = "The entry is damaged; what can be read names a harbour, two granaries and a street of traders. "


@dataclass(frozen=True)
class Row:
    """What was measured of one implementation; None for a second turn that it can't have."""

    name: str
    requests: int
    first_turn: Reuse
    second_turn: Reuse | None


def rows() -> Iterator[Row | str]:
    """A row for each implementation, or why there is none."""
    for name, subject_name, system in IMPLEMENTATIONS:
        try:
            yield _row(name, subject_name, system)
        except UnknownSubject as error:
            yield f"{name}: {error}"


def _row(name: str, subject_name: str, system: System | None) -> Row:
    subject = resolve(subject_name)
    manifest = subject.initialize()
    has_history = "history" in manifest.capabilities
    session = Session(subject, _episode(system, has_history))
    first = session.call(Invocation(inputs={"question": _QUESTIONS[0]}, history=() if has_history else None))
    if has_history:
        session.call(Invocation(inputs={"question": _QUESTIONS[1]}, history=_history(first, manifest)))
    asked = session.record().requests
    measured = reuses([each.request for each in asked])
    turns = [[r for each, r in zip(asked[1:], measured, strict=True) if each.invocation == n] for n in (0, 1)]
    return Row(name, len(asked), together(turns[0]), together(turns[1]) if has_history else None)


def _history(first: Outcome, manifest: Manifest) -> tuple[JsonObject, ...]:
    """What the first turn gave back to be given again; else the turn itself, as core has it (S4+)."""
    if "conversation" in manifest.capabilities and isinstance(first.history, list):
        return tuple(entry for entry in first.history if isinstance(entry, dict))
    return ({"question": _QUESTIONS[0], **first.outputs},)


def _episode(system: System | None, has_history: bool) -> Episode:
    steps: list[Intent] = [
        CallTool(tool="search", args={"query": f"town {number}"}, thought=f"Town {number} is next.")
        for number in range(_STEPS)
    ]
    turn = (*steps, Finish(thought="All towns are looked up."))
    answer = Answer(outputs={"answer": _ANSWER}, reasoning="The entries say so.")
    case = Case(
        id="caching",
        signature=parse_arrow("question, history: dspy.History -> answer" if has_history else "question -> answer"),
        tools=(TOOLBOX["search"], TOOLBOX["add"]),
        options=Options(system=system),
    )
    script = Script(steps=(*turn, *turn), answers=(answer, answer))
    behaviours = {"search": tuple(Returns(value=f"{number}: {_FOUND * 3}") for number in range(2 * _STEPS))}
    return Episode(case=case, script=script, behaviours=behaviours, nonce="caching")
