"""Given, When, Then: an episode told in every detail, nothing marked or made up, as the fuzzer found it."""

import json
import re

from parse import with_pattern
from pytest_bdd import given, then, when

from react_tck.dialects.markup import begins_mark
from react_tck.judges.table import collect_violations
from react_tck.judges.verdict import Unsupported
from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation
from react_tck.model.intent import Attempts, CallTool, Intent, Reply
from react_tck.model.tool import Tool
from react_tck.play.again import add_counterparts, add_replay
from react_tck.record.evidence import Evidence
from react_tck.steps.language import sentence
from react_tck.steps.phrases import read_phrase
from react_tck.steps.world import World


@given(sentence('the tool "{name:w}" described as {description:JsonText} with the schema {schema:Object}'))
def have_tool(world: World, name: str, description: str, schema: JsonObject) -> None:
    """A tool with this JSON Schema of its args."""
    world.arrangement.tools[name] = Tool(name=name, description=description, parameters=schema)


@given(sentence("as its next {phase:Phase} the LM {reply:Reply}", Reply=read_phrase))
def lm_says(world: World, phase: str, reply: Reply) -> None:
    """The reply to one turn, exactly, however often that turn is asked for.

    A thought that every dialect of the subject would take for marks of its own can't be said.
    """
    thought = reply.thought if isinstance(reply, CallTool) else ""
    if all(begins_mark(dialect, thought) for dialect in world.manifest.dialects):
        raise Unsupported(f"{world.manifest.name} claims no dialect that can carry the thought {thought!r}")
    world.arrangement.find_queue(phase).append(reply)


@given(sentence("as every further {phase:Phase} the LM {reply:Reply}", Reply=read_phrase))
def lm_keeps_saying(world: World, phase: str, reply: Reply) -> None:
    """The reply to all turns from here on."""
    world.arrangement.find_queue(phase).append(reply.model_copy(update={"sticky": True}))


@given(sentence("instead of that {phase:Phase} the LM at first {reply:Reply}", Reply=read_phrase))
def lm_says_at_first(world: World, phase: str, reply: Reply) -> None:
    """Whoever asks for the same turn again gets what was to be said."""
    queue = world.arrangement.find_queue(phase)
    queue[-1] = _prepend_reply(reply, queue[-1])


_EXACTLY = re.compile(
    r"(?P<inputs>\{.*?\})(?: after the turns (?P<history>\[.*?\]))?"
    r"(?: and the history of call (?P<follows>\d+))?(?: for at most (?P<max_steps>\d+) steps)?"
    r'(?: under the global adapter (?P<adapter>"\w+"))?(?P<how>, asynchronously)?'
    r"(?:, and resumed while it waits with (?P<resumptions>\[.*\]))?"
)


@with_pattern(re.sub(r"\?P<\w+>", "?:", _EXACTLY.pattern))
def exact_call(text: str) -> Invocation:
    """All that a call is given; sentences count calls from one."""
    said = _EXACTLY.fullmatch(text)
    assert said
    values = {name: json.loads(value) for name, value in said.groupdict().items() if value and name != "how"}
    if "follows" in values:
        values["follows"] -= 1
    return Invocation.model_validate({**values, "mode": "async" if said["how"] else "sync"})


@when(sentence("it is called with exactly {call:Exactly}", Exactly=exact_call))
def called_exactly(world: World, call: Invocation) -> None:
    """Called, unless construction was refused; and resumed with each of the responses, as long as it waits for one."""
    if "async" in (call.mode, *(resumption.mode for resumption in call.resumptions)):
        world.needs("async")
    if call.max_steps is not None:
        world.needs("call-max-steps")
    if call.adapter:
        world.needs("global-adapter")
        world.needs_dialect(call.adapter)
    if any(resumption.elsewhere for resumption in call.resumptions):
        world.needs("portable-state")
    play = world.construct()
    if play.session.is_constructed:
        play.make_call(call)
        for resumption in call.resumptions:
            if play.session.can_be_resumed:
                play.session.resume_call(resumption)


@then("the episode keeps every invariant")
def keeps_every_invariant(world: World) -> None:
    """Sanitizers, oracle, and the same record when it is played again, or without what is to make no difference.

    A violation of another requirement than the scenario's is that one's: the judges of every episode see it.

    Raises:
        Violation: that of the scenario's own requirement.
    """
    evidence = add_replay(world.subject, Evidence(world.episode, world.manifest, world.record))
    if own := collect_violations(add_counterparts(world.subject, evidence)).get(world.requirement_id):
        raise own


def _prepend_reply(first: Reply, intent: Intent) -> Attempts:
    if isinstance(intent, Attempts):
        return intent.model_copy(update={"replies": (first, *intent.replies)})
    return Attempts(replies=(first, intent.model_copy(update={"sticky": False})), sticky=intent.sticky)
