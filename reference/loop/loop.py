"""The ReAct loop as a sans-I/O state machine: think, act, observe (S4 R2 to R4, S2).

A `State` says what is to be done next; `advance` takes what came of it and gives the next state. Nothing here asks
an LM, runs a tool or imports dspy, and a state survives a trip through JSON, so that a run can be continued anywhere.

    state = start(("add",), max_steps=5)
    while not isinstance(state.action, End):
        state = advance(state, perform(state.action))

The history of entries is the state; two parameters tell the systems apart: `ending`, how a run ends (by `finish` or by
a `submit` of the outputs), and `fitting`, what is done when a prompt doesn't fit.
"""

from typing import Any, Literal

from pydantic import JsonValue

from react_tck.model.base import JsonObject, Value
from react_tck.reference.loop.action_types import (
    Action,
    Answered,
    Approved,
    ArgsMalformed,
    ArgsMismatched,
    AskExtraction,
    AskStep,
    AskSummary,
    AwaitResponse,
    Committed,
    Declined,
    DoesNotFit,
    End,
    Event,
    OutOfTurn,
    RunTool,
    StepChosen,
    StepGivenUp,
    StepMalformed,
    StepUnanswered,
    Summarised,
    Termination,
    ToolAsked,
    ToolFailed,
    ToolReturned,
)
from react_tck.reference.loop.compaction import cut_history, insert_summary
from react_tck.reference.loop.entries import (
    AssistantTurn,
    Call,
    Entries,
    Entry,
    FinalAnswer,
    Observation,
    Remark,
    Request,
    as_json,
    assign_ids,
    remove_call,
    replace_call,
    turns_of,
)
from react_tck.reference.loop.policy import Ending, Fitting, Policy
from react_tck.reference.loop.views.trajectory import Step, steps_of

FINISH = "finish"
SUBMIT = "submit"
#: What stands with a call of a turn that has submitted already: it has a result like any other.
TOO_LATE = "Not run: the outputs had been submitted."
#: How often one prompt that doesn't fit is made again with one step less.
SHORTENINGS = 2

_EXHAUSTED = "no step is left, and nothing has been answered."
_TOO_EARLY = "it is possible only after a tool has run."
#: What the LM is told, in the words that each family of systems has had from the start.
_UNREADABLE = {"finish": "Error: {}", "submit": "The reply could not be read: {}"}
_THERE = {"finish": "There", "submit": "there"}


