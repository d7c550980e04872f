"""Then: what a provider's failure costs, and which of two values a reply is read by."""

from itertools import pairwise

from pytest_bdd import then

from react_tck.fakes.malformed import both_readings
from react_tck.judges.verdict import Violation, check
from react_tck.model.intent import Answer, Fault, Garbled, Submit
from react_tck.model.record import Asked, ToolRan
from react_tck.record.values import is_same_value
from react_tck.steps.core.prediction import ends_in_order
from react_tck.steps.core.request_checks import extraction_request
from react_tck.steps.world import World


@then("the LM fault cost exactly one request")
def cost_one_request(world: World) -> None:
    """Who asks again is given the same fault again."""
    met = [asked for asked in world.record.requests if isinstance(asked.intent, Fault)]
    check(len(met) == 1, "exactly one request meets the fault", f"{len(met)} did", met[-1] if met else None)


@then("no tool ran again after the LM fault")
def not_run_again(world: World) -> None:
    """What had run by then, or ran since, with the same args; how often it ran before is other requirements' affair."""
    events = world.record.events
    first = next((e for e in events if isinstance(e, Asked) and isinstance(e.intent, Fault)), None)
    if first is None:
        return
    before = [event for event in events[: events.index(first)] if isinstance(event, ToolRan)]
    for run in (event for event in events[events.index(first) :] if isinstance(event, ToolRan)):
        has_run = any(
            earlier.tool == run.tool and is_same_value(earlier.received_args, run.received_args) for earlier in before
        )
        check(
            not has_run,
            "no tool runs again because of an LM fault",
            f"{run.tool!r} ran with {run.received_args} again",
            run,
        )
        before.append(run)


@then("no LM fault was answered by asking again in another format, unless repetitions are declared")
def not_in_another_format(world: World) -> None:
    """The format isn't what failed."""
    if "retries" in world.manifest.choices.get("lm-fault", ""):
        return
    for failed, again in pairwise(world.record.requests):
        is_repetition = isinstance(failed.intent, Fault) and again.attempt > 0
        if is_repetition and failed.ask and again.ask and failed.ask.dialect != again.ask.dialect:
            actual = f"after {failed.ask.dialect!r} it asks for the same in {again.ask.dialect!r}"
            raise Violation("a fault isn't answered by asking again in another format", actual, again)


@then("the prediction has one of the two values, or the call ended with a typed error")
def has_one_of_two_values(world: World) -> None:
    """Which one is the choice `repeated-field`."""
    ends_in_order(world)
    extraction_request(world)
    asked, outputs = world.extraction_requests[-1], world.outcome.outputs
    both = both_readings(asked.intent, asked.ask) if isinstance(asked.intent, Garbled) and asked.ask else None
    if world.outcome.status == "error" or both is None:
        return
    read = [meant.outputs for meant in both if isinstance(meant, Answer | Submit)]
    expected = f"the outputs are {' or '.join(map(str, read))}"
    check(any(is_same_value(outputs, each) for each in read), expected, f"they are {outputs}", asked)
