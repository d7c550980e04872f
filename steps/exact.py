"""Given, When, Then: an episode told in every detail, nothing marked or made up, as the fuzzer found it."""

import json
from typing import Literal

from pytest_bdd import given, parsers, then, when

from react_tck.judges.table import violations
from react_tck.model.case import Mode
from react_tck.model.intent import Attempts, Intent, Reply
from react_tck.model.tool import Behaviour, Mutates, Raises, Reports, ReturnsOddity, Tool
from react_tck.play.evidence import replayed
from react_tck.record.evidence import Evidence
from react_tck.steps.phrases import read_phrase
from react_tck.steps.world import World

_TEXT = r'"(?:[^"\\]|\\.)*"'
Phase = Literal["step", "extraction"]


@given(parsers.re(rf"its instructions read (?P<text>{_TEXT})"))
def instructions_read(world: World, text: str) -> None:
    """The signature's own."""
    world.arrangement.signature = world.arrangement.signature.model_copy(update={"instructions": json.loads(text)})


@given(
    parsers.re(rf'the tool "(?P<name>\w+)" described as (?P<description>{_TEXT}) with the schema (?P<schema>\{{.*\}})')
)
def have_tool(world: World, name: str, description: str, schema: str) -> None:
    """A tool with this JSON Schema of its args."""
    tool = Tool(name=name, description=json.loads(description), parameters=json.loads(schema))
    world.arrangement.tools[name] = tool


@given(parsers.re(rf'the tool "(?P<name>\w+)" fails, saying (?P<message>{_TEXT})'))
def tool_fails(world: World, name: str, message: str) -> None:
    """One more run's failure; the last one stays."""
    _behave(world, name, Raises(message=json.loads(message)))


@given(parsers.re(r'the tool "(?P<name>\w+)" gives (?P<oddity>bytes|object|set|nan), which JSON can\'t hold'))
def tool_gives_oddity(world: World, name: str, oddity: Literal["bytes", "object", "set", "nan"]) -> None:
    """One more run's result; the last one stays."""
    _behave(world, name, ReturnsOddity(oddity=oddity))


@given(parsers.re(r'the tool "(?P<name>\w+)" changes its args, and later what it returned'))
def tool_changes_things(world: World, name: str) -> None:
    """One more run; the last one stays."""
    _behave(world, name, Mutates())


@given(parsers.re(r'the tool "(?P<name>\w+)" reports which run it is'))
def tool_reports(world: World, name: str) -> None:
    """One more run; the last one stays."""
    _behave(world, name, Reports())


@given(parsers.re(r"as its next (?P<phase>step|extraction) the LM (?P<said>.*)"))
def lm_says(world: World, phase: Phase, said: str) -> None:
    """The reply to one turn, exactly."""
    _queue(world, phase).append(read_phrase(said))


@given(parsers.re(r"as every further (?P<phase>step|extraction) the LM (?P<said>.*)"))
def lm_keeps_saying(world: World, phase: Phase, said: str) -> None:
    """The reply to all turns from here on."""
    _queue(world, phase).append(read_phrase(said).model_copy(update={"sticky": True}))


@given(parsers.re(r"asked for that (?P<phase>step|extraction) again the LM (?P<said>.*)"))
def lm_says_when_asked_again(world: World, phase: Phase, said: str) -> None:
    """The reply to whoever asks for the same turn again."""
    queue = _queue(world, phase)
    queue[-1] = _with_attempt(queue[-1], read_phrase(said))


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


def _behave(world: World, name: str, behaviour: Behaviour) -> None:
    behaviours = world.arrangement.behaviours
    behaviours[name] = (*behaviours.get(name, ()), behaviour)


def _queue(world: World, phase: Phase) -> list[Intent]:
    return world.arrangement.steps if phase == "step" else world.arrangement.answers


def _with_attempt(intent: Intent, reply: Reply) -> Attempts:
    if isinstance(intent, Attempts):
        return intent.model_copy(update={"replies": (*intent.replies, reply)})
    first = intent.model_copy(update={"sticky": False})
    return Attempts(replies=(first, reply), sticky=intent.sticky)
