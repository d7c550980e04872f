"""`UdspyReAct`: ReAct with the surface of udspy's (S3)."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError

from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.native_step import (
    REASONING,
    TOOL_CALLS,
    TOOLS,
    calling,
    calls_natively,
    native_signature,
    offered,
)
from react_tck.reference.policy import Policy
from react_tck.reference.react import ReAct
from react_tck.reference.signatures import SignatureType, outputs_of, step_signature
from react_tck.reference.tools import BoundTool
from react_tck.reference.trajectory import as_mapping, shown

DEFAULT_MAX_ITERS = 10
_FINISHED = "Task completed"


class UdspyReAct(ReAct):
    """A tool-using agent over any signature; it takes the place of `udspy.ReAct`.

    Steps are taken by native tool calls where the LM and the adapter can, else as text fields.

    Args:
        signature: arrow string, or a signature class of dspy's or udspy's.
        tools: functions, or tools of `@tool`, udspy's or the reference's.
        max_iters: turns of the loop before the outputs are extracted from what there is.
        enable_user_clarification: whether the agent may ask the user.
        adapter: used for both internal calls instead of the globally configured one.

    Raises:
        ValueError: for a signature without outputs, or a name that is taken twice or built in.
    """

    def __init__(
        self,
        signature: str | SignatureType,
        tools: Iterable[Callable[..., Any]],
        *,
        max_iters: int = DEFAULT_MAX_ITERS,
        enable_user_clarification: bool = False,
        adapter: dspy.Adapter | None = None,
    ) -> None:
        super().__init__(
            signature,
            tools,
            max_iters,
            adapter=adapter,
            policy=Policy(finished=_FINISHED),
            enable_user_clarification=enable_user_clarification,
        )
        self.native = dspy.Predict(self._native_signature())

    @property
    def react_signature(self) -> SignatureType:
        """The reasoning loop's signature, with native tool calling."""
        made: SignatureType = self.native.signature
        return made

    @property
    def extract_signature(self) -> SignatureType:
        """The signature by which the final answer is extracted."""
        made: SignatureType = self.extract.predictors()[0].signature
        return made

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        if not calls_natively(self._adapter()):
            return (yield from super()._step(state, inputs))
        try:
            reply = yield from self._ask(self.native, partial(self._native_inputs, inputs=inputs), state)
        except AdapterParseError as error:
            return loop.StepMalformed(reason=str(error))
        return self._called(reply)

    def _called(self, reply: dspy.Prediction) -> loop.Event:
        calls = reply[TOOL_CALLS].tool_calls if reply[TOOL_CALLS] else []
        if len(calls) != 1:
            return loop.StepMalformed(reason=f"The reply calls {len(calls)} tools; call exactly one.")
        return loop.StepChosen(thought=reply[REASONING], tool=calls[0].name, args=calls[0].args)

    def _native_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        return {**self._step_inputs(state, inputs), TOOLS: self._offered()}

    def _offered(self) -> list[dspy.Tool]:
        return offered(self.tools)

    def _adapter(self) -> dspy.Adapter | None:
        return self.adapter or dspy.settings.adapter

    def _internal_adapter(self, predictor: Any) -> dspy.Adapter | None:
        return calling(self._adapter()) if predictor is self.native else self.adapter

    def _trajectory(self, state: loop.State) -> dict[str, Any]:
        steps = tuple(step.model_copy(update={"observation": shown(step.observation)}) for step in state.steps)
        return as_mapping(steps, thought=REASONING)

    def _user_signature(self, signature: str | SignatureType) -> SignatureType:
        return super()._user_signature(_of_dspy(signature) if hasattr(signature, "get_input_fields") else signature)

    def _native_signature(self) -> SignatureType:
        return native_signature(self.signature)

    def _step_signature(self) -> SignatureType:
        return step_signature(self.signature, self._user_tools(), self._finish().description)

    def _bind(self, tools: Iterable[Callable[..., Any]]) -> dict[str, BoundTool]:
        return {**super()._bind(tools), loop.FINISH: self._finish()}

    def _user_tools(self) -> dict[str, BoundTool]:
        return {name: tool for name, tool in self.tools.items() if name != loop.FINISH}

    def _finish(self) -> BoundTool:
        description = f"Call this when you have all information needed to produce {outputs_of(self.signature)}"
        return BoundTool(loop.FINISH, description, {}, lambda: _FINISHED)


def _of_dspy(signature: Any) -> SignatureType:
    """A signature class of udspy's as dspy's."""
    inputs, outputs = signature.get_input_fields(), signature.get_output_fields()
    fields = {
        **{name: (field.annotation, dspy.InputField(desc=field.description)) for name, field in inputs.items()},
        **{name: (field.annotation, dspy.OutputField(desc=field.description)) for name, field in outputs.items()},
    }
    made: SignatureType = dspy.Signature(fields, signature.__doc__ or None)
    return made
