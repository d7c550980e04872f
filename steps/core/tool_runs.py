"""Then: which tools ran, with what, and what became of their results."""

from pytest_bdd import parsers, then

from react_tck.judges.verdict import Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.record import Asked, ToolRan
from react_tck.record.shown import shows
from react_tck.record.values import same
from react_tck.steps.language import TYPES
from react_tck.steps.world import World


@then(parsers.parse('the tool "{name}" ran once with {args:Object}', extra_types=TYPES))
def ran_once_with(world: World, name: str, args: JsonObject) -> None:
    """Exactly one run, with exactly these args."""
    runs = _runs(world, name)
    check(len(runs) == 1, f"{name!r} runs exactly once", f"it ran {len(runs)} times", runs[-1] if runs else None)
    check(runs[0].args == args, f"{name!r} gets {args}", f"it got {runs[0].args}", runs[0])


@then(parsers.parse("the tools ran in the order {names:Names}", extra_types=TYPES))
def ran_in_order(world: World, names: tuple[str, ...]) -> None:
    """All runs of the episode, by name."""
    ran = tuple(run.tool for run in world.record.tool_runs)
    check(ran == names, f"the tools run in the order {', '.join(names)}", f"they ran: {', '.join(ran) or 'none'}")


@then(parsers.parse('the tool "{name}" got one of {several:Json}, if it ran', extra_types=TYPES))
def got_one_of(world: World, name: str, several: list[JsonObject]) -> None:
    """Where what the LM said may be read in several ways, each without a guess."""
    for run in _runs(world, name):
        fits = any(same(run.args, args) for args in several)
        expected = f"{name!r} gets {' or '.join(map(str, several))}, or isn't run"
        check(fits, expected, f"it got {run.args}", run)


@then("no tool ran")
def none_ran(world: World) -> None:
    """Not one run."""
    runs = world.record.tool_runs
    check(not runs, "no tool runs", f"{len(runs)} ran, first {runs[0].tool!r}" if runs else "", next(iter(runs), None))


@then(parsers.parse('the result of "{name}" is shown in the next request'))
def shown_next(world: World, name: str) -> None:
    """The request after the tool's last run shows what it returned."""
    run = _last_run(world, name)
    events = world.record.events
    following = next((e for e in events[events.index(run) :] if isinstance(e, Asked)), None)
    if following is None:
        raise Violation(f"a request follows the run of {name!r}", "there was none", run)
    check(shows(following.request.text, run.result), f"the next request shows {run.result!r}", "it does not", following)


def _runs(world: World, name: str) -> list[ToolRan]:
    return [run for run in world.record.tool_runs if run.tool == name]


def _last_run(world: World, name: str) -> ToolRan:
    runs = _runs(world, name)
    if not runs:
        raise Violation(f"{name!r} runs", "it never ran")
    return runs[-1]
