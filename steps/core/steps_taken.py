"""The tool loop: how many steps it took, and where it stopped."""

from typing import Literal

from parse import with_pattern
from pytest_bdd import given, parsers, then

from react_tck.dialects.fields import FINISH, SUBMIT
from react_tck.fakes.tools import TOOLBOX
from react_tck.judges.verdict import Violation, check
from react_tck.model.case import Options
from react_tck.model.intent import Answer, Calls, Finish, Submit
from react_tck.model.record import Asked, Event, ToolRan
from react_tck.steps.arrange import default_max_steps
from react_tck.steps.core.request_checks import extraction_request
from react_tck.steps.language import sentence
from react_tck.steps.world import Arrangement, World


@given(parsers.re(r'another ReAct with (?:max_steps (?P<steps>\d+)|the tool "(?P<tool>\w+)") was constructed before'))
def another_constructed(world: World, steps: str | None, tool: str | None) -> None:
    """An instance that is never called."""
    options = Options(max_steps=int(steps)) if steps else Options()
    _construct_another(world, tool or "add", options)


@given("a default of max_steps is documented")
def has_default(world: World) -> None:
    """Where nothing limits the steps, or more than the kit plays, there is nothing to be played."""
    default_max_steps(world)


@then(
    parsers.re(
        r"the LM was asked for (?:(?P<count>\d+) steps?|(?P<more>\d+) steps more than the default|"
        r"(?P<default>the default number of steps))(?P<last> in the last call)?"
    )
)
def steps_asked_for(world: World, count: str | None, more: str | None, default: str | None, last: str | None) -> None:
    """In all calls of the episode together, or in the last one; the default is the one the manifest documents.

    The first that is too many is shown; that there are too few is seen in none of them.
    """
    number = world.manifest.read_step_limit(int(count)) if count else default_max_steps(world) + int(more or 0)
    requests = [asked for asked in world.step_requests if not last or asked.invocation == world.last_call]
    at = requests[number] if len(requests) > number else None
    expected = f"the LM is asked for {number} step{'' if number == 1 else 's'}"
    check(len(requests) == number, expected, f"it was asked for {len(requests)}, not {number}", at)
    world.is_seen_unasked = world.is_seen_unasked or number == 0


@with_pattern("step was asked for|tool ran")
def step_or_tool(text: str) -> str:
    """What may not happen: a request for a step, or a run of a tool."""
    return text


@then(sentence("no {what:StepOrTool} after the LM finished", StepOrTool=step_or_tool))
def nothing_after_finish(world: World, what: Literal["step was asked for", "tool ran"]) -> None:
    """The loop is over; `finish` is not a user tool, and brings none to run."""
    for event in _after_finish(world):
        if what == "tool ran":
            ran = isinstance(event, ToolRan)
            check(not ran, f"no tool runs after the LM selected {FINISH!r}", f"one did: {event}", event)
        else:
            step = isinstance(event, Asked) and event.ask is not None and event.ask.phase == "step"
            check(not step, f"no step is asked for after the LM selected {FINISH!r}", "one was", event)


@with_pattern("extraction|submit")
def last_word(text: str) -> str:
    """What a call ends with."""
    return text


@then(sentence("nothing was asked for after the {last:LastWord}", LastWord=last_word))
def nothing_after(world: World, last: Literal["extraction", "submit"]) -> None:
    """It is the last thing that happens: the outputs are committed as they are."""
    if last == "extraction":
        asked, latest = extraction_request(world), world.record.requests[-1]
        check(asked is latest, "the extraction is the last request", "another one followed", latest)
        return
    late = next((event for event in after_submit(world) if isinstance(event, Asked)), None)
    wanted = late.ask.phase if late and late.ask else "something"
    check(late is None, "a successful submit ends the run", f"the LM was asked for the {wanted}", late)


def after_submit(world: World) -> tuple[Event, ...]:
    """What happened after the LM submitted for the first time.

    Raises:
        Violation: if it never did.
    """
    events = world.record.events
    for index, event in enumerate(events):
        if isinstance(event, Asked) and _has_submit(event):
            return events[index + 1 :]
    raise Violation("the LM gets to submit", "it was never asked for that step")


def _has_submit(asked: Asked) -> bool:
    """Whether the LM submits, beside other calls perhaps."""
    match asked.intent:
        case Submit():
            return True
        case Calls(calls=calls):
            return any(call.tool == SUBMIT for call in calls)
    return False


def _construct_another(world: World, tool: str, options: Options) -> None:
    arranged = world.arrangement
    signature = world.manifest.parse_signature("question -> answer")
    world.arrangement = Arrangement(signature=signature, tools={tool: TOOLBOX[tool]}, options=options)
    world.construct()
    world.start_over()
    world.arrangement = arranged


def _after_finish(world: World) -> tuple[Event, ...]:
    events = world.record.events
    for index, event in enumerate(events):
        if isinstance(event, Asked) and _ends_the_loop(event):
            return events[index + 1 :]
    raise Violation(f"the LM gets to select {FINISH!r}", "it was never asked for that step")


def _ends_the_loop(asked: Asked) -> bool:
    """Whether the LM selected `finish` or, where a step request may be answered, gave the answer."""
    in_step = asked.ask is not None and asked.ask.phase == "step"
    return isinstance(asked.intent, Finish | Submit) or (isinstance(asked.intent, Answer) and in_step)
