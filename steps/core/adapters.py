"""Given, When, Then: whose adapter decides how the LM is asked and its replies are read."""

from copy import deepcopy

from parse import with_pattern
from pydantic import JsonValue
from pytest_bdd import given, parsers, step, then, when

from react_tck.fakes.tools import TOOLBOX
from react_tck.judges.verdict import check
from react_tck.model.base import JsonObject
from react_tck.model.case import Demos
from react_tck.model.intent import Answer, Fault, Finish, Intent
from react_tck.model.record import Asked
from react_tck.model.requirement import variants_of
from react_tck.record.visibility import hides_value
from react_tck.steps.core.request_checks import Selection, extraction_request, read_selection, step_requests
from react_tck.steps.language import NAMES, needing, read_names, sentence
from react_tck.steps.world import Arrangement, World


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


#: The variant of the choice `step-adapter` under which steps are asked for in JSON, whatever the adapter.
_JSON_STEPS = "JSON only"


@step(
    parsers.re(
        r'another ReAct with the adapter "(?P<dialect>\w+)" of its own '
        r"(?P<what>is called|was called before|failed before, because the LM did)"
    )
)
def another_called(world: World, dialect: str, what: str) -> None:
    """An episode of its own, under the same global adapter; its LM may fail however often it is asked."""
    if what.startswith("failed"):
        _call_another(world, dialect, Fault(fault="server-error", sticky=True))
    else:
        _call_another(world, dialect, Finish(thought=world.mark_text("another thought")))


@then(sentence('every step is asked for in "{dialect}"'))
def steps_asked_for_in(world: World, dialect: str) -> None:
    """In this dialect, or in JSON where the subject declares that its steps always are."""
    for asked in step_requests(world):
        _step_in_dialect(world, asked, dialect)


@then(sentence('everything in call {number:d} is asked for in "{dialect}"'))
def call_asked_for_in(world: World, number: int, dialect: str) -> None:
    """Its steps and its extraction; calls are counted from 1."""
    asked_in_call = world.record.of_call(number - 1).requests
    check(bool(asked_in_call), f"the LM is asked in call {number}", "it is not")
    for asked in asked_in_call:
        if asked.ask is not None and asked.ask.phase == "step":
            _step_in_dialect(world, asked, dialect)
        else:
            _in_dialect(asked, dialect, "the extraction")


@then(sentence("everything in call {number:d} is asked for in the default dialect"))
def call_asked_for_in_default(world: World, number: int) -> None:
    """The one that the manifest names."""
    call_asked_for_in(world, number, world.manifest.default_dialect)


@then(sentence('the extraction is asked for in "{dialect}"'))
@needing("extraction")
def extraction_asked_for_in(world: World, dialect: str) -> None:
    """In every call of the episode."""
    extraction_request(world)
    for asked in world.extraction_requests:
        _in_dialect(asked, dialect, "the extraction")


def _call_another(world: World, dialect: str, said: Intent) -> None:
    world.needs("module-adapter")
    world.needs_dialect(dialect)
    options = world.arrangement.options.model_copy(update={"module_adapter": dialect})
    answer = Answer(outputs={"answer": f"another answer ~{world.nonce}"}, reasoning="another reasoning")
    another = Arrangement(
        signature=world.manifest.parse_signature("question -> answer"),
        tools={"search": TOOLBOX["search"]},
        steps=[said],
        answers=[answer],
        options=options,
    )
    with world.swap_arrangement(another):
        world.call({"question": "Another one?"})


def _step_in_dialect(world: World, asked: Asked, dialect: str) -> None:
    declared = variants_of(world.manifest.choices.get("step-adapter", ""))
    is_json = asked.ask is not None and asked.ask.dialect == "json"
    if _JSON_STEPS in declared and (is_json or len(declared) == 1):
        _in_dialect(asked, "json", "a step")
    else:
        _in_dialect(asked, dialect, "a step")


def _in_dialect(asked: Asked, dialect: str, what: str) -> None:
    found = asked.ask.dialect if asked.ask else "no known dialect"
    check(found == dialect, f"{what} is asked for in {dialect!r}", f"it is asked for in {found!r}", asked)
