"""Violations of how args reach the tools (TOOL-001, TOOL-008 to TOOL-010, TOOL-017)."""

import json
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from react_tck.model.base import JsonObject
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.replies import args_changed, if_text, of_users_tools
from react_tck.prove.mutants.operators.runs import Proceed
from react_tck.reference import loop
from react_tck.reference.seams import Around, Site
from react_tck.reference.tools import ArgsRefused

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
    """The args, without those that don't fit and that the tool has a default for."""
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
    """What has a default and no type is read as of its default's type, or as a text."""
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


MUTANTS = (
    mutant(
        "scalar-args-as-text",
        "TOOL-001",
        "Leaves numbers and truth values as the text the LM wrote.",
        args=_said(lambda said, args: args | _as_json(said, int, float)),
    ),
    mutant(
        "left-out-options-made-up",
        "TOOL-001",
        "Passes a null for every option the LM left out, whatever its default.",
        args=_declared(lambda parameters, args: dict.fromkeys(parameters) | args),
    ),
    mutant(
        "misfits-replaced-by-defaults",
        "TOOL-017",
        "Runs the tool with its default for an arg that doesn't fit.",
        args=of_users_tools(_with_defaults_for_misfits),
    ),
    mutant(
        "nested-misfits-let-through",
        "TOOL-017",
        "Doesn't look inside objects when it checks the args.",
        args=_where_refused(lambda said: said if all(isinstance(value, dict) for value in said.values()) else None),
    ),
    mutant(
        "unannotated-args-as-text",
        "TOOL-008",
        "Takes parameters without annotation for texts.",
        args=_untyped(str),
    ),
    mutant(
        "unannotated-texts-read",
        "TOOL-008",
        "Makes numbers of the texts it is given for parameters without annotation.",
        args=_untyped(if_text(json.loads)),
    ),
    mutant(
        "args-taken-for-its-own",
        "TOOL-010",
        "Takes args that are called like its own parameters for these, and doesn't pass them on.",
        args=_said(lambda _, args: _others(args)),
    ),
    mutant(
        "types-guessed-from-defaults",
        "TOOL-008",
        "Takes the type of a default for that of a parameter without annotation.",
        args=_declared(_typed_by_default),
    ),
    mutant(
        "undeclared-args-dropped",
        "TOOL-008",
        "Passes on the args that a tool declares, and no other.",
        args=_declared(lambda parameters, args: {name: value for name, value in args.items() if name in parameters}),
    ),
    mutant(
        "undeclared-keys-dropped",
        "TOOL-008",
        "Passes on the keys that an object declares, and no other.",
        args=args_changed(_declared_keys),
    ),
    mutant(
        "models-as-mappings",
        "TOOL-009",
        "Passes mappings on where the tool declares a model.",
        args=_said(lambda said, args: {name: said.get(name, value) for name, value in args.items()}),
    ),
    mutant(
        "digits-in-args-as-numbers",
        "TOOL-001",
        "Makes a number of a text of digits, whatever type the tool declares.",
        args=_said(lambda _, args: {n: int(v) if isinstance(v, str) and v.isdigit() else v for n, v in args.items()}),
    ),
    mutant(
        "choices-by-their-number",
        "TOOL-001",
        "Passes the number of a choice where a parameter declares some.",
        args=_declared(_choices_numbered),
    ),
)