class State(Value):
    """Where a run stands. `history` is what the LM reads; `taken` this run's part of it, never summarised."""

    tools: tuple[str, ...]
    max_steps: int
    ending: Ending = "finish"
    fitting: Fitting = "leave out"
    policy: Policy = Policy()
    #: The tools that don't run before a person has responded.
    awaited: tuple[str, ...] = ()
    history: Entries = ()
    taken: Entries = ()
    #: The calls of the turn that nothing has come of yet; while one waits, it is the first of them.
    pending: tuple[Call, ...] = ()
    #: Whether the LM has said that it is done, by `finish` or by a `submit` that was accepted.
    finished: bool = False
    outputs: JsonObject | None = None
    #: How many of the oldest steps the prompts leave out; the record keeps them (TRJ-005).
    left_out: int = 0
    #: How often the prompt that is due has been made shorter.
    shortenings: int = 0
    action: Action

    @property
    def inputs(self) -> JsonObject:
        """What this run was asked, as JSON."""
        return next(entry.inputs for entry in self.taken if isinstance(entry, Request))

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of this run."""
        return steps_of(self.taken, self.ending)

    @property
    def shown_steps(self) -> tuple[Step, ...]:
        """The steps that the prompts of a trajectory show."""
        return self.steps[self.left_out :]

    @property
    def can_be_shortened(self) -> bool:
        """Whether the prompt can be made to fit: the newest step stays, and there is a limit (CTX-001)."""
        if self.fitting == "summarise":
            return cut_history(self.history) is not None
        return self.fitting == "leave out" and self.shortenings < SHORTENINGS and len(self.shown_steps) > 1


def start(
    tools: tuple[str, ...],
    max_steps: int,
    inputs: JsonObject | None = None,
    *,
    history: Entries = (),
    awaited: tuple[str, ...] = (),
    policy: Policy | None = None,
    ending: Ending = "finish",
    fitting: Fitting = "leave out",
) -> State:
    """Return the first state of a run that continues a history; with `max_steps` 0 outputs are asked for at once."""
    state = State(
        tools=tools,
        max_steps=max_steps,
        ending=ending,
        fitting=fitting,
        policy=policy or Policy(),
        awaited=awaited,
        history=history,
        action=AskStep(),
    )
    return _ask_next(_add_entry(state, Request(inputs=inputs or {})))


def advance(state: State, event: Event) -> State:
    """Return the state after an event.

    Raises:
        OutOfTurn: if the event doesn't answer the state's action.
    """
    policy = state.policy
    match state.action, event:
        # Think: what the LM says is a turn on record, whether or not anything can be done about it.
        case AskStep(), StepChosen(thought=thought, calls=chosen, response=response):
            calls = assign_ids(chosen, state.history, state.taken)
            state = _add_entry(state, AssistantTurn(thought=thought, tool_calls=calls, response=response))
            return _handle_next_call(_update(state, pending=calls))
        case AskStep(), ArgsMalformed(thought=thought, tool=tool, reason=reason, is_empty=is_empty):
            calls = assign_ids((Call(name=tool, args={}),), state.history, state.taken)
            state = _add_entry(state, AssistantTurn(thought=thought, tool_calls=calls))
            then = policy.empty_args if is_empty and policy.empty_args != "empty object" else policy.malformed_args
            return _absorb_failure(_add_failure(state, calls[0], f"Error: {reason}"), then, reason)
        case AskStep(), StepMalformed(reason=reason):
            told = Remark(remark=_UNREADABLE[state.ending].format(reason))
            return _absorb_failure(_add_entry(state, told), policy.malformed_reply, reason)
        case AskStep(), StepUnanswered(reason=reason):
            return _absorb_failure(_add_entry(state, Remark(remark=f"Error: {reason}")), policy.lm_fault, reason)
        case AskStep() | AskSummary(then=AskStep()), StepGivenUp(reason=reason):
            return _set_action(state, AskExtraction(because=reason))

        # Act: the calls of a turn run one after the other; where a person has to agree, as the person has it.
        case AwaitResponse(call=call, asked=asked), Approved(tool=tool, args=args):
            call = call.model_copy(update={"name": tool, "args": args})
            state = _update(state, history=replace_call(state.history, call), taken=replace_call(state.taken, call))
            return _set_action(_drop_pending(state), RunTool(call=call, agreed=asked and asked.question))
        case AwaitResponse(call=call), Declined(observation=observation):
            return _handle_next_call(_add_observation(_drop_pending(state), call, observation))

        case RunTool(call=call, agreed=agreed), ToolAsked(question=question) if question == agreed:
            # Its one question has been answered: it knows of no other way to hear it.
            return _handle_next_call(_add_observation(state, call, "yes"))
        case RunTool(call=call), ToolAsked():
            return _set_action(_update(state, pending=(call, *state.pending)), AwaitResponse(call=call, asked=event))

        # Observe: what came of a call is what the LM reads next.
        case RunTool(call=call), ToolReturned(observation=observation):
            return _handle_next_call(_add_observation(state, call, observation))
        case RunTool(call=call), ArgsMismatched(reason=reason):
            then = "observe" if call.name == state.ending else policy.schema_mismatch  # TRN-005
            return _absorb_failure(_add_tool_error(state, call, reason), then, reason)
        case RunTool(call=call), ToolFailed(reason=reason):
            return _absorb_failure(_add_tool_error(state, call, reason), policy.tool_error, reason)
        case RunTool(call=call), Committed(outputs=outputs):
            return _handle_next_call(_commit_outputs(state, call, as_json(outputs)))

        # Answer, and what is done about a prompt that doesn't fit.
        case AskExtraction(), Answered(outputs=outputs):
            return _accept_answer(_update(state, outputs=as_json(outputs)), event)
        case (AskStep() | AskExtraction()) as asked, DoesNotFit() if state.can_be_shortened:
            if parts := cut_history(state.history) if state.fitting == "summarise" else None:
                return _set_action(state, AskSummary(entries=parts.summarised, then=asked))
            return _update(state, left_out=state.left_out + 1, shortenings=state.shortenings + 1)
        case AskSummary(then=then), Summarised(text=text) if parts := cut_history(state.history):
            return _set_action(_update(state, history=insert_summary(parts, text)), then)
    raise OutOfTurn(f"{type(event).__name__} does not answer {type(state.action).__name__}")


def _ask_next(state: State) -> State:
    """End the turn: the LM is asked for the next step, or for the outputs where no step is left."""
    if turns_of(state.taken) < state.max_steps:
        return _set_action(state, AskStep())
    return _set_action(state, AskExtraction() if state.policy.steps_exhausted == "extract" else End(error=_EXHAUSTED))


def _handle_next_call(state: State) -> State:
    """Take up the next call of the turn; when nothing is left of it, go on or come to an end."""
    if not state.pending:
        if not state.finished:
            return _ask_next(state)
        return _set_action(state, AskExtraction()) if state.outputs is None else _end_with_answer(state, "submit")
    call = state.pending[0]
    if call.name == state.ending == FINISH:
        return _finish_run(_drop_pending(state), call)
    if call.name in state.awaited:
        return _set_action(state, AwaitResponse(call=call))
    state = _drop_pending(state)
    if call.name in state.tools or call.name == state.ending:
        return _set_action(state, RunTool(call=call))
    tools = ", ".join((*state.tools, state.ending))
    reason = f"{_THERE[state.ending]} is no tool {call.name!r}. The tools are: {tools}."
    return _absorb_failure(_add_failure(state, call, f"Error: {reason}"), state.policy.unknown_tool, reason)


def _finish_run(state: State, call: Call) -> State:
    """End the loop: the LM knows enough. Where that is illegal at once, it is a tool that fails."""
    policy = state.policy
    if policy.finish_from_first_state == "illegal" and turns_of(state.taken) == 1:
        return _absorb_failure(_add_tool_error(state, call, _TOO_EARLY), policy.tool_error, _TOO_EARLY)
    if policy.finish_recorded:
        state = _add_observation(state, call, policy.finished)
    else:
        state = _update(state, history=remove_call(state.history, call), taken=remove_call(state.taken, call))
    return _handle_next_call(_update(state, finished=True))


def _absorb_failure(state: State, policy: Literal["observe", "extract", "error"], reason: str) -> State:
    """Go on after something went wrong, as the policy says; what went wrong is on record."""
    if policy == "observe":
        return _handle_next_call(state)
    then = End(error=reason) if policy == "error" else AskExtraction(because=reason)
    return _set_action(_update(state, pending=()), then)


def _accept_answer(state: State, answer: Answered) -> State:
    """Take the outputs asked for. Where they were to be submitted, the history has them as if they had been."""
    if state.ending == FINISH:
        return _end_with_answer(state, "extract")
    outputs = state.outputs or {}
    calls = assign_ids((Call(id=answer.call_id, name=SUBMIT, args=outputs),), state.history, state.taken)
    turn = AssistantTurn(thought=answer.thought, tool_calls=calls)
    state = _add_observation(_add_entry(state, turn), calls[0], outputs)
    return _end_with_answer(state, "extract" if state.policy.fallback == "extract" else "forced_submit")


def _end_with_answer(state: State, termination: Termination) -> State:
    """However the outputs came, the history ends in one shape (TRN-004, TRN-006)."""
    assert state.outputs is not None
    return _set_action(_add_entry(state, FinalAnswer(outputs=state.outputs)), End(termination=termination))


def _commit_outputs(state: State, call: Call, outputs: JsonObject) -> State:
    """Commit the outputs: no call of the turn runs any more (TRN-015)."""
    late, state = state.pending, _add_observation(state, call, outputs)
    for each in late:
        state = _add_failure(state, each, TOO_LATE)
    return _update(state, pending=(), finished=True, outputs=outputs)


def _add_observation(state: State, call: Call, value: JsonValue, *, is_error: bool = False) -> State:
    return _add_entry(state, Observation(tool_call_id=call.id, name=call.name, value=value, is_error=is_error))


def _add_tool_error(state: State, call: Call, reason: str) -> State:
    return _add_failure(state, call, f"Error executing {call.name}: {reason}")


def _add_failure(state: State, call: Call, told: str) -> State:
    return _add_observation(state, call, told, is_error=True)


def _drop_pending(state: State) -> State:
    return _update(state, pending=state.pending[1:])


def _add_entry(state: State, entry: Entry) -> State:
    return _update(state, history=(*state.history, entry), taken=(*state.taken, entry))


def _set_action(state: State, action: Action) -> State:
    return _update(state, action=action, shortenings=0)


def _update(state: State, **update: Any) -> State:
    return state.model_copy(update=update)
