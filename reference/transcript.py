"""`TranscriptReAct`: the `dspy.Module` whose canonical state is the history, with typed `submit` (S2)."""

from collections.abc import Callable, Iterable
from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError, ContextWindowExceededError

from react_tck.model.base import JsonObject
from react_tck.reference import loop_transcript as loop
from react_tck.reference.confirming import Confirming, clarification
from react_tck.reference.drive import Episode, adrive, drive
from react_tck.reference.loop import AwaitResponse
from react_tck.reference.loop_compaction import cut
from react_tck.reference.loop_entries import Call, Entries, dumped
from react_tck.reference.react import DEFAULT_MAX_STEPS, Ask, Use
from react_tck.reference.signatures import TRAJECTORY, SignatureType, check_inputs, own_max_steps
from react_tck.reference.tools import BoundTool, bind_all
from react_tck.reference.trajectory import as_mapping, observation
from react_tck.reference.transcript_format import transcribing
from react_tck.reference.transcript_history import as_json, entries_of, public
from react_tck.reference.transcript_signatures import (
    HISTORY,
    TERMINATION,
    TOOLS,
    answer_signature,
    submit_tool,
    summary_signature,
    task_signature,
    turn_signature,
)


class TranscriptReAct(Confirming[loop.State], dspy.Module):
    """A tool-using agent over any signature; it takes the place of `dspy.ReActV2`.

    A call takes `history=` beside its inputs, and a prediction has `history`, `trajectory` and `termination_reason`
    beside its outputs.

    Args:
        signature: arrow string, signature class, or signature value.
        tools: functions, methods, callable objects or `dspy.Tool`s; async ones too.
        max_steps: turns of the loop before the outputs are asked for.
        max_iters: the name `dspy.ReActV2` has for `max_steps`.
        adapter: used for all internal calls instead of the globally configured one.
        enable_user_clarification: whether the agent may ask the user, by the built-in tool `user_clarification`.

    Raises:
        ValueError: for a signature without outputs, or a name that is taken twice or reserved (TRN-012).
    """

    _state_class = loop.State

    def __init__(
        self,
        signature: str | SignatureType,
        tools: Iterable[Callable[..., Any]],
        max_steps: int = DEFAULT_MAX_STEPS,
        *,
        max_iters: int | None = None,
        adapter: dspy.Adapter | None = None,
        enable_user_clarification: bool = False,
    ) -> None:
        super().__init__()
        self.signature = self._task_signature(signature)
        self.tools = self._bind([*tools, *([clarification()] if enable_user_clarification else [])])
        self.submit = self._submit_tool()
        self.max_steps = max_steps if max_iters is None else max_iters
        self.adapter = adapter
        self.react = dspy.Predict(turn_signature(self.signature))
        self.extract = dspy.Predict(answer_signature(self.signature))
        self.compact = dspy.Predict(summary_signature())

    def forward(self, **inputs: Any) -> dspy.Prediction:
        """Run the agent. `history` continues an earlier run; `max_steps` (or `max_iters`) holds for this call only.

        Raises:
            ValueError: if an input is missing or unknown, or the history is none.
            AdapterParseError: if the fallback's reply can't be read.
            ContextWindowExceededError: if the history doesn't fit, and nothing in it may be summarised.
            ConfirmationRequired: if a tool needs a person's confirmation; `resume` takes it with the response.
        """
        return drive(self._episode(inputs))

    async def aforward(self, **inputs: Any) -> dspy.Prediction:
        """The same, for `acall`."""
        return await adrive(self._episode(inputs))

    def _episode(self, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        state = self._begin(inputs)
        return (yield from self._run(state, state.inputs))

    def _run(self, state: loop.State, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        event: loop.Event
        while True:
            match state.action:
                case loop.AskTurn():
                    event = yield from self._turn(state)
                case loop.RunCall(call=call):
                    event = yield from self._use(call)
                case AwaitResponse():
                    raise self._suspension(state, inputs)
                case loop.AskAnswer():
                    event = yield from self._answer(state)
                case loop.AskSummary(entries=entries):
                    event = yield from self._summary(entries)
                case loop.Done():
                    return self._prediction(state)
            state = self._advance(state, event)

    def _begin(self, inputs: dict[str, Any]) -> loop.State:
        history = self._entries(inputs.pop(HISTORY, None))
        max_steps, inputs = own_max_steps(self.signature, inputs, self.max_steps)
        check_inputs(self.signature, inputs)
        return loop.start(tuple(self.tools), max_steps, as_json(inputs), history, self._awaited())

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        return loop.advance(state, event)

    def _turn(self, state: loop.State) -> Episode[loop.Event]:
        try:
            reply = yield self._ask(self.react, state)
        except AdapterParseError as error:
            return loop.TurnMalformed(reason=str(error))
        except ContextWindowExceededError:
            return self._too_long(state)
        return self._chosen(reply)

    def _chosen(self, reply: dspy.Prediction) -> loop.Event:
        made = reply.tool_calls.tool_calls if reply.tool_calls else []
        if not made:
            return loop.TurnMalformed(reason=f"it calls no tool; when all is known, call `{loop.SUBMIT}`.")
        calls = tuple(Call(id=call.id or "", name=call.name, args=call.args) for call in made)
        return loop.TurnChosen(thought=reply.next_thought, calls=calls)

    def _use(self, call: Call) -> Episode[loop.Event]:
        try:
            if call.name == loop.SUBMIT:
                return self._submitted(call.args)
            result = yield Use(self.tools[call.name], call.args)
            return loop.CallReturned(value=observation(result))
        except Exception as error:  # whatever a tool raises, or refuses, is the agent's to read
            return loop.CallFailed(reason=str(error))

    def _submitted(self, outputs: JsonObject) -> loop.Event:
        """What was submitted, if it is what the signature declares. Raises ArgsRefused."""
        return loop.Committed(outputs=as_json(self.submit.run(outputs)))

    def _answer(self, state: loop.State) -> Episode[loop.Event]:
        try:
            reply = yield self._ask(self.extract, state)
        except ContextWindowExceededError:
            return self._too_long(state)
        return loop.Answered(outputs=as_json({name: reply[name] for name in self.signature.output_fields}))

    def _too_long(self, state: loop.State) -> loop.Event:
        if cut(state.history) is None:
            raise ContextWindowExceededError(message="the history doesn't fit, and nothing in it may be summarised")
        return loop.DoesNotFit()

    def _summary(self, entries: Entries) -> Episode[loop.Event]:
        transcript = "\n".join(str(entry) for entry in dumped(entries))
        reply = yield Ask(self.compact, {"transcript": transcript}, self.adapter)
        return loop.Summarised(text=reply.summary)

    def _ask(self, predictor: Any, state: loop.State) -> Ask:
        # The inputs of this call are shown as the history's last request; dspy wants them by name all the same.
        inputs = {**state.inputs, HISTORY: self._shown(state), TOOLS: self._offered()}
        shown = {name: value for name, value in inputs.items() if name in predictor.signature.input_fields}
        return Ask(predictor, shown, transcribing(self.adapter, self.signature))

    def _shown(self, state: loop.State) -> dspy.History:
        return public(state.history)

    def _offered(self) -> list[dspy.Tool]:
        tools = [*self.tools.values(), self.submit]
        return [dspy.Tool(t.function, name=t.name, desc=t.description, args=t.args) for t in tools]

    def _prediction(self, state: loop.State) -> dspy.Prediction:
        assert isinstance(state.action, loop.Done)
        own = {
            HISTORY: self._history(state),
            TRAJECTORY: self._trajectory(state),
            TERMINATION: state.action.termination,
        }
        return dspy.Prediction(**self._outputs(state), **own)

    def _outputs(self, state: loop.State) -> dict[str, Any]:
        """The outputs of the final answer, as the signature types them."""
        outputs: dict[str, Any] = self.submit.run(state.outputs or {})
        return outputs

    def _history(self, state: loop.State) -> dspy.History:
        return public(state.history)

    def _entries(self, history: Any) -> Entries:
        return entries_of(history, self.signature)

    def _trajectory(self, state: loop.State) -> dict[str, Any]:
        """Numbered keys, derived from this call's own entries; `submit` is not among them (TRN-007)."""
        return as_mapping(loop.steps_of(state.taken))

    def _iteration(self, state: loop.State) -> int:
        return loop.turns_of(state.taken) - 1

    def _call_id(self, state: loop.State) -> str:
        return loop.waiting(state).id

    def _task_signature(self, signature: str | SignatureType) -> SignatureType:
        return task_signature(signature)

    def _bind(self, tools: Iterable[Callable[..., Any]]) -> dict[str, BoundTool]:
        return bind_all(tools, reserved=loop.SUBMIT)

    def _submit_tool(self) -> BoundTool:
        return submit_tool(self.signature)
