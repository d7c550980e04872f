"""When: the agent is constructed and called."""

from typing import Any, Literal

from parse import with_pattern
from pytest_bdd import when

from react_tck.model.base import JsonObject
from react_tck.model.case import Mode
from react_tck.steps.language import sentence
from react_tck.steps.world import World


@with_pattern(r"(?:again )?(?:asynchronously )?")
def entry_point(text: str) -> Mode:
    """`again `, `asynchronously `, both, or nothing; that it is called again is for the reader to know."""
    return "async" if "asynchronously" in text else "sync"


@with_pattern("it|another one")
def called_one(text: str) -> str:
    """The instance there is, or a new one of the same arrangement."""
    return text


@when("it is constructed")
def construct_subject(world: World) -> None:
    """The subject is constructed from what is arranged, and not called yet."""
    world.construct()


@when(sentence("{who:Who} is called {how:How}with {inputs:Object}", Who=called_one, How=entry_point))
def call_subject(world: World, who: Literal["it", "another one"], how: Mode, inputs: JsonObject) -> None:
    """Through one of its entry points; another one in an episode of its own."""
    _start_call(world, who, how, inputs)


@when(
    sentence(
        "{who:Who} is called {how:How}with {inputs:Object} and max_steps {steps:d}", Who=called_one, How=entry_point
    )
)
def called_with_max_steps(
    world: World, who: Literal["it", "another one"], how: Mode, inputs: JsonObject, steps: int
) -> None:
    """Called with a limit of its own (LOOP-009)."""
    world.needs("call-max-steps")
    _start_call(world, who, how, inputs, max_steps=steps)


@when(
    sentence(
        '{who:Who} is called {how:How}with {inputs:Object} under the global adapter "{dialect}"',
        Who=called_one,
        How=entry_point,
    )
)
def called_under_adapter(
    world: World, who: Literal["it", "another one"], how: Mode, inputs: JsonObject, dialect: str
) -> None:
    """Called when another adapter is configured than at construction (ADP-005)."""
    world.needs("global-adapter")
    world.needs_dialect(dialect)
    _start_call(world, who, how, inputs, adapter=dialect)


@when(sentence("it is called with {inputs:Object}, unless it refused to be constructed"))
def called_unless_refused(world: World, inputs: JsonObject) -> None:
    """Constructed; called only if that was accepted."""
    if world.construct().session.is_constructed:
        world.call(inputs)


def _start_call(world: World, who: Literal["it", "another one"], how: Mode, inputs: JsonObject, **options: Any) -> None:
    if how == "async":
        world.needs("async")
    if who == "another one":
        world.start_over()
    world.call(inputs, mode=how, **options)
