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
from react_tck.reference.drive import Episode, adrive, drive
from react_tck.reference.policy import Policy
from react_tck.reference.signatures import (
    TRAJECTORY,
    SignatureType,
    extraction_signature,
    history_field,
    step_signature,
    user_signature,
)
from react_tck.reference.strict import read_args, strict
from react_tck.reference.tools import ArgsRefused, BoundTool, bind_all
from react_tck.reference.trajectory import as_mapping, as_text, observation

DEFAULT_MAX_STEPS = 20
#: How often a prompt that doesn't fit is made again with one step less.
_SHORTENINGS = 2


class EpisodeFailed(RuntimeError):
    """The policy says that what happened ends the run with an error."""


@dataclass(frozen=True)
class Ask:
    """The effect of asking a predictor under this adapter."""

    predictor: Any
    inputs: dict[str, Any]
    adapter: dspy.Adapter

    def run(self) -> dspy.Prediction:
        """Ask."""
        with dspy.context(adapter=self.adapter):
            return self.predictor(**self.inputs)

    async def arun(self) -> dspy.Prediction:
        """Ask, awaiting."""
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


class ReAct(dspy.Module):
    """A tool-using agent over any signature.

    Args:
        signature: arrow string, signature class, or signature value.
        tools: functions, methods, callable objects or `dspy.Tool`s; async ones too.
        max_steps: turns of the loop before the outputs are extracted from what there is.
        max_iters: the name `dspy.ReAct` has for `max_steps`.
        adapter: used for both internal calls instead of the globally configured one.
        policy: what to do where the specification leaves a choice.

    Raises:
        ValueError: for a signature without outputs, or a name that is taken twice or built in.
    """

    def __init__(
        self,
        signature: str | SignatureType,
        tools: Iterable[Callable[..., Any]],
        max_steps: int = DEFAULT_MAX_STEPS,
        *,
        max_iters: int | None = None,
        adapter: dspy.Adapter | None = None,
        policy: Policy | None = None,
    ) -> None:
        super().__init__()
        self.signature = self._user_signature(signature)
        self.tools = self._bind(tools)
        self.max_steps = max_steps if max_iters is None else max_iters
        self.adapter = adapter
        self.policy = policy or Policy()
        self.react = dspy.Predict(self._step_signature())
        self.extract = self._extractor(extraction_signature(self.signature))

    def forward(self, **inputs: Any) -> dspy.Prediction:
        """Run the agent. `max_steps` (or `max_iters`) among the inputs holds for this call only (LOOP-009).

        Raises:
            ValueError: if an input is missing or unknown (SIG-007).
            AdapterParseError: if the extraction's reply can't be read.
            EpisodeFailed: if the policy turns what happened into an error.
        """
        return drive(self._episode(inputs))

    async def aforward(self, **inputs: Any) -> dspy.Prediction:
        """The same, for `acall`."""
        return await adrive(self._episode(inputs))

    def _episode(self, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        state, inputs = self._begin(inputs)
        reply: dspy.Prediction
        event: loop.Event
        while True:
            match state.action:
                case loop.AskStep():
                    event = yield from self._step(state, inputs)
                case loop.RunTool() as call:
                    event = yield from self._use(call)
                case loop.AskExtraction():
                    reply = yield from self._extraction(state, inputs)
                    event = loop.Extracted()
                case loop.Done(error=None):
                    return self._prediction(state, reply)
                case loop.Done(error=error):
                    raise EpisodeFailed(error)
            state = self._advance(state, event)

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        max_steps, inputs = self._own_options(inputs)
        self._check(inputs)
        return loop.start(tuple(self.tools), max_steps, self.policy), inputs

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        return loop.advance(state, event)

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
        """Ask; where the prompt doesn't fit, ask again without the oldest step. The record stays whole (TRJ-005)."""
        for _ in range(_SHORTENINGS):
            try:
                return (yield Ask(predictor, inputs_of(state), self._reading_adapter(predictor)))
            except ContextWindowExceededError:
                if not state.steps:
                    raise
                state = self._shortened(state)
        return (yield Ask(predictor, inputs_of(state), self._reading_adapter(predictor)))

    def _shortened(self, state: loop.State) -> loop.State:
        return state.model_copy(update={"steps": state.steps[1:]})

    def _use(self, call: loop.RunTool) -> Episode[loop.Event]:
        try:
            result = yield Use(self.tools[call.tool], call.args)
            return loop.ToolReturned(observation=observation(result))
        except ArgsRefused as error:
            return loop.ArgsMismatched(reason=str(error))
        except Exception as error:  # whatever a tool raises, or its result when shown, is the agent's to read
            return loop.ToolFailed(reason=str(error))

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        return dspy.Prediction(**{TRAJECTORY: as_mapping(state.steps)}, **reply)

    def _user_signature(self, signature: str | SignatureType) -> SignatureType:
        return user_signature(signature)

    def _bind(self, tools: Iterable[Callable[..., Any]]) -> dict[str, BoundTool]:
        return bind_all(tools, reserved=loop.FINISH)

    def _step_signature(self) -> SignatureType:
        return step_signature(self.signature, self.tools)

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
        return {**shown, TRAJECTORY: as_text(state.steps)}

    def _extraction_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        name = history_field(self.signature)
        outputs = tuple(self.extract.predictors()[0].signature.output_fields)
        shown = {**inputs, name: turns.for_extraction(inputs[name], outputs)} if name else inputs
        return {**shown, TRAJECTORY: as_text(state.steps)}

    def _own_options(self, inputs: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """The call's own `max_steps`, unless the signature has an input of that name."""
        own = [name for name in ("max_steps", "max_iters") if name not in self.signature.input_fields]
        given = [inputs[name] for name in own if name in inputs]
        return (given or [self.max_steps])[0], {k: v for k, v in inputs.items() if k not in own}

    def _check(self, inputs: dict[str, Any]) -> None:
        fields = self.signature.input_fields
        if missing := [name for name, field in fields.items() if name not in inputs and field.is_required()]:
            raise ValueError(f"missing input {missing[0]!r}; the inputs are: {', '.join(fields)}")
        if unknown := [name for name in inputs if name not in fields]:
            raise ValueError(f"unknown input {unknown[0]!r}; the inputs are: {', '.join(fields)}")
