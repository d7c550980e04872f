"""The transcript loop as a sans-I/O state machine (S2): its canonical state is the history, entry by entry.

As in `react_tck.reference.loop`, `advance` takes what came of the state's action and gives the next state, and a
state survives a trip through JSON.
"""

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from react_tck.model.base import JsonObject, Value
from react_tck.reference.loop import Approved, AwaitResponse, Declined, OutOfTurn, Step
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
    amended,
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


Action = Annotated[AskTurn | RunCall | AwaitResponse | AskAnswer | AskSummary | Done, Field(discriminator="kind")]


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


Event = (
    TurnChosen
    | TurnMalformed
    | CallReturned
    | CallFailed
    | Approved
    | Declined
    | Committed
    | Answered
    | DoesNotFit
    | Summarised
)


class State(Value):
    """Where an episode stands. `history` is what the LM reads; `taken` this call's part of it, never summarised."""

    tools: tuple[str, ...]
    max_steps: int
    inputs: JsonObject
    history: Entries
    #: The tools that don't run before a person has responded.
    awaited: tuple[str, ...] = ()
    taken: Entries = ()
    #: The calls of the turn that nothing has come of yet; while one waits, it is the first of them.
    pending: tuple[Call, ...] = ()
    outputs: JsonObject | None = None
    action: Action


def start(
    tools: tuple[str, ...],
    max_steps: int,
    inputs: JsonObject,
    history: Entries = (),
    awaited: tuple[str, ...] = (),
) -> State:
    """The first state of an episode that continues a history; with `max_steps` 0 it asks for the answer at once."""
    state = State(tools=tools, max_steps=max_steps, inputs=inputs, history=history, awaited=awaited, action=AskTurn())
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
        case AwaitResponse(), Approved(tool=tool, args=args):
            return _agreed(state, waiting(state).model_copy(update={"name": tool, "args": args}))
        case AwaitResponse(), Declined(observation=observation):
            return _next_call(_observed(_taken_up(state), waiting(state), observation))
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


def waiting(state: State) -> Call:
    """The call that waits for a person's response."""
    return state.pending[0]


def turns_of(entries: Entries) -> int:
    """How many turns the assistant has had in these entries, unreadable ones included."""
    return sum(isinstance(entry, Turn | Remark) for entry in entries)


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
    call = state.pending[0]
    if call.name in state.awaited:
        return _to(state, AwaitResponse(thought=_thought(state), tool=call.name, args=call.args))
    state = _taken_up(state)
    if call.name in (*state.tools, SUBMIT):
        return _to(state, RunCall(call=call))
    reason = f"Error: there is no tool {call.name!r}. The tools are: {', '.join((*state.tools, SUBMIT))}."
    return _next_call(_observed(state, call, reason, is_error=True))


def _agreed(state: State, call: Call) -> State:
    """The call runs as the person has it; so that its result belongs to it, the turn has it so as well."""
    entries = {"history": amended(state.history, call), "taken": amended(state.taken, call)}
    return _to(_taken_up(state.model_copy(update=entries)), RunCall(call=call))


def _taken_up(state: State) -> State:
    return state.model_copy(update={"pending": state.pending[1:]})


def _thought(state: State) -> str:
    """Of the turn whose calls are pending."""
    return next(entry.thought for entry in reversed(state.taken) if isinstance(entry, Turn))


def _turn_over(state: State) -> State:
    return _next_turn(state) if state.outputs is None else _done(state, "submit")


def _done(state: State, termination: Literal["submit", "extract"]) -> State:
    """However the outputs came, the history ends in one shape (TRN-004, TRN-006)."""
    assert state.outputs is not None
    return _to(_with(state, Answer(outputs=state.outputs)), Done(termination=termination))


def _next_turn(state: State) -> State:
    return _to(state, AskTurn() if turns_of(state.taken) < state.max_steps else AskAnswer())


def _observed(state: State, call: Call, value: JsonValue, *, is_error: bool = False) -> State:
    return _with(state, Observation(tool_call_id=call.id, name=call.name, value=value, is_error=is_error))


def _with(state: State, entry: Entry) -> State:
    return state.model_copy(update={"history": (*state.history, entry), "taken": (*state.taken, entry)})


def _to(state: State, action: Action) -> State:
    return state.model_copy(update={"action": action})
