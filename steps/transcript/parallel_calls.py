"""Then: several tool calls in one turn of the assistant's (TRN-013)."""

import json
from collections.abc import Iterator

from parse import with_pattern
from pydantic import JsonValue
from pytest_bdd import then

from react_tck.judges.verdict import Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.record import Asked, ToolRan
from react_tck.record.values import is_same_value
from react_tck.record.visibility import hides_value
from react_tck.steps.core.request_checks import last_call
from react_tck.steps.language import sentence
from react_tck.steps.world import World
from react_tck.texts import read_json


@with_pattern("by the ids of their calls(?:, or in the order of their calls)?")
def read_pairing(text: str) -> bool:
    """Whether order may tell which result belongs to which call: where they have no ids, nothing else does."""
    return "order" in text


@then(sentence("the next request shows the results {how:Pairing}", Pairing=read_pairing))
def results_paired(world: World, how: bool) -> None:
    """A result has the id of the call whose args the tool got; or it stands in its place, if it has none."""
    asked = _after_tools(world)
    if how and not results_have_ids(asked):
        _in_order_of_calls(world, asked)
    else:
        _paired_by_id(world, asked)


@then("no two calls of the conversation have one id")
def ids_are_unique(world: World) -> None:
    """In the last request, which shows all turns."""
    asked = last_call(world)[-1]
    ids = [call.id for message in asked.request.messages for call in message.tool_calls]
    check(bool(ids), "the request shows tool calls with ids", "it shows none", asked)
    twice = [one for one in dict.fromkeys(ids) if ids.count(one) > 1]
    check(not twice, "every call has an id of its own", f"these are used twice: {twice}", asked)


def results_have_ids(asked: Asked) -> bool:
    """Whether the results that a request shows have the ids of the calls that it shows."""
    results = _find_results(asked)
    return bool(results) and results.keys() <= _calls(asked).keys()


def _paired_by_id(world: World, asked: Asked) -> None:
    results = _find_results(asked)
    for id_, (tool, args) in _calls(asked).items():
        run, content = _run_of(world, tool, args), results.get(id_, "")
        expected = f"the result of {tool}({json.dumps(args)}) has its id, {id_!r}: {run}"
        check(run is None or not hides_value(content, run), expected, f"the result with this id is {content!r}", asked)


def _calls(asked: Asked) -> dict[str, tuple[str, JsonObject]]:
    """The calls that a request shows with an id: natively, or as JSON in what the assistant said."""
    found: dict[str, tuple[str, JsonObject]] = {}
    for message in asked.request.messages:
        found |= {call.id: (call.name, read_json(call.arguments)) for call in message.tool_calls}
        for told in _objects_in(message.content or "") if message.role == "assistant" else ():
            id_, args = _id_of(told), told.get("args", told.get("arguments"))
            if id_ and isinstance(args, dict):
                found[id_] = str(told.get("name")), args
    return found


def _find_results(asked: Asked) -> dict[str, str]:
    """What a request shows of results that have the id of a call: a tool's messages, or JSON in the user's."""
    found: dict[str, str] = {}
    for message in asked.request.messages:
        if message.role == "tool":
            found[message.tool_call_id or ""] = message.content or ""
        elif message.role == "user":
            found |= {id_: json.dumps(told) for told in _objects_in(message.content or "") if (id_ := _id_of(told))}
    return found


def _id_of(told: JsonObject) -> str:
    return next((str(told[key]) for key in ("tool_call_id", "call_id", "id") if key in told), "")


def _objects_in(text: str) -> Iterator[JsonObject]:
    """The JSON objects that stand in a text, and those inside them."""
    at = text.find("{")
    while at >= 0:
        try:
            told, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield from _objects(told)
        at = text.find("{", end)


def _objects(told: JsonValue) -> Iterator[JsonObject]:
    if isinstance(told, dict):
        yield told
    inner = told.values() if isinstance(told, dict) else told if isinstance(told, list) else ()
    for each in inner:
        yield from _objects(each)


_DECODER = json.JSONDecoder()


def _in_order_of_calls(world: World, asked: Asked) -> None:
    at = 0
    text = "\n".join(message.content or "" for message in asked.request.messages if message.role != "assistant")
    for tool, args in _list_first_calls(world):
        result = str(_run_of(world, tool, args))
        found = text.find(result, at)
        expected = f"the result of {tool}({args}) comes after those of the calls before it"
        check(found >= 0, expected, "it does not", asked)
        at = found + len(result)


def _list_first_calls(world: World) -> list[tuple[str, JsonObject]]:
    first = world.record.requests[0].intent
    return [(call.tool, call.args) for call in getattr(first, "calls", ())]


def _after_tools(world: World) -> Asked:
    events = world.record.events
    last = max((at for at, event in enumerate(events) if isinstance(event, ToolRan)), default=None)
    following = [event for event in events[last or 0 :] if isinstance(event, Asked)]
    if last is None or not following:
        raise Violation("the tools run, and the LM is asked again", f"{len(world.record.tool_runs)} ran")
    return following[0]


def _run_of(world: World, tool: str, args: JsonObject) -> JsonValue:
    """What came of the call, if it ran."""
    runs = (run for run in world.record.tool_runs if run.tool == tool and is_same_value(run.args, args))
    run = next(runs, None)
    return None if run is None else run.observation
