"""Violations of the step's signature and prompt (STEP-…)."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Literal

from react_tck.dialects.fields import TOOL_ARGS, TOOL_NAME
from react_tck.model.base import JsonObject
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import (
    args_overwrite_inputs,
    asked_of,
    by_trajectory,
    first_input_only,
    signed,
)
from react_tck.prove.mutants.operators.runs import on_request, raised, when
from react_tck.prove.mutants.operators.views import inputs, rewired
from react_tck.reference import loop
from react_tck.reference.seams import Edit, Prompt, Site
from react_tck.reference.signatures.react import TRAJECTORY, SignatureType, step_signature
from react_tck.reference.tools import BoundTool

#: The sentence of the reference's step instructions that a few mutants leave out.
_JSON_SENTENCE = "`next_tool_args` must be a valid JSON object."

Tools = dict[str, BoundTool]


def _retyped(signature: SignatureType, field: str, type_: Any) -> SignatureType:
    return signature.with_updated_fields(field, type_=type_)  # type: ignore[no-any-return]


def _named(signature: SignatureType, names: Iterable[str]) -> SignatureType:
    return _retyped(signature, TOOL_NAME, Literal[tuple(names)])


def _without(signature: SignatureType, text: str) -> SignatureType:
    return signature.with_instructions(signature.instructions.replace(text, ""))  # type: ignore[no-any-return]


def _tools(site: Site) -> Tools:
    """Return the tools without `finish`, which is built in."""
    return {name: tool for name, tool in site.agent.bound.items() if name != loop.FINISH}


def _offering(site: Site, tools: Tools) -> SignatureType:
    """Return the step's signature with these tools."""
    built_in = {name: tool for name, tool in site.agent.bound.items() if name == loop.FINISH}
    return step_signature(site.agent.signature, {**tools, **built_in})


def _step_signed(change: Callable[[Site, SignatureType], SignatureType]) -> Any:
    """Another signature of the step."""
    return signed("react", change)


def _asking_by(change: Callable[[Site, SignatureType], SignatureType], **unasked: Any) -> Any:
    """Return a step asked for, and its reply read, by another signature than the predictor's."""

    def edited(site: Site, adapter: Any) -> Any:
        return rewired(
            adapter,
            lambda other: edited(site, other),
            format=lambda signature, demos, shown: adapter.format(change(site, signature), demos, shown),
            parse=lambda signature, said: {**unasked, **adapter.parse(change(site, signature), said)},
        )

    return by_trajectory(asked_of("react", edited))


def _asking_step(edit: Edit[Prompt]) -> Any:
    """Other inputs of the step."""
    return by_trajectory(on_request("step", edit))


def _unused(site: Site, _signature: SignatureType) -> SignatureType:
    used = {step.tool for step in site.state.steps}
    return _offering(site, {name: tool for name, tool in _tools(site).items() if name not in used})


def _observations(site: Site, shown: dict[str, Any]) -> dict[str, Any]:
    return shown | {TRAJECTORY: "\n".join(str(step.observation) for step in site.state.steps)}


def _described(change: Callable[[Site, BoundTool], BoundTool]) -> Any:
    """Tools shown otherwise than the reference does."""
    return _step_signed(
        lambda site, _: _offering(site, {name: change(site, tool) for name, tool in _tools(site).items()})
    )


def _bare(site: Site, _signature: SignatureType) -> SignatureType:
    return _offering(site, {name: replace(tool, description="", args={}) for name, tool in _tools(site).items()})


def _shallow(schema: Any) -> JsonObject:
    return {key: value for key, value in dict(schema).items() if key in ("title", "type", "items")}


def _stripped(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {key: _stripped(inner) for key, inner in value.items() if key not in ("title", "default")}


MUTANTS = {
    "finish-not-offered": mutant(
        "STEP-001",
        "Constrains `next_tool_name` to the user's tools alone.",
        program=_step_signed(lambda site, signature: _named(signature, _tools(site)) if _tools(site) else signature),
    ),
    "each-tool-offered-once": mutant("STEP-001", "Offers no tool again that has run.", adapter=_asking_by(_unused)),
    "args-as-text": mutant(
        "STEP-002",
        "Asks for `next_tool_args` as any text, and hopes that it is JSON.",
        program=_step_signed(lambda _site, signature: _without(_retyped(signature, TOOL_ARGS, str), _JSON_SENTENCE)),
        perform=by_trajectory(raised(loop.ArgsMalformed, lambda event: ValueError(event.reason))),
    ),
    "json-left-to-the-adapter": mutant(
        "STEP-002",
        "Leaves it to the adapter to say that `next_tool_args` is JSON, which not every adapter does.",
        program=_step_signed(lambda _, signature: _without(signature, _JSON_SENTENCE)),
    ),
    "step-without-second-input": mutant(
        "STEP-003",
        "Gives the step predictor the first of the user's inputs only.",
        program=_step_signed(first_input_only),
    ),
    "step-without-trajectory": mutant(
        "STEP-003",
        "Gives the step predictor observations, but not what they are observations of.",
        prompt=_asking_step(inputs(_observations)),
    ),
    "args-overwrite-step-inputs": mutant(
        "STEP-003",
        "Merges a tool's args into the inputs of the steps after it.",
        prompt=_asking_step(args_overwrite_inputs),
    ),
    "thought-not-asked-for": mutant(
        "STEP-003",
        "Asks for a tool name and its args without a thought.",
        adapter=_asking_by(lambda _, signature: signature.delete("next_thought"), next_thought=""),
    ),
    "tools-described-once": mutant(
        "STEP-004",
        "Describes the tools in the first step only.",
        adapter=when(lambda site: bool(site.state.steps), _asking_by(_bare)),
    ),
    "arg-types-lost": mutant(
        "STEP-004",
        "Shows the names of a tool's arguments without their types.",
        program=_described(lambda _, tool: replace(tool, args=dict.fromkeys(tool.args))),
    ),
    "nested-args-lost": mutant(
        "STEP-004",
        "Shows of an object that it is one, and not what it holds.",
        program=_described(lambda _, tool: replace(tool, args={n: _shallow(one) for n, one in tool.args.items()})),
    ),
    "schema-words-stripped": mutant(
        "STEP-004",
        "Strips `title` and `default` from argument schemas wherever they stand, arguments of these names included.",
        program=_described(lambda _, tool: replace(tool, args=_stripped(tool.args))),
    ),
    "instructions-lost": mutant(
        "STEP-005",
        "Replaces the signature's own instructions by ReAct's in the step prompt.",
        program=_step_signed(lambda site, signature: _without(signature, site.agent.signature.instructions)),
    ),
}
