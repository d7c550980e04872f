"""Then: which tools ran, with what, and what became of their results and errors."""

import json
import re
from collections.abc import Sequence
from typing import Literal

from parse import with_pattern
from pydantic import JsonValue
from pytest_bdd import then

from react_tck.dialects.markup import as_text
from react_tck.judges.tool_args import choose_sameness
from react_tck.judges.verdict import Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.record import Asked, ToolRan
from react_tck.record.places import find_new_observations
from react_tck.record.values import arrives_intact, is_same_value
from react_tck.record.visibility import hides_value
from react_tck.steps.core.trajectory import trace_of
from react_tck.steps.language import sentence
from react_tck.steps.world import World

#: How languages write what nobody has awaited or consumed yet.
_UNSETTLED = re.compile(
    r"<(?:coroutine|(?:async_)?generator|\w*iterator) object\b[^>]*>?"
    r"|\[object (?:Promise|(?:Async)?Generator|[\w ]*Iterator)\]|\bPromise \{|#<(?:Enumerator|Promise|Fiber)\b"
)


@with_pattern("(?:, defaults apart)?")
def defaults_apart(text: str) -> bool:
    """Whether declared defaults may have been added to the args."""
    return bool(text)


@with_pattern(r"one of \[.*\]|\{.*\}")
def args_allowed(text: str) -> list[JsonObject]:
    """`{"a": 2}`, or `one of [{"a": 1}, {"a": 2}]`."""
    value = json.loads(text.removeprefix("one of "))
    return value if isinstance(value, list) else [value]


@with_pattern("each call once|in this order")
def call_order(text: str) -> str:
    """Whether the order of the calls counts, or only that each was made once."""
    return text


@then(
    sentence(
        '{may_refuse:OrRefused}the tool "{name}" ran once with {args:Object}{defaults:DefaultsApart}',
        DefaultsApart=defaults_apart,
    )
)
def ran_once_with(world: World, may_refuse: bool, name: str, args: JsonObject, defaults: bool) -> None:
    """Exactly one run of the user's tool, with exactly these args, or with these and declared defaults."""
    if may_refuse and world.record.refusal:
        return
    run = _only_run(world, name)
    if defaults:
        holds, expected = (
            arrives_intact(args, run.received_args, world.arrangement.tools[name].parameters),
            f"{args}, defaults apart",
        )
    else:
        holds, expected = is_same_value(run.received_args, args), str(args)
    check(holds, f"{name!r} gets {expected}", f"it got {run.received_args}", run)


@then(sentence('the tool "{name}" ran with {several:Args}, or not at all', Args=args_allowed))
def ran_with_or_not(world: World, name: str, several: list[JsonObject]) -> None:
    """With these as SAN-002 compares them: to convert as `schema-mismatch` allows, and to refuse, are both right."""
    schema, says_the_same = world.arrangement.tools[name].parameters, choose_sameness(world.manifest)
    for run in _find_runs(world, name):
        fits = any(arrives_intact(args, run.received_args, schema, says_the_same) for args in several)
        expected = f"{name!r} gets {' or '.join(map(str, several))}, or isn't run"
        check(fits, expected, f"it got {run.received_args}", run)


@then(sentence('the tool "{name}" never ran'))
def never_ran(world: World, name: str) -> None:
    """Not one run of this tool."""
    runs = _find_runs(world, name)
    check(not runs, f"{name!r} never runs", f"it ran {len(runs)} times", runs[0] if runs else None)


@then(sentence('the tool "{name}" ran at most once'))
def ran_at_most_once(world: World, name: str) -> None:
    """What has run isn't run again."""
    runs = _find_runs(world, name)
    check(len(runs) <= 1, f"{name!r} runs at most once", f"it ran {len(runs)} times", _take_run(runs, 1))


