"""When, Then: the same case played again, elsewhere and at another time (SAN-009)."""

from pytest_bdd import then, when

from react_tck.fakes.toolbox import TOOLBOX
from react_tck.judges.determinism import difference
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Script
from react_tck.model.signature import parse_arrow
from react_tck.play.determinism_worker import play_afresh
from react_tck.play.session import play
from react_tck.steps.world import World


@when("another case is played in between")
def other_case_played(world: World) -> None:
    """One with other fields, other tools and other texts."""
    play(world.subject, _other_case(world))


@then("both records are the same")
def both_records_same(world: World) -> None:
    """Event by event: requests, tool runs, outcome.

    Raises:
        Violation: at the first event that differs.
    """
    first, second = world.records[-2:]
    if violation := difference(first, second):
        raise violation


@then("a fresh process gives the same record")
def fresh_process_gives_same(world: World) -> None:
    """One with another hash seed, and without anything this one remembers.

    Raises:
        Violation: at the first event that differs.
    """
    if violation := difference(world.record, play_afresh(world.subject_name, world.episode)):
        raise violation


def _other_case(world: World) -> Episode:
    call = CallTool(tool="weather", args={"city": "Oslo"}, thought=f"another thought ~{world.nonce}")
    script = Script(
        steps=(call, Finish(thought=f"another end ~{world.nonce}")),
        answers=(Answer(outputs={"report": f"snow ~{world.nonce}"}, reasoning="seen"),),
    )
    case = Case(
        id=f"{world.case_id}/another",
        signature=parse_arrow("place, day -> report"),
        tools=(TOOLBOX["weather"], TOOLBOX["ping"]),
        invocations=(Invocation(inputs={"place": f"Oslo ~{world.nonce}", "day": "Monday"}),),
    )
    return Episode(case=case, script=script, nonce=world.nonce)
