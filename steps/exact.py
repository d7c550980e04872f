"""Given, When, Then: an episode told in every detail, nothing marked or made up, as the fuzzer found it."""

import json

from pytest_bdd import given, parsers, then, when

from react_tck.judges.table import violations
from react_tck.model.base import JsonObject
from react_tck.model.case import Mode
from react_tck.model.intent import Attempts, Intent, Reply
from react_tck.model.tool import Tool
from react_tck.play.gather import replayed
from react_tck.record.evidence import Evidence
from react_tck.steps.language import sentence
from react_tck.steps.phrases import read_phrase
from react_tck.steps.world import World


@given(sentence('the tool "{name:w}" described as {description:JsonText} with the schema {schema:Object}'))
def have_tool(world: World, name: str, description: str, schema: JsonObject) -> None:
    """A tool with this JSON Schema of its args."""
    world.arrangement.tools[name] = Tool(name=name, description=description, parameters=schema)


@given(sentence("as its next {phase:Phase} the LM {said:Text}"))
def lm_says(world: World, phase: str, said: str) -> None:
    """The reply to one turn, exactly, however often that turn is asked for."""
    world.arrangement.queue(phase).append(read_phrase(said))


@given(sentence("as every further {phase:Phase} the LM {said:Text}"))
def lm_keeps_saying(world: World, phase: str, said: str) -> None:
    """The reply to all turns from here on."""
    world.arrangement.queue(phase).append(read_phrase(said).model_copy(update={"sticky": True}))


@given(sentence("instead of that {phase:Phase} the LM at first {said:Text}"))
def lm_says_at_first(world: World, phase: str, said: str) -> None:
    """Whoever asks for the same turn again gets what was to be said."""
    queue = world.arrangement.queue(phase)
    queue[-1] = _after(read_phrase(said), queue[-1])


@when(
    parsers.re(
        r"it is called with exactly (?P<inputs>\{.*\})(?: for at most (?P<limit>\d+) steps)?(?P<how>, asynchronously)?"
    )
)
def called_exactly(world: World, inputs: str, limit: str | None, how: str | None) -> None:
    """Called, unless construction was refused."""
    mode: Mode = "async" if how else "sync"
    if how:
        world.needs("async")
    if limit:
        world.needs("call-max-steps")
    if world.construct().session.constructed:
        world.call_exactly(json.loads(inputs), mode=mode, max_steps=int(limit) if limit else None)


@then("the episode keeps every invariant")
def keeps_every_invariant(world: World) -> None:
    """Sanitizers, oracle, and the same record when it is played again.

    Raises:
        Violation: the first there is.
    """
    evidence = replayed(world.subject, Evidence(world.episode, world.manifest, world.record))
    for violation in violations(evidence).values():
        raise violation


def _after(first: Reply, intent: Intent) -> Attempts:
    if isinstance(intent, Attempts):
        return intent.model_copy(update={"replies": (first, *intent.replies)})
    return Attempts(replies=(first, intent.model_copy(update={"sticky": False})), sticky=intent.sticky)