@then(sentence('the tool "{name}" ran {count:d} times'))
def ran_times(world: World, name: str, count: int) -> None:
    """That many runs in the episode."""
    runs = _find_runs(world, name)
    # A run that is missing is seen at none of those that there are.
    check(len(runs) == count, f"{name!r} runs {count} times", f"it ran {len(runs)} times", _take_run(runs, count))


@then(sentence("the tools ran in the order {names:Names}"))
def ran_in_order(world: World, names: tuple[str, ...]) -> None:
    """All runs of the episode, by name."""
    ran = tuple(run.tool for run in world.record.tool_runs)
    check(ran == names, f"the tools run in the order {', '.join(names)}", f"they ran: {', '.join(ran) or 'none'}")


@then(sentence("these tools ran, {how:CallOrder}:", CallOrder=call_order))
def these_ran(world: World, how: Literal["each call once", "in this order"], datatable: list[list[str]]) -> None:
    """A row a call: the tool, its args; all there were. Calls of one turn may run at the same time, in any order."""
    wanted = [(tool, json.loads(args)) for tool, args in datatable[1:]]
    ran = [(run.tool, run.args) for run in world.record.tool_runs]
    expected, actual = f"these tools run, {how}: {wanted}", f"these ran: {ran}"
    if how == "in this order":
        check(ran == wanted, expected, actual)
        return
    check(len(ran) == len(wanted) and all(call in ran for call in wanted), expected, actual)
    repeated = next((call for call in wanted if ran.count(call) != wanted.count(call)), None)
    check(repeated is None, expected, actual)


@then("no tool ran")
def none_ran(world: World) -> None:
    """Not one run of any tool was observed."""
    runs = world.record.tool_runs
    check(not runs, "no tool runs", f"{len(runs)} ran, first {runs[0].tool!r}" if runs else "", next(iter(runs), None))


@with_pattern("(?: unchanged)?")
def read_unchanged(text: str) -> bool:
    """Whether it is to be equal where its place in the prompt is known."""
    return bool(text)


@then(
    sentence('the result of "{name:Quoted}" is shown{exactly:Unchanged} in the next request', Unchanged=read_unchanged)
)
def shown_next(world: World, name: str, exactly: bool) -> None:
    """The request after the tool's last run shows what it returned."""
    runs = _find_runs(world, name)
    if not runs:
        raise Violation(f"{name!r} runs", "it never ran")
    run = runs[-1]
    following = _next_request(world, run)
    if following is None:
        raise Violation(f"a request follows the run of {name!r}", "there was none", run)
    _is_shown_in(world, following, run, exactly=exactly)


@then(sentence('the args of "{name}" are of the types it declares'))
def args_of_declared_types(world: World, name: str) -> None:
    """In the tool's own language: a model where it declares one, not a mapping."""
    for run in _find_runs(world, name):
        actual = f"these are not: {', '.join(run.misfits)}"
        check(not run.misfits, f"every arg of {name!r} is of the type the tool declares", actual, run)


@then(sentence('the tool "{name}" could read {args:Object}'))
def could_read(world: World, name: str, args: JsonObject) -> None:
    """Exactly one run, in which the tool found these values in the fields of its models."""
    run = _only_run(world, name)
    actual = f"it failed: {run.error}" if run.error else f"it read {run.result}"
    check(run.error is None and is_same_value(run.result, args), f"{name!r} can read {args} in its args", actual, run)


@then("the agent observes no text of something that was never awaited or consumed")
def observes_values(world: World) -> None:
    """To await it, to consume it, to refuse it with an error are all right."""
    for asked in world.record.requests:
        found = _UNSETTLED.search(asked.request.text)
        check(not found, "the observation is a value, or an error", f"the LM is shown {_drop_address(found)}", asked)
    found = _UNSETTLED.search(as_text(world.outcome.trajectory))
    check(not found, "the observation is a value, or an error", f"the trajectory holds {_drop_address(found)}")


