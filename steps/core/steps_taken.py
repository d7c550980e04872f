"""The tool loop: how many steps it may take, how many it took, in which order, and where it stopped."""

import json

from pytest_bdd import given, parsers, then, when

from react_tck.dialects.fields import FINISH
from react_tck.fakes.lm import BUDGET
from react_tck.fakes.toolbox import TOOLBOX
from react_tck.judges.verdict import Untestable, Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.case import Options
from react_tck.model.intent import Answer, CallTool, Finish, Submit
from react_tck.model.record import Asked, Event, ToolRan
from react_tck.model.signature import parse_arrow
from react_tck.steps.core.prediction import prediction_has
from react_tck.steps.language import TYPES
from react_tck.steps.world import Arrangement, World


@given(parsers.parse("max_steps is {more:d} more than the default"))
def more_than_default(world: World, more: int) -> None:
    """Given at construction, larger than what the manifest documents."""
    steps = _default(world) + more
    world.arrangement.options = world.arrangement.options.model_copy(update={"max_steps": steps})


@given(parsers.parse("another ReAct with max_steps {steps:d} was constructed before"))
def another_with_max_steps(world: World, steps: int) -> None:
    """An instance that is never called."""
    _construct_another(world, "add", Options(max_steps=steps))


@given(parsers.parse('another ReAct with the tool "{tool}" was constructed before'))
def another_with_tool(world: World, tool: str) -> None:
    """An instance that is never called."""
    _construct_another(world, tool, Options())


@given(parsers.parse('the LM calls "add" {count:d} times'))
def lm_adds(world: World, count: int) -> None:
    """As many steps, each with args of its own."""
    for number in range(1, count + 1):
        step = CallTool(tool="add", args={"a": number, "b": 1}, thought=world.thought())
        world.arrangement.steps.append(step)


@when(parsers.parse("it is called with {inputs:Object} and max_steps {steps:d}", extra_types=TYPES))
def called_with_max_steps(world: World, inputs: JsonObject, steps: int) -> None:
    """Called with a limit of its own (LOOP-009)."""
    world.needs("call-max-steps")
    world.call(inputs, max_steps=steps)


@when(parsers.parse("it is called with {inputs:Object}, unless it refused to be constructed", extra_types=TYPES))
def called_unless_refused(world: World, inputs: JsonObject) -> None:
    """Constructed; called only if that was accepted."""
    if world.construct().session.constructed:
        world.call(inputs)


@then(parsers.parse("the LM was asked for {count:d} steps"))
@then(parsers.parse("the LM was asked for {count:d} step"))
def steps_asked_for(world: World, count: int) -> None:
    """In all calls of the episode together."""
    _asked_for(world.step_requests, count)


@then(parsers.parse("the LM was asked for {count:d} steps in the last call"))
def steps_asked_for_in_last_call(world: World, count: int) -> None:
    """In the last call only."""
    last = len(world.record.outcomes) - 1
    _asked_for(tuple(asked for asked in world.step_requests if asked.invocation == last), count)


@then("the LM was asked for as many steps as the default max_steps")
def steps_of_default(world: World) -> None:
    """The default is the one that the manifest documents."""
    _asked_for(world.step_requests, _default(world))


@then(parsers.parse("the LM was asked for {more:d} more steps than the default max_steps"))
def steps_above_default(world: World, more: int) -> None:
    """The default is the one that the manifest documents."""
    _asked_for(world.step_requests, _default(world) + more)


@then(parsers.parse('the tool "{name}" ran {count:d} times'))
def ran_times(world: World, name: str, count: int) -> None:
    """That many runs in the episode."""
    runs = [run for run in world.record.tool_runs if run.tool == name]
    check(len(runs) == count, f"{name!r} runs {count} times", f"it ran {len(runs)} times", runs[-1] if runs else None)


@then(parsers.parse('the tool "{name}" got these args, in this order:'))
def got_args_in_order(world: World, name: str, datatable: list[list[str]]) -> None:
    """One row a run."""
    wanted = [json.loads(row[0]) for row in datatable[1:]]
    runs = [run for run in world.record.tool_runs if run.tool == name]
    got = [run.args for run in runs]
    first = next((run for run, args in zip(runs, wanted, strict=False) if run.args != args), None)
    check(got == wanted, f"{name!r} gets {wanted}, in this order", f"it got {got}", first)


@then("no step was asked for after the LM finished")
def no_step_after_finish(world: World) -> None:
    """The loop is over."""
    asked = (event for event in _after_finish(world) if isinstance(event, Asked))
    late = next((event for event in asked if event.ask and event.ask.phase == "step"), None)
    check(late is None, f"no step is asked for after the LM selected {FINISH!r}", "one was", late)


@then("no tool ran after the LM finished")
def no_tool_after_finish(world: World) -> None:
    """`finish` is not a user tool, and brings none to run."""
    late = next((event for event in _after_finish(world) if isinstance(event, ToolRan)), None)
    actual = f"{late.tool!r} ran with {late.args}" if late else ""
    check(late is None, f"no tool runs after the LM selected {FINISH!r}", actual, late)


@then(parsers.parse("it refused, or the prediction has {outputs:Object}", extra_types=TYPES))
def refused_or_has(world: World, outputs: JsonObject) -> None:
    """Refused at construction or at the call, as the choice `max-steps-zero` allows."""
    if world.record.refusal is None and world.outcome.status != "error":
        prediction_has(world, outputs)


@then(parsers.parse("it was not constructed, or the prediction has {outputs:Object}", extra_types=TYPES))
def not_constructed_or_has(world: World, outputs: JsonObject) -> None:
    """No source says that a ReAct must accept to have no tools; one that does has to work."""
    if world.record.refusal is None:
        prediction_has(world, outputs)


def _default(world: World) -> int:
    """The default that the manifest documents.

    Raises:
        Untestable: if it is more than an episode of the kit's has.
    """
    default = world.manifest.default_max_steps
    if default >= BUDGET:
        raise Untestable(f"the default of {default} steps is more than the kit plays in an episode, {BUDGET}")
    return default


def _construct_another(world: World, tool: str, options: Options) -> None:
    arranged = world.arrangement
    signature = parse_arrow("question -> answer")
    world.arrangement = Arrangement(signature=signature, tools={tool: TOOLBOX[tool]}, options=options)
    world.construct()
    world.start_over()
    world.arrangement = arranged


def _asked_for(requests: tuple[Asked, ...], count: int) -> None:
    at = requests[min(count, len(requests) - 1)] if requests else None
    expected = f"the LM is asked for {count} step{'' if count == 1 else 's'}"
    check(len(requests) == count, expected, f"it was asked for {len(requests)}", at)


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
