"""`ReAct`: the `dspy.Module` that drives the loop with `dspy.Predict` and `dspy.ChainOfThought`."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError, ContextWindowExceededError

from react_tck.model.base import JsonObject
from react_tck.reference import history as turns
from react_tck.reference import loop
from react_tck.reference.confirming import Confirming, clarification
from react_tck.reference.drive import Episode, adrive, drive
from react_tck.reference.policy import Policy
from react_tck.reference.signatures import (
    TRAJECTORY,
    SignatureType,
    check_inputs,
    extraction_signature,
    history_field,
    own_max_steps,
    step_signature,
    user_signature,
)
from react_tck.reference.strict import read_args, strict
from react_tck.reference.tools import ArgsRefused, BoundTool, bind_all
from react_tck.reference.trajectory import as_mapping, as_text, left_out, observation

DEFAULT_MAX_STEPS = 20


class EpisodeFailed(RuntimeError):
    """The policy says that what happened ends the run with an error."""


@dataclass(frozen=True)
class Ask:
    """The effect of asking a predictor, under the module's own adapter where it has one (ADP-002)."""

    predictor: Any
    inputs: dict[str, Any]
    adapter: dspy.Adapter | None

    def run(self) -> dspy.Prediction:
        """Ask."""
        if self.adapter is None:
            return self.predictor(**self.inputs)
        with dspy.context(adapter=self.adapter):
            return self.predictor(**self.inputs)

    async def arun(self) -> dspy.Prediction:
        """Ask, awaiting."""
        if self.adapter is None:
            return await self.predictor.acall(**self.inputs)
        with dspy.context(adapter=self.adapter):
            return await self.predictor.acall(**self.inputs)


@dataclass(frozen=True)
class Use:
    """The effect of running a tool."""

    tool: BoundTool
    args: JsonObject

    def run(self) -> Any:
        """Run it."""
        return self.tool.run(self.args)

    async def arun(self) -> Any:
        """Run it, awaiting."""
        return await self.tool.arun(self.args)


