"""Given, Then: tools of any kind, what they are given, what they return, and how the LM is told of them."""

import json
from typing import Any

from pydantic import JsonValue
from pytest_bdd import given, parsers, then, when

from react_tck.dialects.markup import as_text
from react_tck.fakes.toolbox import described
from react_tck.judges.verdict import Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.record import Asked, ToolRan
from react_tck.model.tool import Behaviour, Returns, ReturnsOddity, Tool
from react_tck.record.shown import names, shows
from react_tck.record.values import arrived, same
from react_tck.steps.core.trajectory import trace_of
from react_tck.steps.language import TYPES
from react_tck.steps.world import World

_RESULTS: dict[str, Behaviour] = {
    "a text": Returns(value="828 m"),
    "an empty text": Returns(value=""),
    "a whole number": Returns(value=828),
    "zero": Returns(value=0),
    "a fraction": Returns(value=0.125),
    "true": Returns(value=True),
    "false": Returns(value=False),
    "null": Returns(value=None),
    "a list": Returns(value=["Dubai", 828, None]),
    "an empty list": Returns(value=[]),
    "an object": Returns(value={"city": "Dubai", "height": {"metres": 828}}),
    "bytes": ReturnsOddity(oddity="bytes"),
    "an object of its own class": ReturnsOddity(oddity="object"),
    "a set": ReturnsOddity(oddity="set"),
    "NaN": ReturnsOddity(oddity="nan"),
}
_FORMS = {"function": "function", "method": "method", "callable object": "object"}


@given("the tools:")
def have_described_tools(world: World, datatable: list[list[str]]) -> None:
    """Tools of the scenario's own; `parameters` are JSON Schemas by name, those without a default required."""
    header, *rows = datatable
    for row in rows:
        column = dict(zip(header, row, strict=True))
        tool = described(column["name"], column["description"], json.loads(column["parameters"]))
        world.arrangement.tools[tool.name] = tool


@given(parsers.parse('another tool is named "{name}" and described as "{description:Quoted}"', extra_types=TYPES))
def have_namesake(world: World, name: str, description: str) -> None:
    """A tool whose name another one has already."""
    namesake = world.arrangement.tools[name].model_copy(update={"description": description})
    world.arrangement.namesakes.append(namesake)


@given(parsers.re(r'the tool "(?P<name>\w+)" is (?:a|an) (?P<kind>(?:async )?(?:function|method|callable object))'))
def tool_is_of_kind(world: World, name: str, kind: str) -> None:
    """Whatever Python can call."""
    is_async, form = kind.startswith("async "), _FORMS[kind.removeprefix("async ")]
    if form != "function":
        world.needs("callable-tools")
    if is_async:
        world.needs("async-tools")
    update = {"is_async": is_async, "callable_form": form}
    world.arrangement.tools[name] = world.arrangement.tools[name].model_copy(update=update)


@given(parsers.parse('the tool "{name}" hands back {what}'))
def hands_back(world: World, name: str, what: str) -> None:
    """A result of some kind, JSON or not; a mistake in the feature if the kind is unknown."""
    world.arrangement.behaviours[name] = (_RESULTS[what],)


@when(parsers.parse("it is constructed and, unless refused, called with {inputs:Object}", extra_types=TYPES))
def constructed_and_called(world: World, inputs: JsonObject) -> None:
    """Called only if the subject accepts the case."""
    if world.construct().session.constructed:
        world.call(inputs)


@then(parsers.parse('the args of "{name}" are of the types it declares'))
def args_of_declared_types(world: World, name: str) -> None:
    """In the tool's own language: a model where it declares one, not a mapping."""
    for run in _runs(world, name):
        actual = f"these are not: {', '.join(run.misfits)}"
        check(not run.misfits, f"every arg of {name!r} is of the type the tool declares", actual, run)


@then(parsers.parse('the tool "{name}" ran once with {args:Object}, defaults apart', extra_types=TYPES))
def ran_once_defaults_apart(world: World, name: str, args: JsonObject) -> None:
    """These args, and no others but declared defaults."""
    run, tool = _only_run(world, name), world.arrangement.tools[name]
    expected = f"{name!r} gets {args}, and declared defaults at most"
    check(arrived(args, run.args, tool.parameters), expected, f"it got {run.args}", run)


@then(parsers.parse('the tool "{name}" ran with {args:Object}, or not at all', extra_types=TYPES))
def ran_with_or_not(world: World, name: str, args: JsonObject) -> None:
    """Converting and refusing are both right (choice `schema-mismatch`); passing it on as it is isn't."""
    for run in _runs(world, name):
        check(same(run.args, args), f"{name!r} gets {args}, or isn't run", f"it got {run.args}", run)


