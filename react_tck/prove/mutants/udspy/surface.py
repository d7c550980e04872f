"""Violations of the surface of udspy's ReAct (UDS-…)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from react_tck.prove.mutants.confirmation.suspension import in_context
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import asked_of
from react_tck.prove.mutants.operators.runs import (
    after,
    before,
    event_changed,
    in_a,
    is_async,
    policy,
    then,
    when,
    with_last_step,
)
from react_tck.prove.mutants.operators.views import inputs, retold
from react_tck.reference import UdspyReAct, loop
from react_tck.reference.loop.views.trajectory import as_mapping
from react_tck.reference.seams import Around, Site
from react_tck.reference.signatures.react import REASONING, TOOLS
from react_tck.reference.tools import BoundTool

_in_udspy = partial(in_a, UdspyReAct)


def _without_finish(site: Site, trajectory: dict[str, Any]) -> dict[str, Any]:
    finishes = [f"_{number}" for number, step in enumerate(site.state.steps) if step.tool == loop.FINISH]
    return {key: value for key, value in trajectory.items() if not key.endswith(tuple(finishes))}


def _with_thoughts(trajectory: dict[str, Any]) -> dict[str, Any]:
    return {key.replace(REASONING, "thought"): value for key, value in trajectory.items()}


def _tool_errors(told: Callable[[str, str], str]) -> Around[loop.Event, loop.State]:
    """Another text for a tool's error, given the tool's name and what it said."""

    def changed(_site: Site, event: loop.Event, following: loop.State) -> loop.State:
        if not isinstance(event, loop.ToolFailed):
            return following
        return with_last_step(following, observation=told(following.steps[-1].tool, event.reason))

    return then(changed)


def _finish_kept_apart(site: Site, program: dict[str, Any]) -> dict[str, Any]:
    del site.agent.bound[loop.FINISH]
    site.memory[loop.FINISH] = site.agent.tools.pop(loop.FINISH)
    return program


def _finish_described(describe: Callable[[str], str]) -> Any:
    """Another description of `finish`, given its own."""

    def changed(_site: Site, tools: dict[str, BoundTool]) -> dict[str, BoundTool]:
        finish = tools[loop.FINISH]
        return tools | {loop.FINISH: replace(finish, description=describe(finish.description))}

    return _in_udspy(after(changed))


def _reasoning_dropped(site: Site, event: loop.Event) -> loop.Event:
    is_native = isinstance(event, loop.StepChosen) and site.prompt.predictor == "native"
    return event.model_copy(update={"thought": ""}) if is_native else event


def _finish_not_offered(_site: Site, shown: dict[str, Any]) -> dict[str, Any]:
    return shown | {TOOLS: [tool for tool in shown[TOOLS] if tool.name != loop.FINISH]}


def _small_ones_blank(site: Site, trajectory: dict[str, Any]) -> dict[str, Any]:
    small = {f"observation_{number}": "" for number, step in enumerate(site.state.steps) if not step.observation}
    return trajectory | small


def _called_once_more(site: Site, given: dict[str, Any]) -> dict[str, Any]:
    site.memory["calls"] = site.memory.get("calls", 0) + 1
    return given


def _reasoning_dropped_later(site: Site, event: loop.Event) -> loop.Event:
    return _reasoning_dropped(site, event) if site.memory["calls"] > 1 else event


class _ExtractSignatureHidden:
    signature: Any

    @property
    def extract_signature(self) -> Any:
        return self.signature


MUTANTS = {
    "udspy-thought-keys": mutant(
        "UDS-001",
        "Has `thought_i` for `reasoning_i`.",
        prediction=_in_udspy(retold(lambda site, _: as_mapping(site.state.steps))),
    ),
    "thought-keys-while-it-waits": mutant(
        "UDS-001",
        "Has `thought_i` for `reasoning_i` in the context of a suspension.",
        suspension=_in_udspy(in_context(lambda context: {"trajectory": _with_thoughts(context["trajectory"])})),
    ),
    "udspy-error-without-the-tool": mutant(
        "UDS-002",
        "Doesn't name the tool in the observation of its error.",
        advance=_in_udspy(_tool_errors(lambda _, said: f"Error: {said}")),
    ),
    "udspy-finish-not-among-tools": mutant(
        "UDS-003",
        "Doesn't expose finish among its tools.",
        program=_in_udspy(_finish_kept_apart),
        prompt=asked_of(
            "native", inputs(lambda site, shown: shown | {TOOLS: [*shown[TOOLS], site.memory[loop.FINISH]]})
        ),
    ),
    "udspy-extract-signature-hidden": mutant(
        "UDS-003", "Shows the user's signature for that of the extraction.", mixin=_ExtractSignatureHidden
    ),
    "udspy-finish-of-the-first-output": mutant(
        "UDS-004",
        "Names but the first output in the description of finish.",
        tools=_finish_described(lambda description: description.partition(",")[0]),
    ),
    "udspy-reasoning-dropped": mutant(
        "UDS-005",
        "Takes the call of a native reply, and not the text beside it.",
        perform=_in_udspy(event_changed(_reasoning_dropped)),
    ),
    "udspy-finish-not-offered": mutant(
        "UDS-005",
        "Offers the user's tools natively, and not finish.",
        prompt=asked_of("native", inputs(_finish_not_offered)),
    ),
    "small-observations-blank": mutant(
        "UDS-001",
        "Records an empty text for a result that is 0, false or empty.",
        prediction=_in_udspy(retold(_small_ones_blank)),
    ),
    "async-finish-not-recorded": mutant(
        "UDS-001",
        "Leaves the finish step out of the trajectory, when called asynchronously.",
        prediction=_in_udspy(when(is_async, retold(_without_finish))),
    ),
    "native-error-in-other-words": mutant(
        "UDS-002",
        "Tells of a tool's error in other words where the call was a native one.",
        advance=_in_udspy(
            when(
                lambda site: hasattr(site, "prompt") and site.prompt.predictor == "native",
                _tool_errors(lambda _, said: f"Error: {said}"),
            )
        ),
    ),
    "native-reasoning-of-the-first-call-only": mutant(
        "UDS-005",
        "Drops the text beside a native call from the second call of an instance on.",
        begin=_in_udspy(before(_called_once_more)),
        perform=_in_udspy(event_changed(_reasoning_dropped_later)),
    ),
    "udspy-finish-in-other-words": mutant(
        "UDS-001",
        "Has dspy's word for the observation of the finish step.",
        begin=_in_udspy(policy(finished="Completed.")),
    ),
}
