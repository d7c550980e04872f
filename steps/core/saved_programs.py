"""Given, When, Then: a program that is saved with its instructions and demos, and loaded into another instance."""

from copy import deepcopy

from parse import with_pattern
from pydantic import JsonValue
from pytest_bdd import given, then, when

from react_tck.fakes.tools import TOOLBOX
from react_tck.judges.verdict import check
from react_tck.model.base import JsonObject
from react_tck.model.case import Demos
from react_tck.record.visibility import hides_value
from react_tck.steps.core.request_checks import Selection, read_selection
from react_tck.steps.language import NAMES, read_names, sentence
from react_tck.steps.world import World


@with_pattern("step predictor|extraction")
def read_predictor(text: str) -> str:
    """One of the two internal ones, as `Demos` calls it."""
    return text.removesuffix(" predictor")


@with_pattern(rf"a new one|one without instructions|one without demos|one with the tools {NAMES}")
def other_instance(text: str) -> str:
    """`a new one`, `one without instructions`, `one without demos`, or `one with the tools "add"`."""
    return text


@with_pattern("was constructed with|has loaded")
def way_of_instruction(text: str) -> str:
    """How an instance came by its instructions."""
    return text


@given(sentence('another ReAct of the same signature {how:How} the instructions "{text}"', How=way_of_instruction))
def another_instructed(world: World, how: str, text: str) -> None:
    """Make an instance that is never called, beside the one that is."""
    with world.swap_arrangement(deepcopy(world.arrangement)):
        plain = world.arrangement.signature.instructions
        world.arrangement.change_signature(instructions=text)
        world.construct()
        if how == "has loaded":
            world.needs("save-load")
            world.arrangement.state = world.dump()
            world.arrangement.change_signature(instructions=plain)
            world.start_over()
            world.construct()


@given(sentence("its {predictor:Predictor} has the demo {demo:Object}", Predictor=read_predictor))
def has_demo(world: World, predictor: str, demo: JsonObject) -> None:
    """An example for one of the predictors; its texts are marked."""
    # Who has no extraction has no second predictor to give demos to.
    world.needs("save-load", "extraction")
    demos = world.arrangement.options.demos or Demos()
    examples = (*getattr(demos, predictor), _mark_demo(world, demo))
    world.arrangement.set_options(demos=demos.model_copy(update={predictor: examples}))


@when(sentence("it is saved, loaded into {other:Other}, and that is called with {inputs:Object}", Other=other_instance))
def loaded_and_called(world: World, other: str, inputs: JsonObject) -> None:
    """What a new instance was not given itself it has from what was saved."""
    world.needs("save-load")
    world.construct()
    state = world.dump()
    world.start_over()
    world.arrangement.state = state
    if other == "one without instructions":
        world.arrangement.change_signature(instructions="")
    if other.startswith("one with the tools"):
        world.arrangement.tools = {name: TOOLBOX[name] for name in read_names(other)}
    if other == "one without demos":
        world.arrangement.set_options(demos=None)
    world.call(inputs)


@then(sentence('{requests:Selection} shows the demo\'s "{text}"', Selection=read_selection))
def shows_demo(world: World, requests: Selection, text: str) -> None:
    """The requests are those of the latest episode."""
    wanted = world.mark_text(text)
    for asked in requests(world):
        check(
            not hides_value(asked.request.text, wanted),
            f"the request shows the demo's {wanted!r}",
            "it does not",
            asked,
        )


@then("both made the same requests and had the same outcome")
def same_behaviour(world: World) -> None:
    """The last two episodes are compared, request by request."""
    first, second = world.records[-2:]
    for one, other in zip(first.requests, second.requests, strict=False):
        check(one.request == other.request, "the loaded program asks as the saved one did", "it asks otherwise", other)
    ends = [(len(record.requests), record.outcomes) for record in (first, second)]
    check(ends[0] == ends[1], f"the loaded program ends as the saved one did: {ends[0]}", f"it ended: {ends[1]}")


def _mark_demo(world: World, demo: JsonObject) -> JsonObject:
    """The demo with the nonce on its texts, but for the name of a tool."""
    marked: dict[str, JsonValue] = {
        name: f"{value} ~{world.nonce}" if isinstance(value, str) and name != "next_tool_name" else value
        for name, value in demo.items()
    }
    return marked
