"""Violations of what the LM is shown of the parameters of tools (TOOL-002, TOOL-010 to TOOL-013)."""

import inspect
import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from react_tck.model.base import JsonObject
from react_tck.prove.mutants.core.tool_args import OWN_PARAMETERS
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.runs import after
from react_tck.reference.seams import Around, Site
from react_tck.reference.tools import BoundTool, bind_tool

Tools = dict[str, BoundTool]


def _shown(change: Callable[[JsonObject], JsonObject]) -> Around[Iterable[Any], Tools]:
    """Other parameters than a tool has, in what the LM is told of it."""
    return after(lambda _, tools: {name: replace(tool, args=change(tool.args)) for name, tool in tools.items()})


def _without(*keys: str) -> Callable[[JsonObject], JsonObject]:
    """The parameters without this in their schemas."""
    return lambda parameters: {name: _kept(schema, *keys) for name, schema in parameters.items()}


def _kept(schema: Any, *keys: str) -> JsonObject:
    return {key: value for key, value in schema.items() if key not in keys}


def _required(parameters: JsonObject) -> JsonObject:
    optional = {name for name, schema in parameters.items() if _kept(schema, "default") != schema}
    return _kept(parameters, *optional)


def _untyped_left_out(parameters: JsonObject) -> JsonObject:
    typed = {"type", "anyOf", "enum"}
    return {name: schema for name, schema in parameters.items() if typed & _kept(schema).keys()}


def _all_required(_site: Site, tools: Tools) -> Tools:
    return {
        name: replace(tool, description=f"{tool.description} {_required_list(tool)}") for name, tool in tools.items()
    }


def _required_list(tool: BoundTool) -> str:
    return json.dumps({"required": [*tool.args]})


def _raw_parameters(_site: Site, tools: Tools) -> Tools:
    """Whatever stands in the definition of the function, and in that of a method."""
    return {
        name: replace(tool, args={**{key: {} for key in _in_code(tool.function)}, **tool.args})
        for name, tool in tools.items()
    }


def _in_code(function: Any) -> list[str]:
    code = (
        inspect.unwrap(getattr(function, "__func__", function))
        if inspect.isroutine(function)
        else type(function).__call__
    )
    names = getattr(code, "__code__", None)
    if names is None:
        return []
    return list(names.co_varnames[: names.co_argcount + bool(names.co_flags & inspect.CO_VARKEYWORDS)])


def _declared_left_out(_site: Site, tools: Tools) -> Tools:
    return {name: replace(tool, args=bind_tool(tool.function).args) for name, tool in tools.items()}


def _first_one_shown(_site: Site, tools: Tools) -> Tools:
    return {name: replace(tool, args={}) if n else tool for n, (name, tool) in enumerate(tools.items())}


MUTANTS = {
    "optional-parameters-not-shown": mutant(
        "TOOL-002", "Shows the parameters without a default only.", tools=_shown(_required)
    ),
    "declared-parameters-not-shown": mutant(
        "TOOL-002",
        "Shows the parameters that a tool's function names, and none that its schema alone declares.",
        tools=after(_declared_left_out),
    ),
    "only-first-tools-parameters-shown": mutant(
        "TOOL-002",
        "Shows the parameters of the first tool, and of the others the names.",
        tools=after(_first_one_shown),
    ),
    "defaults-not-shown": mutant(
        "TOOL-011", "Shows the parameters without their defaults.", tools=_shown(_without("default"))
    ),
    "fields-of-nested-objects-not-shown": mutant(
        "TOOL-002",
        "Shows that a parameter is an object, and not what is in it.",
        tools=_shown(_without("properties", "required")),
    ),
    "unannotated-parameters-not-shown": mutant(
        "TOOL-002", "Shows the parameters that have a type only.", tools=_shown(_untyped_left_out)
    ),
    "parameters-named-like-its-own-not-shown": mutant(
        "TOOL-010",
        "Doesn't show the parameters that are called like its own.",
        tools=_shown(lambda parameters: _kept(parameters, *OWN_PARAMETERS)),
    ),
    "all-parameters-required": mutant(
        "TOOL-013", "Says of every parameter that it is required.", tools=after(_all_required)
    ),
    "parameters-of-the-code-shown": mutant(
        "TOOL-012",
        "Shows all that a function's definition names: the `self` of a method, and what takes args of any name.",
        tools=after(_raw_parameters),
    ),
}
