"""Given, Then: text that no encoding can carry, half a surrogate pair or NUL, and what becomes of the run (ERR-017)."""

from parse import with_pattern
from pydantic import JsonValue
from pytest_bdd import given, then

from react_tck.judges.errors import ENCODING, REFUSAL, encodable_parts, is_typed
from react_tck.judges.verdict import Violation, check
from react_tck.model.record import Asked, ToolRan
from react_tck.record.visibility import text_shows
from react_tck.steps.language import sentence
from react_tck.steps.world import World


@given("text that no encoding can carry reaches the agent as it is")
def reaches_the_agent(world: World) -> None:
    """Only where subject and kit share a process: on a wire it is the harness's JSON library that meets it."""
    world.needs("caller-objects")


@with_pattern("result|input")
def result_or_input(text: str) -> str:
    """What holds the text: a tool's result, or an input of the call."""
    return text


@then(sentence("the {what:Holder} is shown in some form, or refused by a typed error", Holder=result_or_input))
def shown_or_refused(world: World, what: str) -> None:
    """All that stands around what can't be encoded is shown; or the LM or the caller is told that it is refused."""
    if error := world.outcome.error:
        expected = "an error of a type that says what happened"
        check(is_typed(error, world.manifest, ENCODING), expected, f"{error.type}: {error.message}")
        return
    value, asked = _find_result(world) if what == "result" else _find_input(world)
    missing = [part for part in encodable_parts(value) if not text_shows(asked.request.text, part)]
    is_refused = what == "result" and REFUSAL.search(asked.request.text) is not None
    expected = f"the request shows the {what}, whatever stands in the place of what can't be encoded: {value!r}"
    check(not missing or is_refused, expected, f"it doesn't show {missing}", asked)


def _find_result(world: World) -> tuple[JsonValue, Asked]:
    events = world.record.events
    for index, event in enumerate(events):
        if isinstance(event, ToolRan):
            following = next((later for later in events[index:] if isinstance(later, Asked)), None)
            if following is not None:
                return event.result, following
    actual = f"{len(world.record.tool_runs)} tools ran, and the call ended with {world.outcome.status!r}"
    raise Violation("the tool runs, and the LM is asked again", actual)


def _find_input(world: World) -> tuple[JsonValue, Asked]:
    if not world.record.requests:
        raise Violation("the LM is asked", "it was not")
    return dict(world.episode.case.invocations[0].inputs), world.record.requests[0]