@then(parsers.parse("every step prompt shows the parameters {parameters:Names}", extra_types=TYPES))
def prompts_show_parameters(world: World, parameters: tuple[str, ...]) -> None:
    """By name, in every request for a step."""
    for asked in _step_requests(world):
        for parameter in parameters:
            shown = names(asked.request.text, parameter)
            check(shown, f"every step prompt shows the parameter {parameter!r}", "this one does not", asked)


@then(parsers.parse("every step prompt shows the default {value:Json}", extra_types=TYPES))
def prompts_show_default(world: World, value: JsonValue) -> None:
    """In every request for a step."""
    for asked in _step_requests(world):
        check(shows(asked.request.text, value), f"every step prompt shows {value!r}", "this one does not", asked)


@then(parsers.parse('what "{name}" returned is an observation of its step'))
def returned_is_observed(world: World, name: str) -> None:
    """The loop asks for the next step, and request and trajectory show the result, if it can be told."""
    run = _only_run(world, name)
    events = world.record.events
    following = next((e for e in events[events.index(run) :] if isinstance(e, Asked)), None)
    if following is None or following.ask is None or following.ask.phase != "step":
        raise Violation(f"the loop goes on after {name!r}", "the next step isn't asked for", run)
    known = None if run.odd else run.result
    if known is not None:
        check(shows(following.request.text, known), f"the next request shows {known!r}", "it does not", following)
    if "trajectory" in world.manifest.capabilities:
        _is_recorded(world, known)


@then(parsers.parse("it was refused, or every step prompt describes all the tools"))
def refused_or_all_described(world: World) -> None:
    """None is left out in silence."""
    if world.record.refusal:
        return
    for asked in _step_requests(world):
        for tool in world.episode.case.tools:
            shown = shows(asked.request.text, tool.description)
            check(shown, f"the step prompt describes the tool {_named(tool)}", "it does not", asked)


@then(parsers.parse('it was refused, or the tool "{name}" ran once with {args:Object}', extra_types=TYPES))
def refused_or_ran(world: World, name: str, args: JsonObject) -> None:
    """The user's tool itself, not a built-in one."""
    if not world.record.refusal:
        run = _only_run(world, name)
        check(same(run.args, args), f"{name!r} gets {args}", f"it got {run.args}", run)


@then(parsers.parse('it was refused, or every request shows the input "{name}"'))
def refused_or_input_shown(world: World, name: str) -> None:
    """To the step predictor and to the extraction."""
    if world.record.refusal:
        return
    _succeeded(world)
    value = world.episode.case.invocations[-1].inputs[name]
    for asked in world.record.requests:
        check(shows(asked.request.text, value), f"every request shows the input {value!r}", "this one does not", asked)


@then(parsers.parse("it was refused, or the prediction has {outputs:Object}", extra_types=TYPES))
def refused_or_prediction_has(world: World, outputs: JsonObject) -> None:
    """What the LM answered, texts marked like the LM's."""
    if world.record.refusal:
        return
    _succeeded(world)
    expected, given_ = world.marked_outputs(outputs), world.outcome.outputs
    check(same(given_, expected), f"it is refused, or the outputs are {expected}", f"they are {given_}")


def _succeeded(world: World) -> None:
    error = world.outcome.error
    actual = f"it was accepted, and the call raised {error.type}: {error.message}" if error else "it did neither"
    check(world.outcome.status == "ok", "it is refused at construction, or works", actual)


def _is_recorded(world: World, known: JsonValue) -> None:
    trace = trace_of(world)
    if trace.text is None:
        first: Any = next(iter(trace.steps), None)
        recorded = first is not None and "observation" in first.parts
        check(recorded, "the trajectory has an observation of the first step", "it has none")
        text = as_text(first.parts["observation"])
    else:
        text = trace.text
    check(known is None or shows(text, known), f"the observation shows {known!r}", f"it is {text!r}")


def _runs(world: World, name: str) -> list[ToolRan]:
    return [run for run in world.record.tool_runs if run.tool == name]


def _only_run(world: World, name: str) -> ToolRan:
    runs = _runs(world, name)
    if len(runs) != 1:
        raise Violation(f"{name!r} runs exactly once", f"it ran {len(runs)} times", next(iter(runs[1:]), None))
    return runs[0]


def _step_requests(world: World) -> tuple[Asked, ...]:
    requests = world.step_requests
    check(bool(requests), "the LM is asked for a step", "it never was")
    return requests


def _named(tool: Tool) -> str:
    return f"{tool.name!r}, {tool.description!r}"
