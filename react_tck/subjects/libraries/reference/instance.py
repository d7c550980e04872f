"""An instance of one of the reference's classes: its calls, and what it can do beyond being called."""

import asyncio
from collections.abc import Callable
from typing import Any, Literal

import dspy
from pydantic import JsonValue
from pydantic_core import PydanticSerializationError, to_jsonable_python

import react_tck
from react_tck.adapter.values import as_json_value
from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation, Resumption
from react_tck.model.manifest import Description, Fields
from react_tck.model.outcome import Outcome, make_error_outcome
from react_tck.reference.confirmation import ConfirmationRequired, get_confirmation_status
from react_tck.subjects.api import OperationRefused
from react_tck.subjects.libraries.dspy import bridge
from react_tck.subjects.libraries.dspy.instance import Connected

#: The attributes by which S3 lets them be inspected (UDS-003).
_SIGNATURES = ("signature", "react_signature", "extract_signature")
#: What the classes put into a prediction themselves.
_OWN = bridge.OWN | {"steps"}
#: The trajectory's format, by the type of what the prediction has for it.
_FORMATS: dict[type[Any], Literal["none", "list", "text"]] = {type(None): "none", list: "list", str: "text"}


class ReferenceInstance(Connected):
    """A constructed module of the reference."""

    def __init__(self, module: dspy.Module, task: react_tck.Task, lm: react_tck.LM) -> None:
        super().__init__(module, task, lm, num_retries=0)
        #: What each call returned as its history, for calls that follow it.
        self._histories: list[Any] = []

    def call(self, invocation: Invocation) -> Outcome:
        """Call the module in the mode the invocation asks for."""
        given = self._make_call_arguments(invocation)
        self._histories.append(None)
        if invocation.mode == "async":
            return self._run_prediction(lambda: asyncio.run(self.acall_module(**given)))
        return self._run_prediction(lambda: self.call_module(**given))

    async def acall(self, invocation: Invocation) -> Outcome:
        """Call the module in the event loop that runs."""
        try:
            prediction = await self.acall_module(**self._make_call_arguments(invocation))
        except Exception as error:
            return make_error_outcome(error)
        return self._make_outcome(prediction)

    def resume(self, suspension: JsonObject, resumption: Resumption) -> Outcome:
        """Resume from what the suspension says and nothing else, as a fresh process would."""
        return self._run_prediction(lambda: self._resume_module(suspension, resumption))

    def status(self, confirmation_id: str) -> str:
        """Return what became of a confirmation of this process.

        Raises:
            OperationRefused: if there is none of that id.
        """
        try:
            return get_confirmation_status(confirmation_id)
        except LookupError as error:
            raise OperationRefused(str(error)) from error

    def describe(self) -> Description:
        """Return the tools and signatures that the module exposes."""
        tools = {name: tool.description for name, tool in self.module.tools.items()}
        exposed = {name: getattr(self.module, name) for name in _SIGNATURES if hasattr(self.module, name)}
        return Description(tools=tools, signatures={name: _read_fields(made) for name, made in exposed.items()})

    def _make_call_arguments(self, invocation: Invocation) -> dict[str, Any]:
        history: Any = None if invocation.history is None else [dict(turn) for turn in invocation.history]
        if invocation.follows is not None:
            history = self._histories[invocation.follows]
        return {
            "inputs": invocation.inputs,
            "history": history,
            "adapter": invocation.adapter,
            "max_steps": invocation.max_steps,
        }

    def _resume_module(self, suspension: JsonObject, resumption: Resumption) -> dspy.Prediction:
        saved = ConfirmationRequired.load(suspension)
        with self.use_settings():
            if resumption.mode == "async":
                return asyncio.run(self.module.aresume(resumption.response, saved))
            return self.module.resume(resumption.response, saved)

    def _run_prediction(self, predict: Callable[[], dspy.Prediction]) -> Outcome:
        """Return the outcome of a call, whatever it ends with."""
        try:
            prediction = predict()
        except ConfirmationRequired as asked:
            return Outcome(status="suspended", suspension=asked.dump())
        except Exception as error:
            return make_error_outcome(error)
        # A resumed call's is in the place of the suspended one's, of which it is the rest; here there may be none.
        self._histories[-1:] = [prediction.get("history")]
        return self._make_outcome(prediction)

    def _make_outcome(self, prediction: dspy.Prediction) -> Outcome:
        done = bridge.make_result(self._task, prediction, _OWN)
        trajectory = as_json_value(done.steps)
        return Outcome(
            status="ok",
            outputs=as_json_value(done.outputs),
            trajectory=trajectory,
            trajectory_format=_FORMATS.get(type(trajectory), "mapping"),
            history=_render_history(done.history),
            termination=done.termination,
        )


def _render_history(history: Any) -> JsonValue:
    """As JSON; what that can't hold, a part or the whole, is written as Python writes it."""
    made: JsonValue
    try:
        made = to_jsonable_python(history, fallback=repr)
    except PydanticSerializationError:
        made = repr(history)
    return made.get("messages") if isinstance(made, dict) and "messages" in made else made


def _read_fields(signature: Any) -> Fields:
    return Fields(
        inputs=tuple(signature.input_fields),
        outputs=tuple(signature.output_fields),
        instructions=signature.instructions,
    )
