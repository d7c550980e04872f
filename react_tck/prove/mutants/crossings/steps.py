"""Crossings of a step that came before in the same call, of what tools are and return, and of the module's adapter."""

from collections.abc import Callable
from inspect import iscoroutinefunction, signature
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
from react_tck.prove.mutants.operators.replies import args_changed, has_failed, of_users_tools
from react_tck.prove.mutants.operators.runs import Proceed, on_request, when
from react_tck.prove.mutants.operators.views import writing
from react_tck.reference import loop
from react_tck.reference.seams import Around, Site


def _names_unknown_tool(site: Site) -> bool:
    return any(step.tool not in {*site.agent.bound, loop.FINISH, ""} for step in site.state.steps)


def _has_result_of(kind: type[Any]) -> Any:
    return lambda site: any(isinstance(step.observation, kind) for step in site.state.steps)


def _rounding_for(is_meant: Callable[[Callable[..., Any]], bool]) -> Around[loop.Call, dict[str, Any]]:
    """In the seam `args`: rounded numbers for tools whose functions are such."""

    def rounding(site: Site, proceed: Proceed, call: loop.Call) -> dict[str, Any]:
        function = getattr(site.agent.bound.get(call.name), "function", None)
        operator = args_changed(rounded)
        args: dict[str, Any] = operator(site, proceed, call) if function and is_meant(function) else proceed(call)
        return args

    return rounding


def _takes_any_name(function: Callable[..., Any]) -> bool:
    return all(parameter.kind is parameter.VAR_KEYWORD for parameter in signature(function).parameters.values())


def _nulls_as_defaults(site: Site, proceed: Proceed, call: loop.Call) -> dict[str, Any]:
    parameters = site.agent.tools[call.name].args
    given: dict[str, Any] = proceed(call)
    return {name: parameters[name].get("default") if value is None else value for name, value in given.items()}


MUTANTS = {
    "nulls-as-defaults": crossing(
        "SAN-002",
        "Runs a tool with the default of a parameter for which the LM gave null.",
        args=of_users_tools(_nulls_as_defaults),
    ),
    "declared-tool-gets-rounded-args": crossing(
        "TOOL-001",
        "Hands on rounded numbers to a tool that takes args of any name, for which a schema declares them.",
        args=_rounding_for(_takes_any_name),
    ),
    "failed-step-hands-on-mappings": crossing(
        "TOOL-009",
        "Hands on a mapping in the place of a model, once a tool has failed in the call.",
        args=when(lambda site: any(has_failed(step) for step in site.state.steps), args_changed(as_mapping)),
    ),
    "unknown-tool-rounds-args": crossing(
        "TOOL-001",
        "Hands on rounded numbers, once the LM has named an unknown tool in the call.",
        args=when(_names_unknown_tool, args_changed(rounded)),
    ),
    "mapping-result-extracts-without-instructions": crossing(
        "EXT-005",
        "Asks for the answer without the signature's instructions, where a result is a mapping.",
        adapter=when(_has_result_of(dict), by_trajectory(on_request("extraction", writing(without_instructions)))),
    ),
    "list-result-extracts-without-instructions": crossing(
        "EXT-005",
        "Asks for the answer without the signature's instructions, where a result is a list.",
        adapter=when(_has_result_of(list), by_trajectory(on_request("extraction", writing(without_instructions)))),
    ),
    "null-result-extracts-without-instructions": crossing(
        "EXT-005",
        "Asks for the answer without the signature's instructions, where a result is null.",
        adapter=when(
            lambda site: any(step.observation is None and step.tool in site.agent.bound for step in site.state.steps),
            by_trajectory(on_request("extraction", writing(without_instructions))),
        ),
    ),
    "own-adapter-hides-tool-errors": crossing(
        "ERR-007",
        "Shows no step whose tool failed, where the module has an adapter of its own.",
        prompt=when(lambda site: site.agent.adapter is not None, showing("step", without_failures)),
    ),
    "coroutine-tool-gets-rounded-args": crossing(
        "TOOL-001",
        "Hands on rounded numbers to tools that are coroutine functions.",
        args=_rounding_for(iscoroutinefunction),
    ),
}
