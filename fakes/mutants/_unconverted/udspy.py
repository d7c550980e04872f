"""Violations of the surface of udspy's ReAct (UDS-…)."""

import traceback
from collections.abc import Callable, Iterable
from typing import Any

import dspy

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.native_step import REASONING
from react_tck.reference.signatures import TRAJECTORY, SignatureType
from react_tck.reference.tools import BoundTool
from react_tck.reference.trajectory import as_mapping
from react_tck.reference.udspy import UdspyReAct


@mutant("udspy-thought-keys", "UDS-001")
class UdspyThoughtKeys(UdspyReAct):
    """Has `thought_i` for `reasoning_i`."""

    def _trajectory(self, state: loop.State) -> dict[str, Any]:
        return as_mapping(state.steps)


@mutant("udspy-episodes", "UDS-001")
class UdspyEpisodes(UdspyReAct):
    """Returns a list of episodes for the mapping."""

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        prediction = super()._prediction(state, reply)
        prediction[TRAJECTORY] = [step.model_dump() for step in state.steps]
        return prediction


@mutant("udspy-finish-unrecorded", "UDS-001")
class UdspyFinishUnrecorded(UdspyReAct):
    """Doesn't record the finish step."""

    def _trajectory(self, state: loop.State) -> dict[str, Any]:
        steps = tuple(step for step in state.steps if step.tool != loop.FINISH)
        return super()._trajectory(state.model_copy(update={"steps": steps}))


@mutant("udspy-finish-in-other-words", "UDS-001")
class UdspyFinishInOtherWords(UdspyReAct):
    """Has dspy's word for the observation of the finish step."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.policy = self.policy.model_copy(update={"finished": "Completed."})


@mutant("udspy-observation-values", "UDS-001")
class UdspyObservationValues(UdspyReAct):
    """Records what a tool returned as the value it is, not as text."""

    def _trajectory(self, state: loop.State) -> dict[str, Any]:
        return as_mapping(state.steps, thought=REASONING)


class _ToolErrors(UdspyReAct):
    """Has another text for a tool's error; `_retold` makes it."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        if not isinstance(event, loop.ToolFailed):
            return following
        *earlier, last = following.steps
        retold = last.model_copy(update={"observation": self._retold(last.tool, event.reason)})
        return following.model_copy(update={"steps": (*earlier, retold)})

    def _retold(self, tool: str, reason: str) -> str:
        raise NotImplementedError


@mutant("udspy-error-with-traceback", "UDS-002")
class UdspyErrorWithTraceback(_ToolErrors):
    """Has a traceback in the observation of a tool's error."""

    def _retold(self, tool: str, reason: str) -> str:
        return f"Traceback '{tool}': {''.join(traceback.format_stack(limit=1))}{reason}."


@mutant("udspy-error-without-the-tool", "UDS-002")
class UdspyErrorWithoutTheTool(_ToolErrors):
    """Doesn't name the tool in the observation of its error."""

    def _retold(self, tool: str, reason: str) -> str:  # noqa: ARG002 - so it is
        return f"Error: {reason}"


@mutant("udspy-error-ends-the-loop", "UDS-002")
class UdspyErrorEndsTheLoop(UdspyReAct):
    """Raises what a tool raises."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.policy = self.policy.model_copy(update={"tool_error": "error"})


@mutant("udspy-finish-not-among-tools", "UDS-003")
class UdspyFinishNotAmongTools(UdspyReAct):
    """Doesn't expose finish among its tools."""

    def _bind(self, tools: Iterable[Callable[..., Any]]) -> dict[str, BoundTool]:
        return {name: tool for name, tool in super()._bind(tools).items() if name != loop.FINISH}


@mutant("udspy-extract-signature-hidden", "UDS-003")
class UdspyExtractSignatureHidden(UdspyReAct):
    """Shows the user's signature for that of the extraction."""

    @property
    def extract_signature(self) -> SignatureType:
        """The user's."""
        return self.signature


@mutant("udspy-react-signature-without-inputs", "UDS-003")
class UdspyReactSignatureWithoutInputs(UdspyReAct):
    """Leaves the user's inputs out of the signature of the reasoning loop."""

    @property
    def react_signature(self) -> SignatureType:
        """The outputs alone."""
        made: SignatureType = dspy.Signature(dict(super().react_signature.output_fields), "")
        return made


@mutant("udspy-finish-described-otherwise", "UDS-004")
class UdspyFinishDescribedOtherwise(UdspyReAct):
    """Describes finish in dspy's words."""

    def _finish(self) -> BoundTool:
        return _described(super()._finish(), "Marks the task as complete. All information for the outputs is known.")


@mutant("udspy-finish-of-the-first-output", "UDS-004")
class UdspyFinishOfTheFirstOutput(UdspyReAct):
    """Names but the first output in the description of finish."""

    def _finish(self) -> BoundTool:
        finish = super()._finish()
        return _described(finish, finish.description.partition(",")[0])


def _described(tool: BoundTool, description: str) -> BoundTool:
    return BoundTool(tool.name, description, tool.args, tool.function)


@mutant("udspy-reasoning-dropped", "UDS-005")
class UdspyReasoningDropped(UdspyReAct):
    """Takes the call of a native reply, and not the text beside it."""

    def _called(self, reply: dspy.Prediction) -> loop.Event:
        event = super()._called(reply)
        return event.model_copy(update={"thought": ""}) if isinstance(event, loop.StepChosen) else event


@mutant("udspy-selection-asked-apart", "UDS-005")
class UdspySelectionAskedApart(UdspyReAct):
    """Asks for the reasoning in one request, and for the selection in another."""

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        yield from super()._step(state, inputs)
        return (yield from super()._step(state, inputs))


@mutant("udspy-finish-not-offered", "UDS-005")
class UdspyFinishNotOffered(UdspyReAct):
    """Offers the user's tools natively, and not finish."""

    def _offered(self) -> list[dspy.Tool]:
        return [tool for tool in super()._offered() if tool.name != loop.FINISH]
