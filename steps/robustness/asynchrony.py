"""Then: the async entry point beside the sync one (ASY-001)."""

from typing import Any

from pytest_bdd import then

from react_tck.judges.determinism import difference
from react_tck.judges.verdict import Violation, check
from react_tck.model.record import Asked, Event, Record, Returned, ToolRan
from react_tck.steps.world import World


@then("the async call gave the same record as the sync one")
def same_record(world: World) -> None:
    """Event by event, text by text.

    Raises:
        Violation: at the first event that differs.
    """
    if violation := difference(*world.records[-2:]):
        raise Violation("the async call is the same as the sync one", violation.actual, violation.at)


@then("the async call did the same as the sync one")
def did_the_same(world: World) -> None:
    """The texts of errors apart: they tell where in the code they were raised, and that isn't the same place."""
    one, other = (list(_deeds(record)) for record in world.records[-2:])
    check(one == other, f"the async call did what the sync one did: {one}", f"it did: {other}")


def _deeds(record: Record) -> list[Any]:
    return [_deed(event) for event in record.events]


def _deed(event: Event) -> Any:
    match event:
        case Asked(ask=ask, intent=intent):
            return ask, intent
        case ToolRan():
            return event.tool, event.args, event.result, event.error
        case Returned(outcome=outcome):
            return outcome.status, outcome.outputs, outcome.error and outcome.error.type
    return event.kind
