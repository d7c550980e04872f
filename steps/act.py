"""When: the agent is constructed and called."""

from pytest_bdd import parsers, when

from react_tck.model.base import JsonObject
from react_tck.steps.language import TYPES
from react_tck.steps.world import World


@when("it is constructed")
def constructed(world: World) -> None:
    """Constructed, not called."""
    world.construct()


@when(parsers.parse("it is called with {inputs:Object}", extra_types=TYPES))
@when(parsers.parse("it is called again with {inputs:Object}", extra_types=TYPES))
def called(world: World, inputs: JsonObject) -> None:
    """Called on the instance there is."""
    world.call(inputs)


@when(parsers.parse("it is called asynchronously with {inputs:Object}", extra_types=TYPES))
def called_asynchronously(world: World, inputs: JsonObject) -> None:
    """Called through its async entry point."""
    world.needs("async")
    world.call(inputs, mode="async")


@when(parsers.parse("another one is called with {inputs:Object}", extra_types=TYPES))
def another_called(world: World, inputs: JsonObject) -> None:
    """A new instance of the same arrangement, called in an episode of its own."""
    world.start_over()
    world.call(inputs)
