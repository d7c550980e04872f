"""Then: calls that keep to themselves, and leave the caller's objects as they were (ISO-001, ISO-003)."""

from collections.abc import Iterator

from pydantic import JsonValue
from pytest_bdd import given, then

from react_tck.judges.caller_objects import altered
from react_tck.judges.determinism import difference
from react_tck.judges.verdict import Violation, check
from react_tck.model.intent import Answer, CallTool, Finish
from react_tck.model.record import Record, ToolRan
from react_tck.play.session import play
from react_tck.play.single_call import alone, as_only_call, counted_anew
from react_tck.record.evidence import Evidence
from react_tck.steps.world import World


@given("the caller's objects can be looked at after the call")
def objects_can_be_seen(world: World) -> None:
    """Only where subject and kit share a process."""
    world.needs("caller-objects")


@then("the last call is the same as it would be alone")
def same_as_alone(world: World) -> None:
    """Requests, tool runs and outcome, held against an instance of its own that is told the same.

    Raises:
        Violation: at the first event that differs.
    """
    last = len(world.record.outcomes) - 1
    by_itself = counted_anew(play(world.subject, alone(world.episode, world.record, last)))
    if violation := difference(by_itself, as_only_call(world.record, last)):
        raise Violation("a call is the same as it would be alone", violation.actual, violation.at)


@then("no request of the last call shows anything of the call before")
def shows_nothing_of_before(world: World) -> None:
    """Neither its inputs, nor what the LM said in it, nor what its tools returned."""
    last = len(world.record.outcomes) - 1
    own = set(_texts(world, last))
    earlier = [text for text in _texts(world, last - 1) if text not in own]
    for asked in world.record.of_call(last).requests:
        shown = next((text for text in earlier if text in asked.request.text), None)
        check(shown is None, "the request shows nothing of the call before", f"it shows {shown!r}", asked)


@then("nothing that the caller handed over was changed")
def nothing_changed(world: World) -> None:
    """The inputs with all they hold, the history, the signature, the tools."""
    for violation in altered(Evidence(world.episode, world.manifest, world.record)):
        raise violation


def _texts(world: World, invocation: int) -> Iterator[str]:
    """What only this call of the episode brought about: every such text carries the nonce."""
    values: list[JsonValue] = [world.episode.case.invocations[invocation].inputs]
    values += _said(world.record.of_call(invocation))
    yield from (text for value in values for text in _strings(value) if world.nonce in text)


def _said(record: Record) -> Iterator[JsonValue]:
    for event in record.events:
        if isinstance(event, ToolRan):
            yield event.result
        elif (intent := getattr(event, "intent", None)) and isinstance(intent, CallTool | Finish | Answer):
            yield intent.model_dump(mode="json")


def _strings(value: JsonValue) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for inner in value.values():
                yield from _strings(inner)
        case list():
            for inner in value:
                yield from _strings(inner)
