"""Violations of what becomes of args that are no JSON, or no object (ERR-002, ERR-003, ERR-021, SAN-010)."""

import ast
import json
from collections.abc import Callable
from typing import Any

from react_tck.dialects.fields import TOOL_ARGS, TOOL_NAME
from react_tck.model.base import JsonObject
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.replies import reread
from react_tck.prove.mutants.operators.runs import Proceed, event_changed, policy, raised
from react_tck.prove.mutants.operators.views import LmReply, reading
from react_tck.reference import loop
from react_tck.reference.adapters.policies import read_args
from react_tck.reference.loop.policy import STRICT
from react_tck.reference.seams import Edit, Site


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


def _as_python(_site: Site, text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return None


MUTANTS = (
    mutant(
        "last-good-args-again",
        "ERR-002",
        "Takes the args of an earlier step where those of a later one don't parse.",
        adapter=reread(lambda site, _: site.memory.get("args")),
    ),
    mutant(
        "malformed-args-break-off",
        "ERR-021",
        "Lets the decoder's error out where a mapping was expected.",
        perform=raised(loop.ArgsMalformed, lambda _: TypeError("the args are no mapping")),
    ),
    mutant(
        "malformed-args-extract",
        "SAN-010",
        "Goes to the extraction where args don't parse, and declares that it goes on.",
        begin=policy(malformed_args="extract"),
    ),
    mutant(
        "list-as-positional-args",
        "ERR-003",
        "Takes a list for the args in their declared order.",
        adapter=_bent(_positional),
    ),
    mutant("pairs-as-args", "ERR-003", "Takes a list of pairs for the args.", adapter=_bent(_pairs)),
    mutant(
        "only-item-unwrapped",
        "ERR-003",
        "Takes the only item of a list for the args.",
        adapter=_bent(_only_item),
    ),
    mutant(
        "no-object-as-no-args",
        "ERR-003",
        "Takes null, false, zero, an empty list and an empty text for no args.",
        adapter=_bent(lambda said, _: None if said else {}),
    ),
    mutant(
        "null-args-made-up",
        "ERR-003",
        "Takes null for args in which everything is one.",
        adapter=_bent(lambda said, names: dict.fromkeys(names, 1) if said is None else None),
    ),
    mutant(
        "double-encoded-args-as-text",
        "ERR-003",
        "Passes an object that is written as a JSON string on as that string.",
        adapter=_bent(_encoded),
    ),
    mutant(
        "unparsed-args-as-zeros",
        "ERR-002",
        "Runs the tool with zeros where its args don't parse.",
        adapter=reading(_zeroed),
    ),
    mutant(
        "unread-args-as-one-arg",
        "ERR-002",
        "Passes args that can't be read as one arg of a name that no tool has, for the tool to refuse it.",
        perform=event_changed(_as_one_arg),
    ),
    mutant(
        "args-read-as-python",
        "SAN-010",
        "Takes args that aren't JSON for a Python literal, and declares that it refuses them.",
        adapter=reread(_as_python),
    ),
)
