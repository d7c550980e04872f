"""When, Then: the same case played again: at another time, elsewhere, asynchronously (SAN-009, ASY-001)."""

from typing import Any

from pytest_bdd import then, when

from react_tck.judges.verdict import Violation, check
from react_tck.model.record import Asked, Event, Record, Resumed, Returned, ToolRan
from react_tck.play.fresh_process import play_in_fresh_process
from react_tck.play.others import make_other_episode
from react_tck.play.session import play_episode
from react_tck.record.difference import find_difference
from react_tck.steps.world import World


@when("another case is played in between")
def other_case_played(world: World) -> None:
    """One with other fields, other tools and other texts."""
    play_episode(world.subject, make_other_episode(world.manifest))


@then("both records are the same")
def both_records_same(world: World) -> None:
    """Event by event: requests, tool runs, outcome.

    Raises:
        Violation: at the first event that differs.
    """
    first, second = world.records[-2:]
    if found := find_difference(first, second, world.manifest.varies):
        raise Violation(*found)


@then("a fresh process gives the same record")
def fresh_process_gives_same(world: World) -> None:
    """One with another hash seed, without anything this one remembers; of a resumed call, from the response on.

    Raises:
        Violation: at the first event that differs.
    """
    if world.resumed_afresh:
        one, other = _resumed_part(world.record), _resumed_part(world.resumed_afresh)
    else:
        one, other = world.record, play_in_fresh_process(world.subject_name, world.episode)
    if found := find_difference(one, other, world.manifest.varies):
        if world.resumed_afresh:
            world.require_settled(world.episode)
        raise Violation("both records are the same", found.actual, found.at)


@then("the async call gave the same record as the sync one")
def async_gave_same(world: World) -> None:
    """Event by event, text by text, whether it was called or resumed.

    Raises:
        Violation: at the first event that differs.
    """
    one, other = (record.model_copy(update={"events": _drop_modes(record)}) for record in world.records[-2:])
    if found := find_difference(one, other, world.manifest.varies):
        world.require_settled(world.episode)
        expected = "the async call is the same as the sync one"
        raise Violation(expected, found.actual, found.at)


@then("the async call did the same as the sync one")
def async_did_the_same(world: World) -> None:
    """The texts of errors apart: they tell where in the code they were raised, and that isn't the same place."""
    one, other = (list(map(_describe_event, record.events)) for record in world.records[-2:])
    if one != other:
        world.require_settled(world.episode)
    check(one == other, f"the async call did what the sync one did: {one}", f"it did: {other}")


def _describe_event(event: Event) -> Any:
    match event:
        case Asked(ask=ask, intent=intent):
            return ask, intent
        case ToolRan():
            return event.tool, event.args, event.result, event.error
        case Returned(outcome=outcome):
            return outcome.status, outcome.outputs, outcome.error and outcome.error.type
    return event.kind


def _resumed_part(record: Record) -> Record:
    index = next(number for number, event in enumerate(record.events) if isinstance(event, Resumed))
    return record.model_copy(update={"events": record.events[index:]})


def _drop_modes(record: Record) -> tuple[Event, ...]:
    return tuple(
        event.model_copy(update={"resumption": event.resumption.model_copy(update={"mode": "sync"})})
        if isinstance(event, Resumed)
        else event
        for event in record.events
    )