def _drop_address(found: re.Match[str] | None) -> str:
    """Without the address, which is another one in every run."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", found[0]) if found else ""


@then("the interruption of the tool ended the call")
def interruption_ended(world: World) -> None:
    """It came back as an error, if at all; nobody was asked or run any more."""
    events = world.record.events
    interrupted = next((event for event in events if isinstance(event, ToolRan) and event.interrupted), None)
    if interrupted is None:
        raise Violation("the tool runs and is interrupted", "it did not")
    later = events[events.index(interrupted) + 1 :]
    further = next((event for event in later if isinstance(event, Asked | ToolRan)), None)
    check(further is None, "the interruption of a tool ends the call", "the call went on", further)
    status = world.outcome.status
    check(status == "error", "the call ends with the interruption", f"it ended with status {status!r}")


@with_pattern("result|error")
def result_or_error(text: str) -> str:
    """What a run came to."""
    return text


@then(sentence('the {what:Came} of "{name:Quoted}" is the observation of its step', Came=result_or_error))
def is_observation(world: World, what: Literal["result", "error"], name: str) -> None:
    """The loop asks for the next step, with it before the LM; a result stands in the trajectory, too."""
    if what == "error":
        run = _failed_run(world, name)
        _is_shown(world, run, run.error)
        return
    run = _only_run(world, name)
    known = None if run.odd else run.result
    _is_shown(world, run, known)
    if "trajectory" in world.manifest.capabilities:
        _is_recorded(world, known)


def _is_shown(world: World, run: ToolRan, observation: JsonValue) -> None:
    following = _next_request(world, run)
    if following is None or following.ask is None or following.ask.phase != "step":
        raise Violation(f"the loop goes on after {run.tool!r}", "the next step isn't asked for", run)
    if observation is not None:
        _is_shown_in(world, following, run)


def _is_shown_in(world: World, following: Asked, run: ToolRan, *, exactly: bool = False) -> None:
    """A result stands in its place as it is, where the place is known; an error is shown in whatever words."""
    observation = run.observation
    is_hidden = hides_value(following.request.text, observation)
    if exactly and run.error is None and not run.odd:
        earlier = [e.request for e in world.record.events[: world.record.events.index(run)] if isinstance(e, Asked)]
        places = find_new_observations(earlier[-1] if earlier else None, following.request, following.ask)
        is_hidden = is_hidden or (
            bool(places) and not any(place.tells_value(observation, run.tool) for place in places)
        )
    check(not is_hidden, f"the next request shows {observation!r}", "it does not", following)


def _is_recorded(world: World, known: JsonValue) -> None:
    trace = trace_of(world)
    if trace.text is None:
        first = next(iter(trace.steps), None)
        if first is None or "observation" not in first.parts:
            raise Violation("the trajectory has an observation of the first step", "it has none")
        told = first.parts["observation"]
        shown = known is None or not hides_value(as_text(told), known)
        check(shown, f"the observation shows {known!r}", f"it is {told!r}")
    else:
        text = trace.text
        check(known is None or not hides_value(text, known), f"the observation shows {known!r}", f"it is {text!r}")


def _next_request(world: World, run: ToolRan) -> Asked | None:
    events = world.record.events
    return next((event for event in events[events.index(run) :] if isinstance(event, Asked)), None)


def _failed_run(world: World, name: str) -> ToolRan:
    run = next(iter(_find_runs(world, name)), None)
    if run is None or run.error is None:
        raise Violation(f"{name!r} runs and raises", "it did not", run)
    return run


def _take_run(runs: Sequence[ToolRan], number: int) -> ToolRan | None:
    """The run by its number from 0, if there are so many."""
    return runs[number] if number < len(runs) else None


def _find_runs(world: World, name: str) -> list[ToolRan]:
    return [run for run in world.record.tool_runs if run.tool == name]


def _only_run(world: World, name: str) -> ToolRan:
    runs = _find_runs(world, name)
    if len(runs) != 1:
        raise Violation(f"{name!r} runs exactly once", f"it ran {len(runs)} times", _take_run(runs, 1))
    return runs[0]
