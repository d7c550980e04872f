"""When, Then: a suspended call resumed elsewhere: in a fresh process, or through the async entry point."""

from pytest_bdd import parsers, then, when

from react_tck.judges.determinism import difference
from react_tck.judges.verdict import Violation
from react_tck.model.case import Invocation, Resumption
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, Script
from react_tck.model.record import Event, Record, Resumed
from react_tck.play.determinism_worker import play_afresh
from react_tck.steps.world import World


@when(parsers.parse('it is resumed with "{response}" here and in a fresh process'), target_fixture="fresh_record")
def resumed_here_and_afresh(world: World, response: str) -> Record:
    """The fresh process is handed the suspension as JSON, and what the LM has not said yet."""
    world.needs("portable-state")
    fresh = play_afresh(world.subject_name, _remainder(world, Resumption(response=response)))
    world.resume(Resumption(response=response))
    return fresh


@then("the fresh process gives the same record as this one")
def same_afresh(world: World, fresh_record: Record) -> None:
    """From the response on, event by event.

    Raises:
        Violation: at the first event that differs.
    """
    _same(_resumed_part(world.record), _resumed_part(fresh_record))


@then("the asynchronous resumption gives the same record as the synchronous one")
def same_asynchronously(world: World) -> None:
    """Of the two latest episodes, event by event.

    Raises:
        Violation: at the first event that differs.
    """
    one, other = (record.model_copy(update={"events": _modeless(record)}) for record in world.records[-2:])
    _same(one, other)


def _remainder(world: World, resumption: Resumption) -> Episode:
    left = world.record.left_over
    script = Script(
        steps=tuple(intent for intent in left if not isinstance(intent, Answer)),
        answers=tuple(intent for intent in left if isinstance(intent, Answer)),
    )
    inputs = world.episode.case.invocations[-1].inputs
    call = Invocation(inputs=inputs, suspension=world.outcome.suspension or {}, resumptions=(resumption,))
    case = world.episode.case.model_copy(update={"invocations": (call,)})
    return world.episode.model_copy(update={"case": case, "script": script})


def _resumed_part(record: Record) -> Record:
    index = next(number for number, event in enumerate(record.events) if isinstance(event, Resumed))
    return record.model_copy(update={"events": record.events[index:]})


def _modeless(record: Record) -> tuple[Event, ...]:
    return tuple(
        event.model_copy(update={"resumption": event.resumption.model_copy(update={"mode": "sync"})})
        if isinstance(event, Resumed)
        else event
        for event in record.events
    )


def _same(one: Record, other: Record) -> None:
    if violation := difference(one, other):
        raise Violation("both records are the same", violation.actual, violation.at)
