"""When, Then: a program that is saved, and loaded into another instance (TRN-011)."""

from pytest_bdd import parsers, then, when

from react_tck.judges.verdict import check
from react_tck.model.base import JsonObject
from react_tck.steps.language import TYPES
from react_tck.steps.world import World


@when(parsers.parse("it is saved, loaded into a new one, and that is called with {inputs:Object}", extra_types=TYPES))
def loaded_and_called(world: World, inputs: JsonObject) -> None:
    """A new instance of the same case, in an episode of its own."""
    load_into_new(world)
    world.call(inputs)


@when(
    parsers.parse(
        "it is saved, loaded into one without instructions, and that is called with {inputs:Object}", extra_types=TYPES
    )
)
def loaded_without_instructions(world: World, inputs: JsonObject) -> None:
    """A new instance whose own signature has no instructions: what it says now comes from what was saved."""
    load_into_new(world)
    signature = world.arrangement.signature
    world.arrangement.signature = signature.model_copy(update={"instructions": ""})
    world.call(inputs)


@then("both made the same requests and had the same outcome")
def same_behaviour(world: World) -> None:
    """The last two episodes."""
    first, second = world.records[-2:]
    for one, other in zip(first.requests, second.requests, strict=False):
        check(one.request == other.request, "the loaded program asks as the saved one did", "it asks otherwise", other)
    ends = [(len(record.requests), record.outcomes) for record in (first, second)]
    check(ends[0] == ends[1], f"the loaded program ends as the saved one did: {ends[0]}", f"it ended: {ends[1]}")


def load_into_new(world: World) -> None:
    """The next instance is a new one, with what the one before saved."""
    world.needs("save-load")
    world.construct()
    state = world.dump()
    world.start_over()
    world.arrangement.state = state
