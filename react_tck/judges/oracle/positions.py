"""Where a call may stand: the sans-I/O loop's own state, and why what is due there is due."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from react_tck.model.record import ToolRan
from react_tck.reference import loop
from react_tck.reference.loop.entries import turns_of

#: Why something is due: what has settled it.
Reason = Literal[
    "begun",
    "called",
    "called together",
    "called in one reply",
    "tool ran",
    "tool raised",
    "interrupted",
    "steps ran out",
    "finished",
    "finished too early",
    "submitted",
    "submit refused",
    "answered",
    "answer unreadable",
    "final step unreadable",
    "over",
    "to be confirmed",
    "asks the user",
    "approved",
    "approved call ran",
    "edited call ran",
    "edited",
    "replaced",
    "declined",
    "fed back",
    "clarified",
    "refused",
    "retry owed",
    "recovered",
    "unknown-tool",
    "finish is no tool",
    "malformed-args",
    "args no object",
    "no args",
    "schema-mismatch",
    "malformed-reply",
    "field of another type",
    "lm-fault",
    "lm-fault for good",
    "did not fit",
    "no text",
    "bound reached",
]

#: What a person's response has settled, for the whole rest of the turn.
RESPONSES: frozenset[Reason] = frozenset(
    {"approved", "approved call ran", "edited", "replaced", "declined", "fed back", "clarified"}
)

#: Whether the call goes on, waits for a person, may ask once more for the turn that a person has responded to, may do
#: nothing but ask once more for the turn, has to refuse what the person said, or is over.
Stage = Literal["running", "suspended", "repeating", "retrying", "refusing", "over"]


@dataclass(frozen=True)
class Position:
    """The loop's state, how often the turn may still be asked for again, and why what is due is due."""

    state: loop.State
    retries: int
    reason: Reason = "begun"
    stage: Stage = "running"
    #: Where a refused response leaves the call.
    left: Stage = "over"
    #: Of steps that have run out, what became of the last one.
    last_step: Reason = "begun"

    @property
    def action(self) -> loop.Action:
        """What is due in the loop; nothing of it while the call isn't running."""
        return self.state.action

    @property
    def may_not_be_repeated(self) -> bool:
        """Whether nobody may ask again for the turn: nothing mends the fault, or a person has responded to its call."""
        return self.reason == "lm-fault for good" or (self.is_running and self.reason in RESPONSES)

    @property
    def is_running(self) -> bool:
        """Whether what is due is the loop's next action."""
        return self.stage == "running"

    def is_due(self, *actions: type[Any]) -> bool:
        """Tell whether one of these is due."""
        return self.is_running and isinstance(self.action, actions)

    def find_reason_after(self, run: ToolRan) -> Reason:
        """Why what is due after a run is due: behind a call that a person agreed to or edited, the loop continues."""
        if run.error is not None:
            return "tool raised"
        by_response: dict[Reason, Reason] = {"approved": "approved call ran", "edited": "edited call ran"}
        return by_response.get(self.reason, "tool ran")

    def drop_call(self, call: loop.Call) -> "Position":
        """Return the position without one of the turn's outstanding calls."""
        return self.update_state(pending=tuple(each for each in self.state.pending if each is not call))

    def update_state(self, **update: Any) -> "Position":
        """Return the position with another state, in which these differ."""
        return replace(self, state=self.state.model_copy(update=update))


def find_reason(state: loop.State, reason: Reason, clarification: str) -> Reason:
    """Why the state's action is due after this: steps that have run out are the reason whatever the last one was."""
    match state.action:
        case loop.AwaitResponse(call=call):
            return "asks the user" if call.name == clarification else "to be confirmed"
        case loop.RunTool() if reason not in RESPONSES:
            return find_call_reason(state)
        case loop.AskExtraction() if not state.finished and turns_of(state.taken) >= state.max_steps:
            return "steps ran out"
        case loop.AskExtraction() if state.finished:
            return "finished"
    return reason


def find_call_reason(state: loop.State) -> Reason:
    """Return why the calls of the latest turn are due: the LM made one, or several."""
    together: Reason = "called together" if state.ending == "submit" else "called in one reply"
    return together if _count_turn_calls(state) > 1 else "called"


def _count_turn_calls(state: loop.State) -> int:
    turns = (len(entry.tool_calls) for entry in reversed(state.taken) if isinstance(entry, loop.AssistantTurn))
    return next(turns, 0)


def end_with_error(position: Position, reason: Reason | None = None) -> Position:
    """Return the position in which the call ends with an error."""
    return replace(position.update_state(action=loop.End(error="")), reason=reason or position.reason)


def end_with_answer(position: Position, reason: Reason = "answered") -> Position:
    """Return the position in which the call ends with an answer."""
    return replace(position.update_state(action=loop.End()), reason=reason)


def refuse_response(position: Position) -> Position:
    """Refuse a person's response that isn't one to this call, which stays where it was (CNF-012)."""
    return replace(position, stage="refusing", left=position.stage, reason="refused")


def drop_duplicates(positions: Iterable[Position]) -> tuple[Position, ...]:
    """Return the positions, each once: what the observations were makes no difference."""
    all_ = tuple(positions)
    return tuple({_build_key(position): position for position in all_}.values()) if len(all_) > 1 else all_


def _build_key(position: Position) -> tuple[object, ...]:
    state = position.state
    calls = tuple(call.model_dump_json() for call in state.pending)
    due = (turns_of(state.taken), state.finished, state.action.model_dump_json(exclude={"entries"}), calls)
    return (*due, position.retries, position.reason, position.stage, position.left, position.last_step)
