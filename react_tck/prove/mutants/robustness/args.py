"""Violations of what becomes of args that are no JSON, no object, or don't fit (ERR-002 to ERR-004, ERR-021)."""

import ast
import json
import re
from collections.abc import Callable
from typing import Any

from react_tck.dialects.fields import TOOL_ARGS, TOOL_NAME
from react_tck.model.base import JsonObject
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.replies import args_changed, of_users_tools, reread
from react_tck.prove.mutants.operators.runs import Proceed, event_changed, policy, raised
from react_tck.prove.mutants.operators.views import LmReply, reading
from react_tck.reference import loop
from react_tck.reference.adapters.policies import read_args
from react_tck.reference.loop.policy import STRICT
from react_tck.reference.seams import Around, Edit, Site
from react_tck.reference.tools import ArgsRefused


def _bent(bend: Callable[[Any, list[str]], JsonObject | None]) -> Edit[Any]:
    """JSON args that are no object are made one; `bend` is given the tool's parameters too."""

    def read(site: Site, proceed: Proceed, reply: LmReply) -> dict[str, Any]:
        fields: dict[str, Any] = proceed(reply)
        tool = site.agent.bound.get(fields.get(TOOL_NAME))
        if isinstance(fields.get(TOOL_ARGS), dict):
            return fields
        try:
            said = json.loads(fields[TOOL_ARGS]) if tool else {}
        except ValueError:
            return fields
        args = None if isinstance(said, dict) else bend(said, list(tool.args))
        return fields if args is None else fields | {TOOL_ARGS: args}

    return reading(read)


def _positional(said: Any, parameters: list[str]) -> JsonObject | None:
    fits = isinstance(said, list) and len(said) == len(parameters)
    return dict(zip(parameters, said, strict=True)) if fits else None


def _pairs(said: Any, _parameters: list[str]) -> JsonObject | None:
    is_pairs = isinstance(said, list) and said and all(isinstance(x, list) and len(x) == 2 for x in said)
    return dict(said) if is_pairs else None


def _only_item(said: Any, _parameters: list[str]) -> JsonObject | None:
    is_only = isinstance(said, list) and len(said) == 1 and isinstance(said[0], dict)
    return said[0] if is_only else None


def _encoded(said: Any, parameters: list[str]) -> JsonObject | None:
    is_encoded = isinstance(said, str) and said.startswith("{")
    return dict.fromkeys(parameters, said) if is_encoded else None


def _zeroed(site: Site, proceed: Proceed, reply: LmReply) -> dict[str, Any]:
    fields: dict[str, Any] = proceed(reply)
    tool = site.agent.bound.get(fields.get(TOOL_NAME))
    if tool is None or isinstance(fields[TOOL_ARGS], dict) or _can_be_read(fields[TOOL_ARGS]):
        return fields
    return fields | {TOOL_ARGS: dict.fromkeys(tool.args, 0)}


def _can_be_read(text: str) -> bool:
    try:
        read_args(text, STRICT)
    except ValueError:
        return False
    return True


def _as_one_arg(_site: Site, event: loop.Event) -> loop.Event:
    if not isinstance(event, loop.ArgsMalformed):
        return event
    return loop.StepChosen(thought=event.thought, calls=(loop.Call(name=event.tool, args={"unread": event.reason}),))


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


def _with_zeros(site: Site, proceed: Proceed, call: loop.Call) -> dict[str, Any]:
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


