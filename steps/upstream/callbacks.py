"""Given, Then: what the framework's callbacks are told of a call (OBS-001)."""

from pytest_bdd import given, then

from react_tck.judges.surfaces import find_unheard_replies, find_unheard_runs
from react_tck.judges.verdict import check
from react_tck.steps.world import World


@given("the framework's callbacks are listened to")
def listened_to(world: World) -> None:
    """By a callback of the kit's, registered as a user's would be."""
    world.needs("callbacks")
    world.arrangement.set_options(callbacks=True)


@then("the callbacks heard of every tool call")
def heard_of_tools(world: World) -> None:
    """Of each run of a tool of the user's."""
    check(bool(world.record.tool_runs), "a tool runs", "none did")
    for unheard in find_unheard_runs(world.record):
        raise unheard


@then("the callbacks heard of every reply")
def heard_of_replies(world: World) -> None:
    """Of each reply to a request that was answered."""
    for unheard in find_unheard_replies(world.record):
        raise unheard
