"""Given, Then: what the framework's callbacks are told of a call (OBS-001)."""

from collections import Counter

from pytest_bdd import given, then

from react_tck.judges.verdict import check
from react_tck.steps.world import World


@given("the framework's callbacks are listened to")
def listened_to(world: World) -> None:
    """By a callback of the kit's, registered as a user's would be."""
    world.needs("callbacks")
    world.arrangement.set_options(callbacks=True)


@then("the callbacks heard of every tool call")
def heard_of_tools(world: World) -> None:
    """Of each run of a tool of the user's, once, in the order in which they ended."""
    own = {tool.name for tool in world.episode.case.tools}
    heard = [each.name for each in world.heard_notices if each.what == "tool" and each.name in own]
    ran = [run.tool for run in world.record.tool_runs]
    check(bool(ran), "a tool runs", "none did")
    check(heard == ran, f"the callbacks hear of the tool calls {ran}", f"they heard of {heard}")


@then("the callbacks heard of every reply")
def heard_of_replies(world: World) -> None:
    """Of each reply to a request that was answered, at least once: an adapter may try to read it in another way."""
    replies = sum(asked.completion is not None for asked in world.record.requests)
    readings = Counter(each.name for each in world.heard_notices if each.what == "reading")
    actual = ", ".join(f"{count} by {name}" for name, count in readings.items()) or "none"
    check(readings.total() >= replies, f"the callbacks hear of the reading of {replies} replies", f"heard: {actual}")
