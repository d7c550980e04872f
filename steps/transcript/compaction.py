"""Then: a history that was summarised to fit (TRN-014)."""

from pytest_bdd import parsers, then

from react_tck.dialects.markup import as_text
from react_tck.judges.verdict import Violation, check
from react_tck.model.intent import Fault
from react_tck.model.nonce import mark
from react_tck.model.record import Asked
from react_tck.record.shown import shows
from react_tck.steps.transcript.arrange import history_of_last_call
from react_tck.steps.transcript.turns import shows_turn_of
from react_tck.steps.world import World


@then(parsers.parse('the request made to fit shows the summary "{text}"'))
def request_shows_summary(world: World, text: str) -> None:
    """The one that is made instead of the one that didn't fit."""
    asked, summary = _made_to_fit(world), mark(text, world.nonce)
    check(shows(asked.request.text, summary), f"the request shows the summary: {summary!r}", "it does not", asked)


@then(parsers.parse('its history has the summary "{text}" as an entry'))
def history_has_summary(world: World, text: str) -> None:
    """So that whoever reads the history sees that something was left out, and what is left of it."""
    entries, summary = history_of_last_call(world), mark(text, world.nonce)
    found = any(shows(as_text(entry), summary) for entry in entries)
    check(found, f"an entry of the history is the summary: {summary!r}", f"the entries are {entries}")


@then("it is shorter than the one that did not fit")
def is_shorter(world: World) -> None:
    """A summary beside all that it sums up makes nothing fit."""
    asked, refused = _made_to_fit(world), _refused(world)
    lengths = len(asked.request.text), len(refused.request.text)
    check(lengths[0] < lengths[1], f"fewer than {lengths[1]} characters", f"there are {lengths[0]}", asked)


@then("the request made to fit still shows the prior request, tool calls, observations and answer, in order")
def still_shows_antecedents(world: World) -> None:
    """Of the call before, whose history was passed on (TRN-008)."""
    shows_turn_of(world, _made_to_fit(world), len(world.record.outcomes) - 2)


@then("the request made to fit still shows the user's request and the last observation")
def still_shows_request(world: World) -> None:
    """Of the call under way."""
    asked = _made_to_fit(world)
    values = [*world.episode.case.invocations[-1].inputs.values(), world.record.tool_runs[-1].result]
    for value in values:
        check(shows(asked.request.text, value), f"the request shows {value!r}", "it does not", asked)


def _refused(world: World) -> Asked:
    found = next((asked for asked in world.record.requests if isinstance(asked.intent, Fault)), None)
    if found is None:
        raise Violation("a request is made that doesn't fit", "none is")
    return found


def _made_to_fit(world: World) -> Asked:
    """The next request for the same phase."""
    refused = _refused(world)
    requests = world.record.requests
    later = requests[requests.index(refused) + 1 :]
    wanted = [asked for asked in later if asked.ask and refused.ask and asked.ask.phase == refused.ask.phase]
    if not wanted:
        raise Violation("the LM is asked again, with less", f"it was not: {world.outcome}", refused)
    return wanted[0]
