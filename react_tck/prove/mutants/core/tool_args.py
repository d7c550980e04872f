"""Violations of what the LM is shown of the parameters of tools, and of how args reach them (TOOL-…)."""

import inspect
import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from react_tck.model.base import JsonObject
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.replies import args_changed, if_text, of_users_tools
from react_tck.prove.mutants.operators.runs import Proceed, after
from react_tck.reference import loop
from react_tck.reference.seams import Around, Site
from react_tck.reference.tools import ArgsRefused, BoundTool, bind_tool

Tools = dict[str, BoundTool]


def _shown(change: Callable[[JsonObject], JsonObject]) -> Around[Iterable[Any], Tools]:
    """Other parameters than a tool has, in what the LM is told of it."""
    return after(lambda _, tools: {name: replace(tool, args=change(tool.args)) for name, tool in tools.items()})


def _without(*keys: str) -> Callable[[JsonObject], JsonObject]:
    """Return the parameters without this in their schemas."""
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


Args = dict[str, Any]

#: The parameters of a function that calls tools by keyword.
OWN_PARAMETERS = ("self", "name", "args", "kwargs", "instance", "config")


def _said(change: Callable[[JsonObject, Args], Args]) -> Around[loop.Call, Args]:
    """Other args than those that fit; the change is given those that the LM said too."""
    return of_users_tools(lambda _, proceed, call: change(call.args, proceed(call)))


def _declared(change: Callable[[JsonObject, Args], Args]) -> Around[loop.Call, Args]:
    """Other args than those that fit; the change is given the schemas of the tool's parameters too."""
    return of_users_tools(lambda site, proceed, call: change(site.agent.bound[call.name].args, proceed(call)))


def _where_refused(instead: Callable[[JsonObject], Args | None]) -> Around[loop.Call, Args]:
    """Args in the place of some that don't fit, where there are any to take instead."""

    def let_through(_site: Site, proceed: Proceed, call: loop.Call) -> Args:
        try:
            fitting: Args = proceed(call)
        except ArgsRefused:
            args = instead(call.args)
            if args is None:
                raise
            return args
        return fitting

    return of_users_tools(let_through)


def _with_defaults_for_misfits(site: Site, proceed: Proceed, call: loop.Call) -> Args:
    """Return the args, without those that don't fit and that the tool has a default for."""
    parameters = site.agent.bound[call.name].args
    optional = {name for name, schema in parameters.items() if _declares(schema, "default")}
    try:
        fitting: Args = proceed(call)
    except ArgsRefused:
        if optional.isdisjoint(call.args):
            raise
        return {name: value for name, value in call.args.items() if name not in optional}
    return fitting


def _as_json(said: JsonObject, *kinds: type[Any]) -> Args:
    return {name: json.dumps(value) for name, value in said.items() if isinstance(value, kinds)}


def _untyped(change: Callable[[Any], Any]) -> Around[loop.Call, Args]:
    """Other values for the parameters that have no type."""
    return _declared(
        lambda parameters, args: {
            name: change(value) if _is_untyped(parameters.get(name, {})) else value for name, value in args.items()
        }
    )


def _is_untyped(schema: Any) -> bool:
    return not any(_declares(schema, key) for key in ("type", "anyOf", "enum"))


def _typed_by_default(parameters: JsonObject, args: Args) -> Args:
    """Return what has a default and no type is read as of its default's type, or as a text."""
    return {name: _like(value, parameters.get(name)) for name, value in args.items()}


def _like(value: Any, schema: Any) -> Any:
    if not schema or not _declares(schema, "default") or not _is_untyped(schema):
        return value
    default = schema["default"]
    return int(value) if isinstance(default, int) and isinstance(value, str) else str(value)


def _others(args: Args) -> Args:
    return {name: value for name, value in args.items() if name not in OWN_PARAMETERS}


def _declared_keys(value: Any) -> Any:
    """Objects with the keys they declare; mappings as they are."""
    if isinstance(value, BaseModel):
        return type(value)(**{name: getattr(value, name) for name in type(value).model_fields})
    return value


def _declares(schema: Any, key: str) -> bool:
    return key in schema


def _choices_numbered(schemas: JsonObject, args: Args) -> Args:
    declared: dict[str, Any] = {name: schema for name, schema in schemas.items() if isinstance(schema, dict)}
    choices = {name: schema["enum"] for name, schema in declared.items() if "enum" in schema}
    return {name: choices[name].index(value) if name in choices else value for name, value in args.items()}


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
    "scalar-args-as-text": mutant(
        "TOOL-001",
        "Leaves numbers and truth values as the text the LM wrote.",
        args=_said(lambda said, args: args | _as_json(said, int, float)),
    ),
    "left-out-options-made-up": mutant(
        "TOOL-001",
        "Passes a null for every option the LM left out, whatever its default.",
        args=_declared(lambda parameters, args: dict.fromkeys(parameters) | args),
    ),
    "misfits-replaced-by-defaults": mutant(
        "TOOL-017",
        "Runs the tool with its default for an arg that doesn't fit.",
        args=of_users_tools(_with_defaults_for_misfits),
    ),
    "nested-misfits-let-through": mutant(
        "TOOL-017",
        "Doesn't look inside objects when it checks the args.",
        args=_where_refused(lambda said: said if all(isinstance(value, dict) for value in said.values()) else None),
    ),
    "unannotated-texts-read": mutant(
        "TOOL-008",
        "Makes numbers of the texts it is given for parameters without annotation.",
        args=_untyped(if_text(json.loads)),
    ),
    "args-taken-for-its-own": mutant(
        "TOOL-010",
        "Takes args that are called like its own parameters for these, and doesn't pass them on.",
        args=_said(lambda _, args: _others(args)),
    ),
    "types-guessed-from-defaults": mutant(
        "TOOL-008",
        "Takes the type of a default for that of a parameter without annotation.",
        args=_declared(_typed_by_default),
    ),
    "undeclared-args-dropped": mutant(
        "TOOL-008",
        "Passes on the args that a tool declares, and no other.",
        args=_declared(lambda parameters, args: {name: value for name, value in args.items() if name in parameters}),
    ),
    "undeclared-keys-dropped": mutant(
        "TOOL-008", "Passes on the keys that an object declares, and no other.", args=args_changed(_declared_keys)
    ),
    "models-as-mappings": mutant(
        "TOOL-009",
        "Passes mappings on where the tool declares a model.",
        args=_said(lambda said, args: {name: said.get(name, value) for name, value in args.items()}),
    ),
    "digits-in-args-as-numbers": mutant(
        "TOOL-001",
        "Makes a number of a text of digits, whatever type the tool declares.",
        args=_said(lambda _, args: {n: int(v) if isinstance(v, str) and v.isdigit() else v for n, v in args.items()}),
    ),
    "choices-by-their-number": mutant(
        "TOOL-001", "Passes the number of a choice where a parameter declares some.", args=_declared(_choices_numbered)
    ),
}
