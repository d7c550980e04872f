"""Then: what becomes of a tool that raises (ERR-007)."""

from pytest_bdd import parsers, then

from react_tck.judges.verdict import Violation, check
from react_tck.model.record import Asked
from react_tck.record.shown import shows
from react_tck.steps.language import TYPES
from react_tck.steps.world import World


@then(parsers.parse('the error of "{name:Quoted}" is the observation of its step', extra_types=TYPES))
def error_is_observed(world: World, name: str) -> None:
    """The tool ran once and raised, and the next step is asked for with the error's text before the LM."""
    events = world.record.events
    run = next((run for run in world.record.tool_runs if run.tool == name), None)
    if run is None or run.error is None:
        raise Violation(f"{name!r} runs and raises", "it did not", run)
    following = next((event for event in events[events.index(run) :] if isinstance(event, Asked)), None)
    if following is None or following.ask is None or following.ask.phase != "step":
        raise Violation(f"the loop goes on after the error of {name!r}", "the next step isn't asked for", run)
    shown = shows(following.request.text, run.error)
    check(shown, f"the next request shows the error {run.error!r}", "it does not", following)
