"""Then: several tool calls in one turn of the assistant's (TRN-013)."""

import json

from parse import with_pattern
from pydantic import JsonValue
from pytest_bdd import then

from react_tck.judges.verdict import Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.lm import Message
from react_tck.model.record import Asked, ToolRan
from react_tck.record.values import is_same_value
from react_tck.record.visibility import hides_value
from react_tck.steps.core.request_checks import last_call
from react_tck.steps.language import sentence
from react_tck.steps.world import World


@with_pattern("by the ids of their calls|in the order of their calls")
def read_pairing(text: str) -> str:
    """What tells which result belongs to which call."""
    return text


@then(sentence("the next request shows the results {how:Pairing}", Pairing=read_pairing))
def results_paired(world: World, how: str) -> None:
    """A result's message has the id of the call whose args the tool got, or stands where nothing but order tells."""
    if "ids" in how:
        _paired_by_id(world)
    else:
        _in_order_of_calls(world)


@then("no two calls of the conversation have one id")
def ids_are_unique(world: World) -> None:
    """In the last request, which shows all turns."""
    asked = last_call(world)[-1]
    ids = [call.id for message in asked.request.messages for call in message.tool_calls]
    check(bool(ids), "the request shows tool calls with ids", "it shows none", asked)
    twice = [one for one in dict.fromkeys(ids) if ids.count(one) > 1]
    check(not twice, "every call has an id of its own", f"these are used twice: {twice}", asked)


def _paired_by_id(world: World) -> None:
    asked = _after_tools(world)
    results = {message.tool_call_id: message for message in asked.request.messages if message.role == "tool"}
    for call in [call for message in asked.request.messages for call in message.tool_calls]:
        run = _run_of(world, call.name, json.loads(call.arguments))
        content = _read_content(results.get(call.id))
        expected = f"the result of {call.name}({call.arguments}) has its id, {call.id!r}: {run}"
        check(run is None or not hides_value(content, run), expected, f"the result with this id is {content!r}", asked)


def _in_order_of_calls(world: World) -> None:
    asked, at = _after_tools(world), 0
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


def _read_content(message: Message | None) -> str:
    return message.content or "" if message else ""