def _as_python(_site: Site, text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return None


MUTANTS = {
    "args-read-as-python": mutant(
        "SAN-010",
        "Takes args that aren't JSON for a Python literal, and declares that it refuses them.",
        adapter=reread(_as_python),
    ),
    "last-good-args-again": mutant(
        "ERR-002",
        "Takes the args of an earlier step where those of a later one don't parse.",
        adapter=reread(lambda site, _: site.memory.get("args")),
    ),
    "malformed-args-break-off": mutant(
        "ERR-021",
        "Lets the decoder's error out where a mapping was expected.",
        perform=raised(loop.ArgsMalformed, lambda _: TypeError("the args are no mapping")),
    ),
    "malformed-args-extract": mutant(
        "SAN-010",
        "Goes to the extraction where args don't parse, and declares that it goes on.",
        begin=policy(malformed_args="extract"),
    ),
    "list-as-positional-args": mutant(
        "ERR-003", "Takes a list for the args in their declared order.", adapter=_bent(_positional)
    ),
    "pairs-as-args": mutant("ERR-003", "Takes a list of pairs for the args.", adapter=_bent(_pairs)),
    "only-item-unwrapped": mutant("ERR-003", "Takes the only item of a list for the args.", adapter=_bent(_only_item)),
    "no-object-as-no-args": mutant(
        "ERR-003",
        "Takes all that is no object for no args.",
        adapter=_bent(lambda said, _: None if isinstance(said, dict) else {}),
    ),
    "null-args-made-up": mutant(
        "ERR-003",
        "Takes null for args in which everything is one.",
        adapter=_bent(lambda said, names: dict.fromkeys(names, 1) if said is None else None),
    ),
    "double-encoded-args-as-text": mutant(
        "ERR-003", "Passes an object that is written as a JSON string on as that string.", adapter=_bent(_encoded)
    ),
    "unparsed-args-as-zeros": mutant(
        "ERR-002", "Runs the tool with zeros where its args don't parse.", adapter=reading(_zeroed)
    ),
    "unread-args-as-one-arg": mutant(
        "ERR-002",
        "Passes args that can't be read as one arg of a name that no tool has, for the tool to refuse it.",
        perform=event_changed(_as_one_arg),
    ),
    "missing-args-filled": mutant(
        "ERR-004",
        "Fills in a zero for what is missing, a default that nobody declared.",
        args=_fitted(lambda parameters, args: dict.fromkeys(parameters, 0) | args),
    ),
    "extra-args-dropped": mutant(
        "ERR-004",
        "Drops args the tool doesn't have, and runs it with the rest.",
        args=_fitted(lambda parameters, args: {name: args[name] for name in args if name in parameters}),
    ),
    "true-becomes-minus-one": mutant(
        "ERR-004",
        "Takes `true` for the number -1, as Basic does.",
        args=_each(lambda value: -int(value) if isinstance(value, bool) else value),
    ),
    "misfits-become-zero": mutant(
        "ERR-004",
        "Takes everything that is no whole number for zero where one is wanted.",
        args=of_users_tools(_with_zeros),
    ),
    "keys-matched-by-letter": mutant(
        "ERR-004",
        "Takes `A` for the parameter `a`.",
        args=_fitted(lambda _, args: {name.lower(): value for name, value in args.items()}),
    ),
    "fractions-cut-off": mutant(
        "ERR-004",
        "Cuts fractions off where a whole number is wanted.",
        args=_each(lambda value: int(value) if isinstance(value, float) else value),
    ),
    "numbers-found-in-texts": mutant(
        "ERR-004", "Takes the first number in a text where a number is wanted.", args=_each(_number_in)
    ),
    "numbers-wrapped": mutant(
        "ERR-004",
        "Carries whole numbers in 64 bits, in which larger ones are others.",
        args=args_changed(lambda value: (value + 2**63) % 2**64 - 2**63 if type(value) is int else value),
    ),
    "values-of-a-repeated-key-joined": mutant(
        "ERR-004", "Joins the values of a key that stands twice.", adapter=reread(_values_joined)
    ),
    "first-of-a-repeated-key": mutant(
        "SAN-010",
        "Takes the first value of a key that stands twice, and declares that it refuses the args.",
        adapter=reread(_first_values),
    ),
    "schema-mismatch-extracts": mutant(
        "SAN-010",
        "Refuses what could be made to fit and goes to the extraction, and declares that it makes it fit.",
        args=of_users_tools(_exact),
        begin=policy(schema_mismatch="extract"),
    ),
    "mismatch-breaks-off": mutant(
        "ERR-004",
        "Lets the error of a call with the wrong args out.",
        perform=raised(loop.ArgsMismatched, lambda event: TypeError(f"a tool got the wrong args: {event.reason}")),
    ),
}
