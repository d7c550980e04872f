"""Then: what the agent makes of a reply that leaves it a choice."""

from collections.abc import Iterator

from pytest_bdd import then

from react_tck.dialects.markup import as_text
from react_tck.fakes.malformed.reading import reading
from react_tck.judges import choices
from react_tck.judges.errors import fault_of
from react_tck.judges.tool_names import untold
from react_tck.judges.verdict import Violation, check
from react_tck.model.intent import Garbled
from react_tck.model.record import Asked, Returned, ToolRan
from react_tck.record.reactions import Reaction, reactions
from react_tck.record.shown import shows
from react_tck.record.turns import turns
from react_tck.record.values import arrived
from react_tck.steps.core.endings import ends_in_order
from react_tck.steps.core.request_checks import extraction_request
from react_tck.steps.core.trajectory import trace_of
from react_tck.steps.language import sentence
from react_tck.steps.world import World


@then("the agent either observes it, goes to the extraction, or ends with a typed error")
def has_a_declared_outcome(world: World) -> None:
    """After the turn that leaves it the choice; to read what can be read is for other sentences to judge."""
    for reaction in _reactions(world):
        expected = "the loop goes on, the extraction follows, or the call ends with a typed error"
        is_quiet = reaction.course == "succeed" and "extraction" in world.manifest.capabilities
        check(not is_quiet, expected, "the call succeeded without asking the LM again", reaction.asked)
    ends_in_order(world)


@then(sentence('the LM or the caller is told of "{name:Quoted}"'))
def is_told_of(world: World, name: str) -> None:
    """The request after that turn shows the name, or the error does."""
    for reaction in _reactions(world):
        if violation := untold(reaction, name):
            raise violation


@then("no tool call was guessed")
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


@then(sentence('the choice "{name}" is as declared'))
def choice_is_as_declared(world: World, name: str) -> None:
    """Of the variants the sources allow, the one the manifest names; where it names none, whichever."""
    declared = world.manifest.choices.get(name)
    observed = choices.observe(world.plays()).get(name, set())
    if declared and observed:
        actual = f"observed: {', '.join(sorted(observed))}"
        check(choices.agrees(declared, observed), f"the choice {name!r} is as declared: {declared}", actual)


@then("the trajectory so far is kept, unless the step that went wrong ended the call")
def kept_so_far(world: World) -> None:
    """That the steps have run out is no error; what a step that went wrong may lead to is a choice of its own."""
    world.needs("trajectory")
    if world.outcome.status == "error":
        _ended_by_the_step(world)
        return
    trace_of(world)
    told = as_text(world.outcome.trajectory)
    for run in world.record.tool_runs:
        observation = run.observation
        for what in (run.tool, run.args, observation):
            check(shows(told, what), f"the trajectory shows {what!r} of a step that was taken", f"it is {told}", run)


def _ends_with_typed_error(world: World, asked: Asked) -> None:
    actual = f"it ended with status {world.outcome.status!r} and the outputs {world.outcome.outputs}"
    check(world.outcome.status == "error", "the call ends with a typed error", actual, asked)
    ends_in_order(world)


def _reactions(world: World) -> Iterator[Reaction]:
    def is_fault(asked: Asked) -> bool:
        return fault_of(asked, world.episode.case) is not None

    return reactions(world.episode, world.record, is_fault)


def _ended_by_the_step(world: World) -> None:
    events = world.record.events
    ended = next(index for index, event in enumerate(events) if isinstance(event, Returned))
    before, error = events[ended - 1], world.outcome.error
    in_step = isinstance(before, Asked) and before.ask is not None and before.ask.phase == "step"
    if in_step or (isinstance(before, ToolRan) and before.error is not None):
        return
    told = f"{error.type}: {error.message}" if error else "an error"
    raise Violation("the steps that ran out leave a prediction with the trajectory", told, before)
