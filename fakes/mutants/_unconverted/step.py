"""Violations of the step's signature and prompt (STEP-…)."""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar, Literal

import dspy

from react_tck.fakes.mutants.mutant import mutant
from react_tck.model.base import JsonObject
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct
from react_tck.reference.signatures import TRAJECTORY, SignatureType, step_signature
from react_tck.reference.tools import BoundTool

_TOOL_NAME, _TOOL_ARGS = "next_tool_name", "next_tool_args"
#: The sentence of the reference's step instructions that a few mutants leave out.
_JSON_SENTENCE = "`next_tool_args` must be a valid JSON object."


def _retyped(signature: SignatureType, field: str, type_: Any) -> SignatureType:
    return signature.with_updated_fields(field, type_=type_)  # type: ignore[no-any-return]


def _named(names: Iterable[str]) -> Any:
    return Literal[tuple(names)]


def _without(signature: SignatureType, text: str) -> SignatureType:
    return signature.with_instructions(signature.instructions.replace(text, ""))  # type: ignore[no-any-return]


@mutant("finish-not-offered", "STEP-001")
class FinishNotOffered(ReAct):
    """Constrains `next_tool_name` to the user's tools alone."""

    def _step_signature(self) -> SignatureType:
        signature = super()._step_signature()
        return _retyped(signature, _TOOL_NAME, _named(self.tools)) if self.tools else signature


@mutant("last-tool-not-offered", "STEP-001")
class LastToolNotOffered(ReAct):
    """Forgets the last tool in the constraint on `next_tool_name`."""

    def _step_signature(self) -> SignatureType:
        names = (*list(self.tools)[:-1], loop.FINISH)
        return _retyped(super()._step_signature(), _TOOL_NAME, _named(names))


@mutant("tool-names-unconstrained", "STEP-001")
class ToolNamesUnconstrained(ReAct):
    """Takes any text for `next_tool_name`."""

    def _step_signature(self) -> SignatureType:
        return _retyped(super()._step_signature(), _TOOL_NAME, str)


@mutant("each-tool-offered-once", "STEP-001")
class EachToolOfferedOnce(ReAct):
    """Offers no tool again that has run."""

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        used = {step.tool for step in state.steps}
        unused = {name: tool for name, tool in self.tools.items() if name not in used}
        self.react = dspy.Predict(step_signature(self.signature, unused))
        return (yield from super()._step(state, inputs))


@mutant("tools-of-all-instances", "STEP-001")
class ToolsOfAllInstances(ReAct):
    """Offers the tools of every instance that was ever constructed."""

    _registry: ClassVar[dict[str, BoundTool]] = {}

    def _step_signature(self) -> SignatureType:
        self._registry.update(self.tools)
        return step_signature(self.signature, self._registry)


@mutant("args-as-text", "STEP-002")
class ArgsAsText(ReAct):
    """Asks for `next_tool_args` as any text, and hopes that it is JSON."""

    def _step_signature(self) -> SignatureType:
        return _without(_retyped(super()._step_signature(), _TOOL_ARGS, str), _JSON_SENTENCE)

    def _chosen(self, reply: dspy.Prediction) -> loop.StepChosen:
        args = json.loads(reply.next_tool_args)
        return loop.StepChosen(thought=reply.next_thought, tool=reply.next_tool_name, args=args)


@mutant("json-left-to-the-adapter", "STEP-002")
class JsonLeftToTheAdapter(ReAct):
    """Leaves it to the adapter to say that `next_tool_args` is JSON, which not every adapter does."""

    def _step_signature(self) -> SignatureType:
        return _without(super()._step_signature(), _JSON_SENTENCE)


@mutant("step-without-second-input", "STEP-003")
class StepWithoutSecondInput(ReAct):
    """Gives the step predictor the first of the user's inputs only."""

    def _step_signature(self) -> SignatureType:
        signature = super()._step_signature()
        for name in list(self.signature.input_fields)[1:]:
            signature = signature.delete(name)
        return signature


@mutant("inputs-lost-after-the-first-step", "STEP-003")
class InputsLostAfterTheFirstStep(ReAct):
    """Gives the user's inputs to the first step only."""

    def _step_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        return super()._step_inputs(state, dict.fromkeys(inputs, "(see above)") if state.steps else inputs)


@mutant("step-without-trajectory", "STEP-003")
class StepWithoutTrajectory(ReAct):
    """Gives the step predictor observations, but not what they are observations of."""

    def _step_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        observations = "\n".join(str(step.observation) for step in state.steps)
        return super()._step_inputs(state, inputs) | {TRAJECTORY: observations}


