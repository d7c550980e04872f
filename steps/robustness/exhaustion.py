"""Then: how often the LM is asked at most, and what is left when the steps have run out (ERR-008, ERR-013)."""

from pytest_bdd import then

from react_tck.dialects.markup import as_text
from react_tck.judges.sanitizers import request_bound
from react_tck.judges.verdict import Violation, check
from react_tck.model.record import Asked, Returned, ToolRan
from react_tck.record.evidence import Scene
from react_tck.record.shown import shows
from react_tck.steps.core.trajectory import trace_of
from react_tck.steps.world import World


@then("the LM was asked at most as often as max_steps and the declared retries allow")
def asked_within_bounds(world: World) -> None:
    """`max_steps` steps and one extraction, each with the retries of the manifest."""
    scene = Scene(world.episode, world.manifest, 0, world.record)
    bound, requests = request_bound(scene), world.record.requests
    each = f"each with {world.manifest.retries} retries"
    expected = f"at most {bound} requests: {scene.max_steps} steps and the extraction, {each}"
    check(len(requests) <= bound, expected, f"there were {len(requests)}", next(iter(requests[bound:]), None))


@then("the trajectory so far is kept, unless the step that went wrong ended the call")
def kept_so_far(world: World) -> None:
    """That the steps have run out is no error; what a step that went wrong may lead to is a choice of its own."""
    world.needs("trajectory")
    if world.outcome.status == "error":
        _ended_by_the_step(world)
        return
    trace_of(world)
    told = as_text(world.outcome.trajectory)
    for run in world.record.tool_runs:
        for what in (run.tool, run.args, run.observation):
            check(shows(told, what), f"the trajectory shows {what!r} of a step that was taken", f"it is {told}", run)


def _ended_by_the_step(world: World) -> None:
    events = world.record.events
    ended = next(index for index, event in enumerate(events) if isinstance(event, Returned))
    before, error = events[ended - 1], world.outcome.error
    in_step = isinstance(before, Asked) and before.ask is not None and before.ask.phase == "step"
    if in_step or (isinstance(before, ToolRan) and before.error is not None):
        return
    told = f"{error.type}: {error.message}" if error else "an error"
    raise Violation("the steps that ran out leave a prediction with the trajectory", told, before)
