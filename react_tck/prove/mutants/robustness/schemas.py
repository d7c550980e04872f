"""Violations of what becomes of args that don't fit the tool (ERR-004), and of a key that stands twice (SAN-010)."""

import json
import re
from collections.abc import Callable
from typing import Any

from react_tck.model.base import JsonObject
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.replies import args_changed, of_users_tools, reread
from react_tck.prove.mutants.operators.runs import Proceed, policy, raised
from react_tck.reference import loop
from react_tck.reference.seams import Around, Site
from react_tck.reference.tools import ArgsRefused


def _fitted(fit: Callable[[JsonObject, JsonObject], dict[str, Any]]) -> Around[loop.Call, dict[str, Any]]:
    """Misfitting args are changed, given the tool's parameters."""

    def fitted(site: Site, proceed: Proceed, call: loop.Call) -> dict[str, Any]:
        try:
            converted: dict[str, Any] = proceed(call)
        except ArgsRefused:
            converted = proceed(call.model_copy(update={"args": fit(site.agent.bound[call.name].args, call.args)}))
        return converted

    return of_users_tools(fitted)


def _each(change: Callable[[Any], Any]) -> Around[loop.Call, dict[str, Any]]:
    return _fitted(lambda _, args: {name: change(value) for name, value in args.items()})


def _number_in(value: Any) -> Any:
    found = re.search(r"\d+", value) if isinstance(value, str) else None
    return int(found[0]) if found else value


def _zeroed(site: Site, proceed: Proceed, call: loop.Call) -> dict[str, Any]:
    schemas = site.agent.bound[call.name].args
    fits = {n: isinstance(v, int) or schemas[n].get("type") != "integer" for n, v in call.args.items()}
    zeroed: dict[str, Any] = proceed(
        call.model_copy(update={"args": {n: v if fits[n] else 0 for n, v in call.args.items()}})
    )
    return zeroed


def _exact(_site: Site, proceed: Proceed, call: loop.Call) -> dict[str, Any]:
    converted: dict[str, Any] = proceed(call)
    if changed := next((n for n, value in converted.items() if type(value) is not type(call.args[n])), None):
        raise ArgsRefused(f"{changed} is of the wrong type")
    return converted


def _values_joined(_site: Site, text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_joined)
    except ValueError:
        return None


def _first_values(_site: Site, text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=lambda members: dict(reversed(members)))
    except ValueError:
        return None


def _joined(members: list[tuple[str, Any]]) -> JsonObject:
    joined: JsonObject = {}
    for name, value in members:
        joined[name] = f"{joined[name]}{value}" if name in joined else value
    return joined


MUTANTS = (
    mutant(
        "missing-args-filled",
        "ERR-004",
        "Fills in a zero for what is missing, a default that nobody declared.",
        args=_fitted(lambda parameters, args: dict.fromkeys(parameters, 0) | args),
    ),
    mutant(
        "extra-args-dropped",
        "ERR-004",
        "Drops args the tool doesn't have, and runs it with the rest.",
        args=_fitted(lambda parameters, args: {name: args[name] for name in args if name in parameters}),
    ),
    mutant(
        "true-becomes-minus-one",
        "ERR-004",
        "Takes `true` for the number -1, as Basic does.",
        args=_each(lambda value: -int(value) if isinstance(value, bool) else value),
    ),
    mutant(
        "misfits-become-zero",
        "ERR-004",
        "Takes everything that is no whole number for zero where one is wanted.",
        args=of_users_tools(_zeroed),
    ),
    mutant(
        "keys-matched-by-letter",
        "ERR-004",
        "Takes `A` for the parameter `a`.",
        args=_fitted(lambda _, args: {name.lower(): value for name, value in args.items()}),
    ),
    mutant(
        "fractions-cut-off",
        "ERR-004",
        "Cuts fractions off where a whole number is wanted.",
        args=_each(lambda value: int(value) if isinstance(value, float) else value),
    ),
    mutant(
        "numbers-found-in-texts",
        "ERR-004",
        "Takes the first number in a text where a number is wanted.",
        args=_each(_number_in),
    ),
    mutant(
        "numbers-wrapped",
        "ERR-004",
        "Carries whole numbers in 64 bits, in which larger ones are others.",
        args=args_changed(lambda value: (value + 2**63) % 2**64 - 2**63 if type(value) is int else value),
    ),
    mutant(
        "values-of-a-repeated-key-joined",
        "ERR-004",
        "Joins the values of a key that stands twice.",
        adapter=reread(_values_joined),
    ),
    mutant(
        "first-of-a-repeated-key",
        "SAN-010",
        "Takes the first value of a key that stands twice, and declares that it refuses the args.",
        adapter=reread(_first_values),
    ),
    mutant(
        "schema-mismatch-extracts",
        "SAN-010",
        "Refuses what could be made to fit and goes to the extraction, and declares that it makes it fit.",
        args=of_users_tools(_exact),
        begin=policy(schema_mismatch="extract"),
    ),
    mutant(
        "mismatch-breaks-off",
        "ERR-004",
        "Lets the error of a call with the wrong args out.",
        perform=raised(loop.ArgsMismatched, lambda event: TypeError(f"a tool got the wrong args: {event.reason}")),
    ),
)
