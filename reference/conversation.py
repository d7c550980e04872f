"""`ConversationReAct`: the loop as an append-only conversation with one system prompt (S0)."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

import dspy
from dspy.utils.exceptions import AdapterParseError

from react_tck.reference import loop
from react_tck.reference import loop_conversation as machine
from react_tck.reference.conversation_adapter import ConversationAdapter
from react_tck.reference.conversation_signatures import HISTORY, conversation_signature, state_signature
from react_tck.reference.drive import Episode
from react_tck.reference.policy import Policy
from react_tck.reference.react import Ask, ReAct
from react_tck.reference.signatures import SignatureType, history_field

DEFAULT_MAX_STEPS = 10


class ConversationReAct(ReAct):
    """A tool-using agent that keeps its whole conversation: every request extends the one before it.

    The prediction's `history` holds the conversation so far; given back with the next call, the conversation goes on.

    Args:
        signature: arrow string, signature class, or signature value; it need not name a history.
        tools: functions, methods, callable objects or `dspy.Tool`s; async ones too.
        max_steps: steps of one call before it is interrupted.
        predictor_class: `dspy.ChainOfThought`, or `dspy.Predict` for replies without reasoning.
        max_iters: the name `dspy.ReAct` has for `max_steps`.
        policy: what to do where the specification leaves a choice.
        enable_user_clarification: whether the agent may ask a person.

    Raises:
        ValueError: for fewer than one step, a signature without outputs, or a name that is taken twice or built in.
    """

    adapter_class: ClassVar[type[ConversationAdapter]] = ConversationAdapter

    def __init__(
        self,
        signature: str | SignatureType,
        tools: Iterable[Callable[..., Any]],
        max_steps: int = DEFAULT_MAX_STEPS,
        predictor_class: Callable[[SignatureType], dspy.Module] = dspy.ChainOfThought,
        *,
        max_iters: int | None = None,
        policy: Policy | None = None,
        enable_user_clarification: bool = False,
    ) -> None:
        self.predictor_class = predictor_class
        super().__init__(
            signature,
            tools,
            max_steps,
            max_iters=max_iters,
            policy=policy,
            enable_user_clarification=enable_user_clarification,
        )
        self._start(self.max_steps)

    def _make_predictors(self) -> None:
        self.states = {
            state: self.predictor_class(state_signature(state, self.signature, self.tools)) for state in machine.STATES
        }

    def _user_signature(self, signature: str | SignatureType) -> SignatureType:
        return conversation_signature(signature)

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        max_steps, inputs = self._own_options(inputs)
        inputs = {**inputs, self._history: inputs.get(self._history) or dspy.History(messages=[])}
        self._check(inputs)
        return self._start(max_steps), inputs

    def _start(self, max_steps: int) -> loop.State:
        return machine.start(tuple(self._user_tools()), max_steps, self.policy, self._awaited())

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        return machine.advance(state, event)

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        try:
            reply = yield from self._converse(state, inputs)
        except AdapterParseError:
            return loop.StepMalformed(reason=machine.MALFORMED)
        return self._chosen(reply)

    def _chosen(self, reply: dspy.Prediction) -> loop.StepChosen:
        thought = reply.get("reasoning") or ""
        return loop.StepChosen(thought=thought, tool=reply.tool_name, args=reply.tool_args, response=reply.response)

    def _extraction(self, state: loop.State, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        reply = yield from self._converse(state, inputs)
        said = {**self._asking(state, inputs), **reply}
        return dspy.Prediction(**reply, **{HISTORY: dspy.History(messages=[*self._earlier(state, inputs), said])})

    def _converse(self, state: loop.State, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        predictor = self.states[self._state(state)]
        return (yield Ask(predictor, self._state_inputs(state, inputs), self._internal_adapter(predictor)))

    def _state_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        history = dspy.History(messages=self._earlier(state, inputs))
        return {**self._asking(state, inputs), HISTORY: history}

    def _earlier(self, state: loop.State, inputs: dict[str, Any]) -> list[machine.Exchange]:
        """All that was said before: in earlier calls, and in this one."""
        return [*inputs[self._history].messages, *self._exchanges(state, inputs)]

    def _exchanges(self, state: loop.State, inputs: dict[str, Any]) -> list[machine.Exchange]:
        return machine.exchanges(state, self._own_inputs(inputs), reasoning=self._has_reasoning)

    @property
    def _has_reasoning(self) -> bool:
        return machine.REASONING in self.states["user_query"].predictors()[0].signature.output_fields

    def _asking(self, state: loop.State, inputs: dict[str, Any]) -> machine.Exchange:
        return machine.asking(self._state(state), state, self._own_inputs(inputs))

    def _state(self, state: loop.State) -> machine.MachineState:
        return machine.machine_state(state)

    def _own_inputs(self, inputs: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in inputs.items() if name != self._history}

    @property
    def _history(self) -> str:
        return history_field(self.signature) or HISTORY

    def _internal_adapter(self, _predictor: Any) -> dspy.Adapter:
        # Made anew, since an optimizer may have changed the predictors.
        return self.adapter_class({state: made.predictors()[0].signature for state, made in self.states.items()})
