"""Given, When, Then: demos of the internal predictors, saved and loaded with the program (SAV-001)."""

from pydantic import JsonValue
from pytest_bdd import given, parsers, then, when

from react_tck.judges.verdict import check
from react_tck.model.base import JsonObject
from react_tck.model.case import Demos
from react_tck.model.record import Asked
from react_tck.record.shown import shows
from react_tck.steps.core.request_checks import extraction_request, step_requests
from react_tck.steps.language import TYPES
from react_tck.steps.transcript.saved_programs import load_into_new
from react_tck.steps.world import World


@given(parsers.parse("its step predictor has the demo {demo:Object}", extra_types=TYPES))
def step_demo(world: World, demo: JsonObject) -> None:
    """An example for the step predictor; its texts are marked."""
    demos = _demos(world)
    _have(world, demos.model_copy(update={"step": (*demos.step, _marked(world, demo))}))


@given(parsers.parse("its extraction has the demo {demo:Object}", extra_types=TYPES))
def extraction_demo(world: World, demo: JsonObject) -> None:
    """An example for the extraction; its texts are marked."""
    demos = _demos(world)
    _have(world, demos.model_copy(update={"extraction": (*demos.extraction, _marked(world, demo))}))


@when(
    parsers.parse(
        "it is saved, loaded into one without demos, and that is called with {inputs:Object}", extra_types=TYPES
    )
)
def loaded_without_demos(world: World, inputs: JsonObject) -> None:
    """A new instance that was given none: those it has now come from what was saved."""
    load_into_new(world)
    world.arrangement.options = world.arrangement.options.model_copy(update={"demos": None})
    world.call(inputs)


@then(parsers.parse('every step request shows the demo\'s "{text}"'))
def steps_show_demo(world: World, text: str) -> None:
    """Of the latest episode."""
    for asked in step_requests(world):
        _shows(world, asked, text)


@then(parsers.parse('the extraction request shows the demo\'s "{text}"'))
def extraction_shows_demo(world: World, text: str) -> None:
    """Of the latest episode."""
    _shows(world, extraction_request(world), text)


def _shows(world: World, asked: Asked, text: str) -> None:
    wanted = f"{text} ~{world.nonce}"
    check(shows(asked.request.text, wanted), f"the request shows the demo's {wanted!r}", "it does not", asked)


def _demos(world: World) -> Demos:
    # Who has no extraction has no second predictor to give demos to.
    world.needs("save-load", "extraction")
    return world.arrangement.options.demos or Demos()


def _have(world: World, demos: Demos) -> None:
    world.arrangement.options = world.arrangement.options.model_copy(update={"demos": demos})


def _marked(world: World, demo: JsonObject) -> JsonObject:
    """The demo with the nonce on its texts, but for the name of a tool."""
    marked: dict[str, JsonValue] = {
        name: f"{value} ~{world.nonce}" if isinstance(value, str) and name != "next_tool_name" else value
        for name, value in demo.items()
    }
    return marked
