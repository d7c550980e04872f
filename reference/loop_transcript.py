"""The transcript loop as a sans-I/O state machine (S2): its canonical state is the history, entry by entry.

As in `react_tck.reference.loop`, `advance` takes what came of the state's action and gives the next state, and a
state survives a trip through JSON.
"""

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from react_tck.model.base import JsonObject, Value
from react_tck.reference.loop import OutOfTurn, Step
from react_tck.reference.loop_compaction import cut, joined
from react_tck.reference.loop_entries import (
    Answer,
    Call,
    Entries,
    Entry,
    Observation,
    Remark,
    Request,
    Turn,
    numbered,
)

SUBMIT = "submit"
SUBMITTED = "Submitted."


class AskTurn(Value):
    """Ask for the next turn: a thought and tool calls."""

    kind: Literal["ask-turn"] = "ask-turn"


class RunCall(Value):
    """Run this tool call; that of `submit` is a check of the outputs (TRN-005)."""

    kind: Literal["run-call"] = "run-call"
    call: Call


class AskAnswer(Value):
    """Ask for the outputs, because they were not submitted (TRN-006)."""

    kind: Literal["ask-answer"] = "ask-answer"


class AskSummary(Value):
    """Ask for a summary of these entries, then do again what didn't fit (TRN-014)."""

    kind: Literal["ask-summary"] = "ask-summary"
    entries: Entries
    then: Annotated[AskTurn | AskAnswer, Field(discriminator="kind")]


class Done(Value):
    """The episode is over: its history ends with the answer."""

    kind: Literal["done"] = "done"
    termination: Literal["submit", "extract"]


Action = Annotated[AskTurn | RunCall | AskAnswer | AskSummary | Done, Field(discriminator="kind")]


class TurnChosen(Value):
    """The assistant thought this and called these tools, one at least."""

    thought: str
    calls: Annotated[tuple[Call, ...], Field(min_length=1)]


class TurnMalformed(Value):
    """The assistant's reply couldn't be read, for this reason."""

    reason: str


class CallReturned(Value):
    """The tool returned; `value` is its result as JSON."""

    value: JsonValue


class CallFailed(Value):
    """The tool raised, or its args were refused, for this reason."""

    reason: str


class Committed(Value):
    """The outputs submitted are those of the signature."""

    outputs: JsonObject


class Answered(Value):
    """The fallback gave the outputs."""

    outputs: JsonObject


class DoesNotFit(Value):
    """The history is too long for the LM."""


class Summarised(Value):
    """The summary that was asked for."""

    text: str


Event = TurnChosen | TurnMalformed | CallReturned | CallFailed | Committed | Answered | DoesNotFit | Summarised


class State(Value):
    """Where an episode stands. `history` is what the LM reads; `taken` this call's part of it, never summarised."""

    tools: tuple[str, ...]
    max_steps: int
    inputs: JsonObject
    history: Entries
    taken: Entries = ()
    pending: tuple[Call, ...] = ()
    outputs: JsonObject | None = None
    action: Action


def start(tools: tuple[str, ...], max_steps: int, inputs: JsonObject, history: Entries = ()) -> State:
    """The first state of an episode that continues a history; with `max_steps` 0 it asks for the answer at once."""
    state = State(tools=tools, max_steps=max_steps, inputs=inputs, history=history, action=AskTurn())
    return _next_turn(_with(state, Request(inputs=inputs)))


def advance(state: State, event: Event) -> State:
    """The state after an event.

    Raises:
        OutOfTurn: if the event doesn't answer the state's action.
    """
    match state.action, event:
        case AskTurn(), TurnChosen(thought=thought, calls=chosen):
            calls = numbered(chosen, state.history)
            state = _with(state, Turn(thought=thought, tool_calls=calls))
            return _next_call(state.model_copy(update={"pending": calls}))
        case AskTurn(), TurnMalformed(reason=reason):
            return _next_turn(_with(state, Remark(remark=f"The reply could not be read: {reason}")))
        case RunCall(call=call), CallReturned(value=value):
            return _next_call(_observed(state, call, value))
        case RunCall(call=call), CallFailed(reason=reason):
            return _next_call(_observed(state, call, f"Error executing {call.name}: {reason}", is_error=True))
        case RunCall(call=call), Committed(outputs=outputs):
            state = _observed(state, call, SUBMITTED)
            return _next_call(state.model_copy(update={"outputs": outputs}))
        case AskAnswer(), Answered(outputs=outputs):
            return _done(state.model_copy(update={"outputs": outputs}), "extract")
        case (AskTurn() | AskAnswer()) as asked, DoesNotFit() if parts := cut(state.history):
            return _to(state, AskSummary(entries=parts.summarised, then=asked))
        case AskSummary(then=then), Summarised(text=text) if parts := cut(state.history):
            return _to(state.model_copy(update={"history": joined(parts, text)}), then)
    raise OutOfTurn(f"{type(event).__name__} does not answer {type(state.action).__name__}")


def steps_of(entries: Entries) -> tuple[Step, ...]:
    """The steps in these entries, one a tool call, `submit` apart (TRN-007)."""
    results = {entry.tool_call_id: entry.value for entry in entries if isinstance(entry, Observation)}
    return tuple(
        Step(thought=turn.thought, tool=call.name, args=call.args, observation=results[call.id])
        for turn in entries
        if isinstance(turn, Turn)
        for call in turn.tool_calls
        if call.name != SUBMIT and call.id in results
    )


def _next_call(state: State) -> State:
    if not state.pending:
        return _turn_over(state)
    call, *later = state.pending
    state = state.model_copy(update={"pending": tuple(later)})
    if call.name in (*state.tools, SUBMIT):
        return _to(state, RunCall(call=call))
    reason = f"Error: there is no tool {call.name!r}. The tools are: {', '.join((*state.tools, SUBMIT))}."
    return _next_call(_observed(state, call, reason, is_error=True))


def _turn_over(state: State) -> State:
    return _next_turn(state) if state.outputs is None else _done(state, "submit")


def _done(state: State, termination: Literal["submit", "extract"]) -> State:
    """However the outputs came, the history ends in one shape (TRN-004, TRN-006)."""
    assert state.outputs is not None
    return _to(_with(state, Answer(outputs=state.outputs)), Done(termination=termination))


def _next_turn(state: State) -> State:
    turns = sum(isinstance(entry, Turn | Remark) for entry in state.taken)
    return _to(state, AskTurn() if turns < state.max_steps else AskAnswer())


def _observed(state: State, call: Call, value: JsonValue, *, is_error: bool = False) -> State:
    return _with(state, Observation(tool_call_id=call.id, name=call.name, value=value, is_error=is_error))


def _with(state: State, entry: Entry) -> State:
    return state.model_copy(update={"history": (*state.history, entry), "taken": (*state.taken, entry)})


def _to(state: State, action: Action) -> State:
    return state.model_copy(update={"action": action})
