"""Crossings of a step that came before in the same call, of what tools are and return, and of the module's adapter."""

from inspect import iscoroutinefunction
from typing import Any

from react_tck.prove.mutants.operators.crossings import (
    as_mapping,
    crossing,
    rounded,
    showing,
    without_failures,
    without_instructions,
)
from react_tck.prove.mutants.operators.prompts import by_trajectory
from react_tck.prove.mutants.operators.replies import args_changed, has_failed
from react_tck.prove.mutants.operators.runs import Proceed, on_request, when
from react_tck.prove.mutants.operators.views import writing
from react_tck.reference import loop
from react_tck.reference.seams import Site


def _has_steps(site: Site) -> bool:
    return bool(site.state.steps)


def _has_failed_step(site: Site) -> bool:
    return any(has_failed(step) for step in site.state.steps)


def _names_unknown_tool(site: Site) -> bool:
    return any(step.tool not in {*site.agent.bound, loop.FINISH, ""} for step in site.state.steps)


def _has_result_of(kind: type[Any]) -> Any:
    return lambda site: any(isinstance(step.observation, kind) for step in site.state.steps)


def _round_for_coroutines(site: Site, proceed: Proceed, call: loop.Call) -> dict[str, Any]:
    function = getattr(site.agent.bound.get(call.name), "function", None)
    operator = args_changed(rounded)
    args: dict[str, Any] = operator(site, proceed, call) if iscoroutinefunction(function) else proceed(call)
    return args


MUTANTS = (
    crossing(
        "second-step-rounds-args",
        "TOOL-001",
        "Hands on rounded numbers from the second step on.",
        args=when(_has_steps, args_changed(rounded)),
    ),
    crossing(
        "failed-step-hands-on-mappings",
        "TOOL-009",
        "Hands on a mapping in the place of a model, once a tool has failed in the call.",
        args=when(_has_failed_step, args_changed(as_mapping)),
    ),
    crossing(
        "unknown-tool-rounds-args",
        "TOOL-001",
        "Hands on rounded numbers, once the LM has named an unknown tool in the call.",
        args=when(_names_unknown_tool, args_changed(rounded)),
    ),
    crossing(
        "mapping-result-extracts-without-instructions",
        "EXT-005",
        "Asks for the answer without the signature's instructions, where a result is a mapping.",
        adapter=when(_has_result_of(dict), by_trajectory(on_request("extraction", writing(without_instructions)))),
    ),
    crossing(
        "list-result-extracts-without-instructions",
        "EXT-005",
        "Asks for the answer without the signature's instructions, where a result is a list.",
        adapter=when(_has_result_of(list), by_trajectory(on_request("extraction", writing(without_instructions)))),
    ),
    crossing(
        "null-result-extracts-without-instructions",
        "EXT-005",
        "Asks for the answer without the signature's instructions, where a result is null.",
        adapter=when(
            lambda site: any(step.observation is None and step.tool in site.agent.bound for step in site.state.steps),
            by_trajectory(on_request("extraction", writing(without_instructions))),
        ),
    ),
    crossing(
        "own-adapter-hides-tool-errors",
        "ERR-007",
        "Shows no step whose tool failed, where the module has an adapter of its own.",
        prompt=when(lambda site: site.agent.adapter is not None, showing("step", without_failures)),
    ),
    crossing(
        "coroutine-tool-gets-rounded-args",
        "TOOL-001",
        "Hands on rounded numbers to tools that are coroutine functions.",
        args=_round_for_coroutines,
    ),
)
