"""Given, When, Then: whose adapter decides how the LM is asked and its replies are read."""

from pytest_bdd import parsers, step, then

from react_tck.fakes.tools import TOOLBOX
from react_tck.judges.verdict import check
from react_tck.model.intent import Answer, Fault, Finish, Intent
from react_tck.model.record import Asked
from react_tck.model.requirement import variants_of
from react_tck.steps.arrangement import Arrangement
from react_tck.steps.core.request_checks import extraction_request, step_requests
from react_tck.steps.language import needing, sentence
from react_tck.steps.world import World

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
