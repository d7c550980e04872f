"""Crossings of a step that came before in the same call, of what tools are and return, and of the module's adapter."""

from collections.abc import Callable
from inspect import signature
from typing import Any

from react_tck.prove.mutants.operators.crossings import (
    crossing,
    rounded,
)
from react_tck.prove.mutants.operators.replies import args_changed, of_users_tools
from react_tck.prove.mutants.operators.runs import Proceed
from react_tck.reference import loop
from react_tck.reference.seams import Around, Site


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
}
