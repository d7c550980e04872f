"""How a record departs from what is due, and which requirement said what was due then."""

from collections.abc import Mapping, Sequence
from typing import Literal

from react_tck.judges.oracle.positions import Position, Reason, find_call_reason
from react_tck.model.intent import Fault
from react_tck.model.record import Asked, Event, Returned, ToolRan
from react_tck.model.requirement import DECLARED_OTHERWISE
from react_tck.reference import loop

#: How a record departs from what is due; `Violation.kind` and the report say it, and ARCHITECTURE.md explains it.
Kind = Literal[
    "goes on too long",
    "ends too early",
    "asks for the answer too early",
    "asks again unasked",
    "doesn't ask again",
    "leaves out a call",
    "runs another call",
    "runs a call again",
    "runs with other args",
    "doesn't wait",
    "waits unasked",
    "answers otherwise",
    "fails instead of answering",
    "answers instead of failing",
]

#: Who said how many steps a call may take.
Limit = Literal["call", "construction", "default"]

#: The requirement that said what was due: by why it was due, and then by how the record departs from it, where that is
#: a requirement of its own. "" is the scenario's own: nothing but the call itself was due to happen.
BLAME: Mapping[Reason, Mapping[Kind | Literal["else"], str]] = {
    "begun": {"else": "", "asks for the answer too early": "LOOP-006", "runs another call": "SAN-001"},
    # A step.
    "called": {
        "else": "SAN-003",
        "runs with other args": "SAN-002",
        "runs another call": "LOOP-005",
        "asks again unasked": "LOOP-006",
        "waits unasked": "CNF-001",
    },
    "called together": {
        "else": "TRN-013",
        "runs with other args": "SAN-002",
        "waits unasked": "CNF-001",
        "doesn't wait": "CNF-001",
    },
    "called in one reply": {
        "else": "TOOL-007",
        "runs with other args": "SAN-002",
        "waits unasked": "CNF-001",
        "doesn't wait": "CNF-001",
    },
    "tool ran": {
        "else": "LOOP-004",
        "runs another call": "SAN-001",
        "ends too early": "TOOL-003",
        "asks again unasked": "LOOP-006",
    },
    "tool raised": {"else": "ERR-007", "runs another call": "SAN-001"},
    "interrupted": {"else": "ERR-015"},
    # The end.
    "steps ran out": {"else": "LOOP-004"},
    "finished": {
        "else": "LOOP-003",
        "runs another call": "SAN-001",
        "runs a call again": "SAN-001",
        "ends too early": "EXT-001",
    },
    "finished too early": {"else": "CNV-005", "asks again unasked": "ERR-019"},
    "submitted": {
        "else": "TRN-003",
        "answers otherwise": "SAN-007",
        "runs another call": "TRN-015",
        "runs a call again": "TRN-015",
    },
    "submit refused": {"else": "TRN-005"},
    "answered": {
        "else": "EXT-003",
        "answers otherwise": "SAN-007",
        "fails instead of answering": "EXT-002",
        "runs another call": "SAN-001",
        "runs a call again": "SAN-003",
    },
    "answer unreadable": {"else": "ERR-011", "asks again unasked": "ERR-019", "goes on too long": "ERR-019"},
    # ERR-011 is about replies to an extraction; an answer that is said as a step is a malformed reply like others.
    "final step unreadable": {
        "else": "ERR-019",
        "runs another call": "ERR-005",
        "runs a call again": "ERR-005",
        "answers instead of failing": "SAN-007",
    },
    "over": {"else": "SAN-006"},
    # A person.
    "to be confirmed": {"else": "CNF-001"},
    "asks the user": {"else": "CNF-011"},
    "approved": {"else": "CNF-003", "runs a call again": "CNF-009"},
    "approved call ran": {"else": "CNF-003"},
    "edited call ran": {
        "else": "LOOP-004",
        "asks for the answer too early": "CNF-003",
        "runs another call": "SAN-001",
        "ends too early": "CNF-003",
        "asks again unasked": "LOOP-006",
    },
    "edited": {"else": "CNF-006", "runs a call again": "CNF-009"},
    "replaced": {"else": "CNF-013", "runs a call again": "CNF-009"},
    "declined": {"else": "CNF-004", "runs a call again": "CNF-009"},
    "fed back": {"else": "CNF-005", "runs a call again": "CNF-009"},
    "clarified": {"else": "CNF-011", "runs a call again": "CNF-009"},
    "refused": {"else": "CNF-012"},
    # What goes wrong.
    "retry owed": {
        "else": "ERR-006",
        "asks again unasked": "ERR-019",
        "runs another call": "ERR-005",
        "runs a call again": "ERR-005",
    },
    "recovered": {"else": "ERR-006"},
    # What becomes of a name that no tool has is a choice; ERR-001 says only that no tool runs.
    "unknown-tool": {
        "else": DECLARED_OTHERWISE,
        "runs another call": "ERR-001",
        "runs a call again": "ERR-001",
        "asks again unasked": "ERR-019",
        "answers instead of failing": "SAN-007",
        "waits unasked": "CNF-001",
    },
    "malformed-args": {
        "else": "ERR-021",
        "asks again unasked": "ERR-019",
        "runs another call": "ERR-002",
        "runs a call again": "ERR-002",
        "runs with other args": "ERR-010",
    },
    "finish is no tool": {"else": "TRN-002", "asks again unasked": "ERR-019"},
    "args no object": {"else": "ERR-003", "asks again unasked": "ERR-019"},
    "no args": {"else": "ERR-003", "asks again unasked": "ERR-019"},
    "schema-mismatch": {"else": "ERR-004", "asks again unasked": "ERR-019"},
    "malformed-reply": {
        "else": "ERR-019",
        "asks again unasked": "ERR-019",
        "runs another call": "ERR-005",
        "runs a call again": "ERR-005",
        "runs with other args": "ERR-005",
    },
    "field of another type": {"else": "ERR-016", "asks again unasked": "ERR-019"},
    "lm-fault": {"else": "ERR-012", "runs a call again": "ERR-025"},
    "lm-fault for good": {"else": "ERR-012", "asks again unasked": "ERR-026", "runs a call again": "ERR-025"},
    "did not fit": {"else": "CTX-002"},
    "no text": {"else": "ERR-017"},
    "bound reached": {"else": "ERR-008"},
}
#: Who says how many steps there are, where the answer is asked for before they have run out.
_EARLY: Mapping[Limit, str] = {"call": "LOOP-009", "construction": "LOOP-004", "default": "EXT-003"}
#: What a record makes of a step itself, the last one too; anything else comes after it.
_OF_THE_STEP: frozenset[Kind] = frozenset(
    {"runs another call", "runs a call again", "runs with other args", "asks again unasked"}
)
#: Who is blamed before the others where several reasons hold: the limit; a fault, rather than the call or the answer
#: that may be read in it all the same.
_LAST: frozenset[Reason] = frozenset({"called", "called together", "called in one reply", "answered"})
#: What may be due behind a run, where nobody has responded: that it runs once, what asked for it says.
_AFTER_A_RUN: frozenset[Reason] = frozenset({"tool ran", "tool raised", "edited call ran", "to be confirmed"})


