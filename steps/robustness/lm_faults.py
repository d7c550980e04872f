"""Given, Then: the provider fails, for once or for good, and what becomes of the call (ERR-012)."""

from parse import with_pattern
from pytest_bdd import given, parsers, then

from react_tck.judges.verdict import check
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, Attempts, CallTool, Fault
from react_tck.record.values import same
from react_tck.steps.language import TYPES
from react_tck.steps.world import World

#: More requests than any client's retries make of so short a task.
_ENOUGH = 30


@with_pattern("[a-z-]+")
def _fault_name(text: str) -> str:
    return text


_TYPES = {**TYPES, "Fault": _fault_name}


@given(parsers.parse("the LM's next step meets the fault {fault:Fault}", extra_types=_TYPES))
def step_fails(world: World, fault: str) -> None:
    """However often that step is asked for."""
    world.arrangement.steps.append(_fault(fault))


@given(parsers.parse("every further step meets the fault {fault:Fault}", extra_types=_TYPES))
def steps_fail(world: World, fault: str) -> None:
    """For good."""
    world.arrangement.steps.append(_fault(fault, sticky=True))


@given(
    parsers.parse(
        'the LM\'s next step meets the fault {fault:Fault} once, then it calls "{tool}" with {args:Object}',
        extra_types=_TYPES,
    )
)
def step_fails_once(world: World, fault: str, tool: str, args: JsonObject) -> None:
    """Whoever asks for the step again gets it."""
    call = CallTool(tool=tool, args=args, thought=world.thought())
    world.arrangement.steps.append(Attempts(replies=(_fault(fault), call)))


@given(parsers.parse("the LM's answer meets the fault {fault:Fault}", extra_types=_TYPES))
def answer_fails(world: World, fault: str) -> None:
    """However often that answer is asked for."""
    world.arrangement.answers.append(_fault(fault))


@given(parsers.parse("every answer of the LM meets the fault {fault:Fault}", extra_types=_TYPES))
def answers_fail(world: World, fault: str) -> None:
    """For good."""
    world.arrangement.answers.append(_fault(fault, sticky=True))


@given(
    parsers.parse(
        "the LM's answer meets the fault {fault:Fault} once, then it answers {outputs:Object}", extra_types=_TYPES
    )
)
def answer_fails_once(world: World, fault: str, outputs: JsonObject) -> None:
    """Whoever asks for it again gets it."""
    answer = Answer(outputs=world.marked_outputs(outputs), reasoning=f"reasoning ~{world.nonce}")
    world.arrangement.answers.append(Attempts(replies=(_fault(fault), answer)))


@then(
    parsers.parse(
        "the call fails with an error, or recovers and the prediction has {outputs:Object}", extra_types=_TYPES
    )
)
def fails_or_recovers(world: World, outputs: JsonObject) -> None:
    """The fault is told, or what was asked for is given all the same; nothing in between."""
    outcome, wanted = world.outcome, world.marked_outputs(outputs)
    actual = f"it ended with {outcome.status!r} and {outcome.outputs}"
    recovered = outcome.status == "ok" and same(outcome.outputs, wanted)
    check(outcome.status == "error" or recovered, f"an error, or the outputs {wanted}", actual)


@then("the call fails with an error")
def fails(world: World) -> None:
    """As nobody ever gave an answer."""
    outcome = world.outcome
    actual = f"it ended with {outcome.status!r} and {outcome.outputs}"
    check(outcome.status == "error", "the call ends with an error, as the LM never answers", actual)


@then(parsers.parse('the tool "{name}" ran at most once'))
def ran_at_most_once(world: World, name: str) -> None:
    """What has run isn't run again."""
    runs = [run for run in world.record.tool_runs if run.tool == name]
    check(len(runs) <= 1, f"{name!r} runs at most once", f"it ran {len(runs)} times", runs[-1] if runs else None)


@then("it gave up after a bounded number of requests")
def gave_up(world: World) -> None:
    """A provider that is down is not asked for ever."""
    requests = world.record.requests
    bounded = len(requests) <= _ENOUGH
    check(bounded, f"at most {_ENOUGH} requests", f"there were {len(requests)}", None if bounded else requests[_ENOUGH])


def _fault(name: str, *, sticky: bool = False) -> Fault:
    return Fault.model_validate({"fault": name, "sticky": sticky})