@mutant("args-overwrite-step-inputs", "STEP-003")
class ArgsOverwriteStepInputs(ReAct):
    """Merges a tool's args into the inputs of the steps after it."""

    def _step_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        args = {key: value for step in state.steps for key, value in step.args.items() if key in inputs}
        return super()._step_inputs(state, {**inputs, **args})


@mutant("answer-asked-for-in-every-step", "STEP-003")
class AnswerAskedForInEveryStep(ReAct):
    """Asks for the user's outputs in every step, too."""

    def _step_signature(self) -> SignatureType:
        signature = super()._step_signature()
        for name, field in self.signature.output_fields.items():
            signature = signature.append(name, field, type_=field.annotation)
        return signature


@mutant("thought-not-asked-for", "STEP-003")
class ThoughtNotAskedFor(ReAct):
    """Asks for a tool name and its args without a thought."""

    def _step_signature(self) -> SignatureType:
        return super()._step_signature().delete("next_thought")  # type: ignore[no-any-return]

    def _chosen(self, reply: dspy.Prediction) -> loop.StepChosen:
        return loop.StepChosen(thought="", tool=reply.next_tool_name, args=reply.next_tool_args)


class _DescribedOtherwise(ReAct):
    """Shows tools otherwise than the reference does."""

    def _step_signature(self) -> SignatureType:
        shown = {name: self._shown(tool) for name, tool in self.tools.items()}
        return step_signature(self.signature, shown)

    def _shown(self, tool: BoundTool) -> BoundTool:
        raise NotImplementedError


@mutant("last-tool-not-described", "STEP-004")
class LastToolNotDescribed(ReAct):
    """Forgets the last tool in the prompt, though not in the constraint on its name."""

    def _step_signature(self) -> SignatureType:
        described = dict(list(self.tools.items())[:-1])
        names = (*self.tools, loop.FINISH)
        return _retyped(step_signature(self.signature, described), _TOOL_NAME, _named(names))


@mutant("descriptions-lost", "STEP-004")
class DescriptionsLost(_DescribedOtherwise):
    """Shows tools without their descriptions."""

    def _shown(self, tool: BoundTool) -> BoundTool:
        return replace(tool, description="")


@mutant("tools-described-once", "STEP-004")
class ToolsDescribedOnce(ReAct):
    """Describes the tools in the first step only."""

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        tools = {n: replace(t, description="", args={}) if state.steps else t for n, t in self.tools.items()}
        self.react = dspy.Predict(step_signature(self.signature, tools))
        return (yield from super()._step(state, inputs))


@mutant("arg-types-lost", "STEP-004")
class ArgTypesLost(_DescribedOtherwise):
    """Shows the names of a tool's arguments without their types."""

    def _shown(self, tool: BoundTool) -> BoundTool:
        return replace(tool, args=dict.fromkeys(tool.args))


@mutant("arg-names-lost", "STEP-004")
class ArgNamesLost(_DescribedOtherwise):
    """Shows tools without their arguments."""

    def _shown(self, tool: BoundTool) -> BoundTool:
        return replace(tool, args={})


@mutant("nested-args-lost", "STEP-004")
class NestedArgsLost(_DescribedOtherwise):
    """Shows of an object that it is one, and not what it holds."""

    def _shown(self, tool: BoundTool) -> BoundTool:
        return replace(tool, args={name: _shallow(schema) for name, schema in tool.args.items()})


@mutant("schema-words-stripped", "STEP-004")
class SchemaWordsStripped(_DescribedOtherwise):
    """Strips `title` and `default` from argument schemas wherever they stand, arguments of these names included."""

    def _shown(self, tool: BoundTool) -> BoundTool:
        return replace(tool, args=_stripped(tool.args))


@mutant("only-the-first-tools-args", "STEP-004")
class OnlyTheFirstToolsArgs(_DescribedOtherwise):
    """Shows the arguments of the first tool only."""

    def _shown(self, tool: BoundTool) -> BoundTool:
        return tool if tool.name == next(iter(self.tools)) else replace(tool, args={})


@mutant("instructions-lost", "STEP-005")
class InstructionsLost(ReAct):
    """Replaces the signature's own instructions by ReAct's in the step prompt."""

    def _step_signature(self) -> SignatureType:
        return _without(super()._step_signature(), self.signature.instructions)


def _shallow(schema: Any) -> JsonObject:
    return {key: value for key, value in dict(schema).items() if key in ("title", "type", "items")}


def _stripped(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {key: _stripped(inner) for key, inner in value.items() if key not in ("title", "default")}