def find_blamed_requirement(positions: Sequence[Position], kind: Kind, agreed: Sequence[Event], limit: Limit) -> str:
    """Return the id of the requirement that said what was due."""
    reason = _pick_reason(positions, kind)
    if kind == "runs a call again":
        of_the_call = find_call_reason(positions[0].state) if reason in _AFTER_A_RUN else reason
        reason = _find_repeat_reason(agreed) or of_the_call
    if kind == "asks for the answer too early" and reason == "tool ran":
        return _EARLY[limit]
    return BLAME[reason].get(kind, BLAME[reason]["else"])


def _pick_reason(positions: Sequence[Position], kind: Kind) -> Reason:
    if all(position.stage == "over" for position in positions):
        return "over"
    reasons = [position.reason for position in positions]
    if kind == "answers otherwise" and "answered" in reasons:
        return "answered"
    if "steps ran out" in reasons:
        if kind not in _OF_THE_STEP:
            return "steps ran out"
        reasons = [each.last_step if each.reason == "steps ran out" else each.reason for each in positions]
    return next((reason for reason in reasons if reason not in _LAST), reasons[0])


def _find_repeat_reason(agreed: Sequence[Event]) -> Reason | None:
    """Return why a turn had to be asked for again, in which a call runs again; None if it hadn't."""
    before = [event for event in agreed if not isinstance(event, ToolRan)]
    match before[-2:]:
        case [Asked(intent=Fault()), Asked()]:
            return "lm-fault"
        case [Asked(), Asked(attempt=attempt)] if attempt > 0:
            return "recovered"
    return None


