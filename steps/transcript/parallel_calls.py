"""Then: several tool calls in one turn of the assistant's (TRN-013)."""

import json

from pydantic import JsonValue
from pytest_bdd import then

from react_tck.judges.verdict import Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.lm import Message
from react_tck.model.record import Asked, ToolRan
from react_tck.record.shown import shows
from react_tck.record.values import same
from react_tck.steps.transcript.turns import of_last_call
from react_tck.steps.world import World


@then("these tools ran, each call once:")
def ran_each_once(world: World, datatable: list[list[str]]) -> None:
    """A row a call: the tool, its args. In any order, for they may run at the same time."""
    wanted = [(tool, json.loads(args)) for tool, args in datatable[1:]]
    ran = [(run.tool, run.args) for run in world.record.tool_runs]
    expected = f"each call runs once: {wanted}"
    check(len(ran) == len(wanted) and all(call in ran for call in wanted), expected, f"these ran: {ran}")
    repeated = next((call for call in wanted if ran.count(call) != wanted.count(call)), None)
    check(repeated is None, expected, f"these ran: {ran}")


@then("the next request pairs each call with its own result by id")
def paired_by_id(world: World) -> None:
    """A result's message has the id of the call whose args the tool got."""
    asked = _after_tools(world)
    results = {message.tool_call_id: message for message in asked.request.messages if message.role == "tool"}
    for call in [call for message in asked.request.messages for call in message.tool_calls]:
        run = _run_of(world, call.name, json.loads(call.arguments))
        content = _content(results.get(call.id))
        expected = f"the result of {call.name}({call.arguments}) has its id, {call.id!r}: {run}"
        check(run is None or shows(content, run), expected, f"the result with this id is {content!r}", asked)


@then("no two calls of the conversation have one id")
def ids_are_unique(world: World) -> None:
    """In the last request, which shows all turns."""
    asked = of_last_call(world)[-1]
    ids = [call.id for message in asked.request.messages for call in message.tool_calls]
    check(bool(ids), "the request shows tool calls with ids", "it shows none", asked)
    twice = [one for one in dict.fromkeys(ids) if ids.count(one) > 1]
    check(not twice, "every call has an id of its own", f"these are used twice: {twice}", asked)


@then("the next request shows the results in the order of the calls")
def in_order_of_calls(world: World) -> None:
    """So that, where nothing but the order tells them apart, each stands with its call."""
    asked, at = _after_tools(world), 0
    text = "\n".join(message.content or "" for message in asked.request.messages if message.role != "assistant")
    for call in _said(world):
        result = str(_run_of(world, call[0], call[1]))
        found = text.find(result, at)
        check(
            found >= 0,
            f"the result of {call[0]}({call[1]}) comes after those of the calls before it",
            "it does not",
            asked,
        )
        at = found + len(result)


def _said(world: World) -> list[tuple[str, JsonObject]]:
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
    runs = (run for run in world.record.tool_runs if run.tool == tool and same(run.args, args))
    run = next(runs, None)
    return None if run is None else run.observation


def _content(message: Message | None) -> str:
    return message.content or "" if message else ""