class ReAct(Confirming[loop.State], dspy.Module):
    """A tool-using agent over any signature.

    Args:
        signature: arrow string, signature class, or signature value.
        tools: functions, methods, callable objects or `dspy.Tool`s; async ones too.
        max_steps: turns of the loop before the outputs are extracted from what there is.
        max_iters: the name `dspy.ReAct` has for `max_steps`.
        adapter: used for both internal calls instead of the globally configured one.
        policy: what to do where the specification leaves a choice.
        enable_user_clarification: whether the agent may ask the user, by the built-in tool `user_clarification`.

    Raises:
        ValueError: for a signature without outputs, or a name that is taken twice or built in.
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
        policy: Policy | None = None,
        enable_user_clarification: bool = False,
    ) -> None:
        super().__init__()
        self.signature = self._user_signature(signature)
        self.tools = self._bind([*tools, *([clarification()] if enable_user_clarification else [])])
        self.max_steps = max_steps if max_iters is None else max_iters
        self.adapter = adapter
        self.policy = policy or Policy()
        self._make_predictors()

    def forward(self, **inputs: Any) -> dspy.Prediction:
        """Run the agent. `max_steps` (or `max_iters`) among the inputs holds for this call only (LOOP-009).

        Raises:
            ValueError: if an input is missing or unknown (SIG-007).
            AdapterParseError: if the extraction's reply can't be read.
            EpisodeFailed: if the policy turns what happened into an error.
            ConfirmationRequired: if a tool needs a person's confirmation; `resume` takes it with the response.
        """
        return drive(self._episode(inputs))

    async def aforward(self, **inputs: Any) -> dspy.Prediction:
        """The same, for `acall`."""
        return await adrive(self._episode(inputs))

    def _episode(self, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        return (yield from self._run(*self._begin(inputs)))

    def _run(self, state: loop.State, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        reply = dspy.Prediction()
        while not isinstance(state.action, loop.Done):
            try:
                event, reply = yield from self._perform(state, inputs, reply)
            except ContextWindowExceededError as error:
                event = self._too_long(state, error)
            state = self._advance(state, event)
        if state.action.error is not None:
            raise EpisodeFailed(state.action.error)
        return self._prediction(state, reply)

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        return loop.advance(state, event)

    def _perform(
        self, state: loop.State, inputs: dict[str, Any], reply: dspy.Prediction
    ) -> Episode[tuple[loop.Event, dspy.Prediction]]:
        """What comes of the state's action, and the extraction's reply once there is one."""
        match state.action:
            case loop.AskStep():
                return (yield from self._step(state, inputs)), reply
            case loop.RunTool() as call:
                return (yield from self._use(call)), reply
            case loop.AskExtraction():
                return loop.Extracted(), (yield from self._extraction(state, inputs))
        raise self._suspension(state, inputs)

    def _too_long(self, state: loop.State, error: ContextWindowExceededError) -> loop.Event:
        """Leave a step out of the prompt, or give up (CTX-001, CTX-002)."""
        if not state.can_be_shortened:
            raise error
        return loop.DoesNotFit()

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        max_steps, inputs = self._own_options(inputs)
        self._check(inputs)
        return loop.start(tuple(self._user_tools()), max_steps, self.policy, self._awaited()), inputs

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        try:
            reply = yield from self._ask(self.react, partial(self._step_inputs, inputs=inputs), state)
        except AdapterParseError as error:
            return loop.StepMalformed(reason=str(error))
        return self._chosen(reply)

    def _chosen(self, reply: dspy.Prediction) -> loop.Event:
        thought, tool = reply.next_thought, reply.next_tool_name
        try:
            args = self._args(reply.next_tool_args)
        except ValueError as error:
            if tool in self.tools:
                return loop.ArgsMalformed(thought=thought, tool=tool, reason=str(error))
            args = {}  # neither `finish` nor a tool that isn't there takes any
        return loop.StepChosen(thought=thought, tool=tool, args=args)

    def _args(self, said: Any) -> JsonObject:
        """The args of a step. Raises ValueError if what the LM said isn't a JSON object (ERR-002, ERR-003)."""
        return said if isinstance(said, dict) else read_args(said)

    def _extraction(self, state: loop.State, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        return self._ask(self.extract, partial(self._extraction_inputs, inputs=inputs), state)

    def _ask(
        self, predictor: Any, inputs_of: Callable[[loop.State], dict[str, Any]], state: loop.State
    ) -> Episode[dspy.Prediction]:
        return (yield Ask(predictor, inputs_of(state), self._reading_adapter(predictor)))

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        try:
            result = yield Use(self.tools[call.tool], call.args)
            return loop.ToolReturned(observation=observation(result))
        except ArgsRefused as error:
            return loop.ArgsMismatched(reason=str(error))
        except Exception as error:  # whatever a tool raises, or its result when shown, is the agent's to read
            return loop.ToolFailed(reason=str(error))

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        return dspy.Prediction(**{TRAJECTORY: self._trajectory(state) | self._left_out(state)}, **reply)

    def _trajectory(self, state: loop.State) -> dict[str, Any]:
        return as_mapping(state.steps)

    def _iteration(self, state: loop.State) -> int:
        return len(state.steps)

    def _call_id(self, state: loop.State) -> str:
        return f"call_{len(state.steps)}"

    def _left_out(self, state: loop.State) -> dict[str, Any]:
        return left_out(state.left_out)

    def _user_signature(self, signature: str | SignatureType) -> SignatureType:
        return user_signature(signature)

    def _bind(self, tools: Iterable[Callable[..., Any]]) -> dict[str, BoundTool]:
        return bind_all(tools, reserved=loop.FINISH)

    def _make_predictors(self) -> None:
        self.react = dspy.Predict(self._step_signature())
        self.extract = self._extractor(extraction_signature(self.signature))

    def _step_signature(self) -> SignatureType:
        return step_signature(self.signature, self._user_tools())

    def _extractor(self, signature: SignatureType) -> dspy.Module:
        chain = self.policy.extraction == "chain-of-thought"
        return dspy.ChainOfThought(signature) if chain else dspy.Predict(signature)

    def _reading_adapter(self, predictor: Any) -> dspy.Adapter:
        """The adapter in force, made to read by the letter."""
        return strict(self._internal_adapter(predictor) or dspy.settings.adapter or dspy.ChatAdapter())

    def _internal_adapter(self, _predictor: Any) -> dspy.Adapter | None:
        """The adapter for one of the two internal calls; None leaves it to the global one, or dspy's default."""
        return self.adapter

    def _step_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        name = history_field(self.signature)
        shown = {**inputs, name: turns.as_text(inputs[name])} if name else inputs
        return {**shown, TRAJECTORY: self._trajectory_text(state)}

    def _extraction_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        name = history_field(self.signature)
        outputs = tuple(self.extract.predictors()[0].signature.output_fields)
        shown = {**inputs, name: turns.for_extraction(inputs[name], outputs)} if name else inputs
        return {**shown, TRAJECTORY: self._trajectory_text(state)}

    def _trajectory_text(self, state: loop.State) -> str:
        """The trajectory as the LM reads it."""
        return as_text(state.shown, state.left_out)

    def _own_options(self, inputs: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return own_max_steps(self.signature, inputs, self.max_steps)

    def _check(self, inputs: dict[str, Any]) -> None:
        check_inputs(self.signature, inputs)