def classify_departure(positions: Sequence[Position], event: Event, agreed: Sequence[Event]) -> Kind:
    """Return how the event departs from what is due at the positions."""
    due = [position for position in positions if position.stage != "repeating"] or positions
    is_again = isinstance(event, Asked) and event.attempt > 0
    if (
        all(position.reason == "retry owed" for position in due)
        and isinstance(event, Asked | Returned)
        and not is_again
    ):
        return "doesn't ask again"
    match event:
        case Asked():
            return _classify_request(due, event)
        case ToolRan():
            return _classify_run(due, event, agreed)
        case Returned(outcome=outcome) if outcome.status == "suspended":
            return "waits unasked"
        case Returned(outcome=outcome):
            return _classify_end(due, is_ok=outcome.status == "ok")
    raise AssertionError(f"{event.kind} is nothing that a loop does")


def _classify_request(positions: Sequence[Position], asked: Asked) -> Kind:
    if asked.attempt > 0:
        return "asks again unasked"
    if _are_all_due(positions, loop.RunTool):
        return "leaves out a call"
    if _are_all_due(positions, loop.AwaitResponse):
        return "doesn't wait"
    wants_answer = asked.ask is not None and asked.ask.phase == "extraction"
    steps_due = (position.is_due(loop.AskStep) or position.stage == "retrying" for position in positions)
    is_early = wants_answer and any(steps_due)
    return "asks for the answer too early" if is_early else "goes on too long"


def _classify_run(positions: Sequence[Position], run: ToolRan, agreed: Sequence[Event]) -> Kind:
    due = [position.action for position in positions if position.is_due(loop.RunTool, loop.AwaitResponse)]
    if any(isinstance(action, loop.AwaitResponse) and action.call.name == run.tool for action in due):
        return "doesn't wait"
    if any(_is_to_wait(position, run) for position in positions):
        return "doesn't wait"
    asked = max((number for number, event in enumerate(agreed) if isinstance(event, Asked)), default=0)
    is_due = any(isinstance(action, loop.RunTool) and action.call.name == run.tool for action in due)
    if is_due and not _has_run(run, agreed[asked:]):
        return "runs with other args"
    return "runs a call again" if _has_run(run, agreed) else "runs another call"


def _is_to_wait(position: Position, run: ToolRan) -> bool:
    """Tell whether the run is of a call that waits behind others of its turn."""
    state = position.state
    is_pending = position.is_due(loop.RunTool) and any(call.name == run.tool for call in state.pending)
    return is_pending and run.tool in state.awaited


def _has_run(run: ToolRan, events: Sequence[Event]) -> bool:
    return any(isinstance(event, ToolRan) and (event.tool, event.args) == (run.tool, run.args) for event in events)


def _classify_end(positions: Sequence[Position], *, is_ok: bool) -> Kind:
    ends = [position.action for position in positions if position.is_due(loop.End)]
    if any(isinstance(end, loop.End) and end.error is None for end in ends):
        return "answers otherwise" if is_ok else "fails instead of answering"
    if is_ok and (ends or any(position.stage == "refusing" for position in positions)):
        return "answers instead of failing"
    if _are_all_due(positions, loop.RunTool):
        return "leaves out a call"
    return "doesn't wait" if _are_all_due(positions, loop.AwaitResponse) else "ends too early"


def _are_all_due(positions: Sequence[Position], action: type[loop.RunTool] | type[loop.AwaitResponse]) -> bool:
    return all(position.is_due(action) for position in positions)
