"""Then: what the agent makes of a reply that leaves it a choice."""

from collections.abc import Iterator

from pytest_bdd import parsers, then

from react_tck.fakes.malformed.reading import reading
from react_tck.judges import choices
from react_tck.judges.errors import fault_of, is_typed
from react_tck.judges.tool_names import untold
from react_tck.judges.verdict import Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.intent import Garbled
from react_tck.model.record import Asked
from react_tck.record.reactions import Reaction, reactions
from react_tck.record.turns import turns
from react_tck.record.values import arrived
from react_tck.steps.core.prediction import prediction_has
from react_tck.steps.core.request_checks import extraction_request
from react_tck.steps.language import TYPES
from react_tck.steps.world import World


@then("the agent either observes it, goes to the extraction, or ends with a typed error")
def has_a_declared_outcome(world: World) -> None:
    """After the turn that leaves it the choice; to read what can be read is for other sentences to judge."""
    for reaction in _reactions(world):
        expected = "the loop goes on, the extraction follows, or the call ends with a typed error"
        is_quiet = reaction.course == "succeed" and "extraction" in world.manifest.capabilities
        check(not is_quiet, expected, "the call succeeded without asking the LM again", reaction.asked)
    ends_in_order(world)


@then("the call ends in order, or with a typed error")
def ends_in_order(world: World) -> None:
    """It comes back, and not with a crash."""
    error = world.outcome.error
    if world.outcome.status == "error" and error:
        check(is_typed(error), "an error of a type that says what happened", f"{error.type}: {error.message}")


@then(parsers.parse('the LM or the caller is told of "{name:Quoted}"', extra_types=TYPES))
def is_told_of(world: World, name: str) -> None:
    """The request after that turn shows the name, or the error does."""
    for reaction in _reactions(world):
        if violation := untold(reaction, name):
            raise violation


@then("no tool call was guessed")
@then("no tool call was guessed, quotes around its name apart")
def nothing_guessed(world: World) -> None:
    """What ran is what a reply says, with the args it says, once."""
    for turn in turns(world.record):
        for run in turn.runs:
            if turn.call is None or not turn.names(run.tool):
                raise Violation("no tool runs by a reply that can't be read", f"{run.tool!r} ran with {run.args}", run)
            schema = next(tool.parameters for tool in world.episode.case.tools if tool.name == run.tool)
            fits = arrived(turn.call.args, run.args, schema)
            check(fits, f"{run.tool!r} gets {turn.call.args}, or isn't run", f"it got {run.args}", run)
        check(
            len(turn.runs) < 2, "one reply runs one tool once", f"it ran {len(turn.runs)}", next(iter(turn.runs), None)
        )


@then("the extraction's reply is malformed, and the call ends with a typed error")
def malformed_answer_is_an_error(world: World) -> None:
    """Where the reply can still be read in the dialect it was asked for in, nothing is demanded."""
    asked = extraction_request(world)
    last = next(a for a in reversed(world.extraction_requests) if a.invocation == asked.invocation)
    is_readable = isinstance(last.intent, Garbled) and last.ask and reading(last.intent, last.ask) is not None
    if not is_readable:
        _ends_with_typed_error(world, last)


@then(parsers.parse("the call ends with a typed error, or the prediction has {outputs:Object}", extra_types=TYPES))
def error_or_prediction(world: World, outputs: JsonObject) -> None:
    """As the LM meant it."""
    world.needs("extraction")
    if world.outcome.status == "error":
        ends_in_order(world)
    else:
        prediction_has(world, outputs)


@then(parsers.parse('the choice "{name}" is as declared'))
def choice_is_as_declared(world: World, name: str) -> None:
    """Of the variants the sources allow, the one the manifest names; where it names none, whichever."""
    declared = world.manifest.choices.get(name)
    observed = choices.observe(world.plays()).get(name, set())
    if declared and observed:
        actual = f"observed: {', '.join(sorted(observed))}"
        check(choices.agrees(declared, observed), f"the choice {name!r} is as declared: {declared}", actual)


def _ends_with_typed_error(world: World, asked: Asked) -> None:
    actual = f"it ended with status {world.outcome.status!r} and the outputs {world.outcome.outputs}"
    check(world.outcome.status == "error", "the call ends with a typed error", actual, asked)
    ends_in_order(world)


def _reactions(world: World) -> Iterator[Reaction]:
    def is_fault(asked: Asked) -> bool:
        return fault_of(asked, world.episode.case) is not None

    return reactions(world.episode, world.record, is_fault)
