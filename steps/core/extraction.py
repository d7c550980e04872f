"""Then: what the extraction request asks for and shows, and how often there is one."""

import re

from pytest_bdd import parsers, then

from react_tck.dialects.fields import FINISH, REASONING
from react_tck.judges.verdict import check
from react_tck.model.base import JsonObject
from react_tck.model.record import Asked
from react_tck.steps.core.request_checks import (
    extraction_request,
    has_inputs,
    shows_in_order,
    shows_inputs,
    shows_steps,
    shows_value,
    with_steps_before,
)
from react_tck.steps.language import TYPES
from react_tck.steps.world import World

_ERROR = re.compile(r"\b(?:\w*error|\w*exception|traceback|fail(?:ed|ure|s)?|unknown tool)\b", re.IGNORECASE)


@then("the extraction request shows the results in the order of the steps")
def extraction_shows_in_order(world: World) -> None:
    """Earlier results stand before later ones."""
    for asked, taken in with_steps_before(world, (extraction_request(world),)):
        shows_in_order(asked, [str(run.result) for _, run in taken])


@then("the extraction request shows the thought, tool, args and result of each step")
def extraction_shows_steps(world: World) -> None:
    """The whole trajectory."""
    for asked, taken in with_steps_before(world, (extraction_request(world),)):
        shows_steps(asked, taken)


@then(parsers.parse("the extraction request shows the input {inputs:Object}", extra_types=TYPES))
def extraction_shows_inputs(world: World, inputs: JsonObject) -> None:
    """The values as they were given."""
    shows_inputs(world, extraction_request(world), inputs)


@then(
    parsers.parse(
        "the extraction request shows the input {inputs:Object}, unless the error of the tool ended the call",
        extra_types=TYPES,
    )
)
def extraction_shows_inputs_unless_ended(world: World, inputs: JsonObject) -> None:
    """Not asked of a subject whose choice `tool-error` is an error."""
    if not _ended_by_tool(world):
        shows_inputs(world, extraction_request(world), inputs)


@then(parsers.parse('the extraction request shows "{text}", unless the error of the tool ended the call'))
def extraction_shows_unless_ended(world: World, text: str) -> None:
    """Not asked of a subject whose choice `tool-error` is an error."""
    if not _ended_by_tool(world):
        shows_value(extraction_request(world), text)


@then("the extraction is told of no error")
def told_of_no_error(world: World) -> None:
    """What stands behind the last result speaks of no failure; what earlier requests say too is no news."""
    asked = extraction_request(world)
    runs = world.record.tool_runs
    last = str(runs[-1].result) if runs else ""
    known = {line for earlier in world.step_requests for line in earlier.request.text.splitlines()}
    news = asked.request.text.rpartition(last)[2].splitlines() if last else asked.request.text.splitlines()
    told = next((line for line in news if line not in known and _ERROR.search(line)), None)
    expected = f"selecting {FINISH!r} completes the task, and the extraction is told of no error"
    check(told is None, expected, f"it is told: {(told or '').strip()}", asked)


@then(parsers.parse("the extraction request has exactly the inputs {names:Names}", extra_types=TYPES))
def extraction_has_inputs(world: World, names: tuple[str, ...]) -> None:
    """These input fields, in any order."""
    has_inputs(extraction_request(world), names)


@then(parsers.parse("the extraction asks for {names:Names}, and for whatever else before them", extra_types=TYPES))
def extraction_asks_for(world: World, names: tuple[str, ...]) -> None:
    """Every output; a reasoning that came after them would be none."""
    asked = extraction_request(world)
    fields = asked.ask.fields if asked.ask else ()
    actual = f"it asks for {', '.join(fields)}"
    for name in names:
        check(name in fields, f"the extraction asks for {name!r}", actual, asked)
    after = fields[min(fields.index(name) for name in names) :]
    check(set(after) <= set(names), f"nothing but {', '.join(names)} is asked for last", actual, asked)


@then("the extraction asks for reasoning, unless its declared choice is plain predict")
def asks_for_reasoning(world: World) -> None:
    """Chain of thought is the default; another behaviour is to be declared."""
    asked = extraction_request(world)
    fields = asked.ask.fields if asked.ask else ()
    declared = world.manifest.choices.get("extraction", "chain-of-thought")
    if "chain-of-thought" in declared:
        expected = f"the extraction asks for {REASONING!r}, as the choice 'extraction' is chain-of-thought"
        check(REASONING in fields, expected, f"it asks for {', '.join(fields)}", asked)


@then("the extraction was asked for once")
def one_extraction(world: World) -> None:
    """In the only call there was."""
    world.needs("extraction")
    _once(world.extraction_requests)


@then("the extraction was asked for once in each call")
def one_extraction_a_call(world: World) -> None:
    """In every call of the episode."""
    world.needs("extraction")
    for invocation in range(len(world.record.outcomes)):
        _once(tuple(asked for asked in world.extraction_requests if asked.invocation == invocation))


@then("nothing was asked for after the extraction")
def nothing_after_extraction(world: World) -> None:
    """It is the last thing that happens."""
    asked, last = extraction_request(world), world.record.requests[-1]
    check(asked is last, "the extraction is the last request", "another one followed", last)


def _once(requests: tuple[Asked, ...]) -> None:
    actual = f"it was asked for {len(requests)} times"
    check(len(requests) == 1, "the extraction is asked for exactly once", actual, requests[1] if requests[1:] else None)


def _ended_by_tool(world: World) -> bool:
    world.needs("extraction")
    return world.outcome.status == "error" and not world.extraction_requests
