"""Violations of the extraction (EXT-…)."""

import copy
from collections.abc import Callable
from typing import Any

import dspy

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import (
    args_overwrite_inputs,
    by_trajectory,
    first_input_only,
    inputs_become,
    signed,
)
from react_tck.prove.mutants.operators.runs import Perform, Steps, has_finished, on, on_request, twice, when
from react_tck.prove.mutants.operators.views import outputs_changed, steps_shown
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.seams import Edit, Prompt, Site
from react_tck.reference.signatures.react import REASONING, SignatureType

_BLANK = "(not given)"


def _extracted_from(edit: Edit[Prompt]) -> Any:
    """Give the extraction other inputs."""
    return by_trajectory(on_request("extraction", edit))


def _steps(change: Callable[[Steps], Steps]) -> Any:
    """Give the extraction other steps."""
    return _extracted_from(steps_shown(change))


def _users(steps: Steps) -> Steps:
    return tuple(step for step in steps if step.tool != loop.FINISH)


def _last_observation(site: Site, outputs: dict[str, Any]) -> dict[str, Any]:
    observed = [step.observation for step in _users(site.state.steps)]
    return dict.fromkeys(outputs, observed[-1]) if observed else outputs


def _finish_args(site: Site, outputs: dict[str, Any]) -> dict[str, Any]:
    args = site.state.steps[-1].args if has_finished(site.state.steps) else {}
    return {name: args.get(name, value) for name, value in outputs.items()}


def _extracts_first(site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
    if site.state.steps:
        yield from perform(loop.AskExtraction())
    return (yield from perform(action))


def _kept(site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
    if "kept" not in site.memory:
        site.memory["kept"] = yield from perform(action)
    return site.memory["kept"]  # type: ignore[no-any-return]


def _reasoning_last(_site: Site, signature: SignatureType) -> SignatureType:
    return signature.delete(REASONING).append(REASONING, dspy.OutputField(), type_=str)  # type: ignore[no-any-return]


def _named(value: Any) -> Any:
    return str(value) if value is None else value


def _without_instructions(signature: SignatureType) -> SignatureType:
    return signature.with_instructions("Answer from what is known.")  # type: ignore[no-any-return]


def _hurried(site: Site, adapter: Any) -> Any:
    """Out of steps, the extraction is asked for without the signature's instructions."""
    made = copy.copy(adapter)
    made.format = lambda signature, demos, shown: adapter.format(_without_instructions(signature), demos, shown)
    return adapter if has_finished(site.state.steps) else made


MUTANTS = {
    "extraction-without-inputs": mutant(
        "EXT-001", "Gives the extraction the trajectory alone.", prompt=_extracted_from(inputs_become(_BLANK))
    ),
    "extraction-without-second-input": mutant(
        "EXT-001",
        "Gives the extraction the first of the user's inputs only.",
        program=signed("extract", first_input_only),
    ),
    "extraction-sees-the-last-step-only": mutant(
        "EXT-001",
        "Gives the extraction the last step of the trajectory only.",
        prompt=_steps(lambda steps: _users(steps)[-1:]),
    ),
    "last-step-not-extracted-from": mutant(
        "EXT-001",
        "Loses the step in which the steps run out.",
        prompt=_steps(lambda steps: steps if has_finished(steps) else steps[:-1]),
    ),
    "nothing-passed-on-without-steps": mutant(
        "EXT-001",
        "Passes nothing on to the extraction if no tool ran.",
        prompt=_extracted_from(when(lambda site: not _users(site.state.steps), inputs_become(_BLANK))),
    ),
    "args-overwrite-extraction-inputs": mutant(
        "EXT-001",
        "Merges the tools' args into the inputs of the extraction.",
        prompt=_extracted_from(args_overwrite_inputs),
    ),
    "first-output-for-all": mutant(
        "EXT-002",
        "Returns the first output's value for each of them.",
        prediction=outputs_changed(lambda _, outputs: dict.fromkeys(outputs, next(iter(outputs.values())))),
    ),
    "last-observation-as-answer": mutant(
        "EXT-002",
        "Returns what the last tool returned instead of what was extracted.",
        prediction=outputs_changed(_last_observation),
    ),
    "finish-args-as-answer": mutant(
        "EXT-002",
        "Takes outputs from the args of `finish` where they have them.",
        prediction=outputs_changed(_finish_args),
    ),
    "outputs-of-the-first-call": mutant(
        "EXT-002",
        "Returns the outputs of its first call in every later one.",
        prediction=outputs_changed(lambda site, outputs: site.memory.setdefault("first", outputs)),
    ),
    "extraction-twice-at-max-steps": mutant(
        "EXT-003",
        "Extracts when the steps run out, and once more after the loop.",
        perform=when(lambda site: not has_finished(site.state.steps), on(loop.AskExtraction, twice)),
    ),
    "extraction-after-every-step": mutant(
        "EXT-003",
        "Extracts after every step to see whether that is enough, and goes on.",
        perform=by_trajectory(on(loop.AskStep, _extracts_first)),
    ),
    "extraction-in-the-first-call-only": mutant(
        "EXT-003", "Keeps the first call's extraction for every later call.", perform=on(loop.AskExtraction, _kept)
    ),
    "reasoning-asked-for-last": mutant(
        "EXT-004",
        "Asks for the reasoning after the outputs it should lead to.",
        program=signed("extract", _reasoning_last),
    ),
    "undeclared-predict": mutant(
        "EXT-004",
        "Declares chain of thought, and extracts with a plain predict.",
        program=signed("extract", lambda _, signature: signature.delete(REASONING)),
    ),
    "null-returned-as-none": mutant(
        "EXT-006",
        "Returns an output that is null as the text `None`.",
        prediction=outputs_changed(lambda _, outputs: {name: _named(value) for name, value in outputs.items()}),
    ),
    "extraction-without-instructions": mutant(
        "EXT-005",
        "Asks for the extraction in words of its own, without the signature's.",
        program=signed("extract", lambda _, signature: _without_instructions(signature)),
    ),
    "instructions-lost-at-max-steps": mutant(
        "EXT-005",
        "Leaves the signature's instructions out of an extraction for which the steps ran out.",
        adapter=by_trajectory(on_request("extraction", _hurried)),
    ),
}
