"""Given, Then: replies of the LM that are broken or name no tool, and what the agent makes of them."""

from collections.abc import Iterator
from itertools import pairwise
from typing import cast, get_args

from parse import with_pattern
from pydantic import JsonValue
from pytest_bdd import given, parsers, then

from react_tck.dialects.markup import as_text
from react_tck.fakes.malformed import both_readings
from react_tck.judges.choices.declared import find_other_choices
from react_tck.judges.errors import (
    ENCODING,
    REFUSAL,
    encodable_parts,
    find_crash,
    find_fault_requirement,
    find_untold_name,
)
from react_tck.judges.observations import yield_runs_again
from react_tck.judges.verdict import Unsupported, Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.intent import (
    Answer,
    Attempts,
    BadArgs,
    CallTool,
    Fault,
    Finish,
    Garbled,
    GarbledForm,
    Intent,
    Reply,
    Submit,
)
from react_tck.model.record import Asked, Event, Returned, ToolRan
from react_tck.model.requirement import variants_of
from react_tck.record.answers import read_answer
from react_tck.record.evidence import Evidence
from react_tck.record.reactions import Reaction, yield_reactions
from react_tck.record.turns import split_turns
from react_tck.record.values import arrives_intact, is_same_value
from react_tck.record.visibility import hides_value, names_whole_word, text_shows
from react_tck.steps.core.prediction import ends_in_order
from react_tck.steps.core.request_checks import extraction_request
from react_tck.steps.core.trajectory import trace_of
from react_tck.steps.language import json_object, needing, sentence
from react_tck.steps.world import World


@then("the LM fault cost exactly one request")
def cost_one_request(world: World) -> None:
    """Who asks again is given the same fault again."""
    met = [asked for asked in world.record.requests if isinstance(asked.intent, Fault)]
    check(len(met) == 1, "exactly one request meets the fault", f"{len(met)} did", met[-1] if met else None)


@then("no tool ran again after the LM fault")
def not_run_again(world: World) -> None:
    """What had run by then, or ran since, with the same args; how often it ran before is other requirements' affair."""
    for _, again in yield_runs_again(world.record):
        raise again


@then("no LM fault was answered by asking again in another format, unless repetitions are declared")
def not_in_another_format(world: World) -> None:
    """The format isn't what failed."""
    if "retries" in world.manifest.choices.get("lm-fault", ""):
        return
    for failed, again in pairwise(world.record.requests):
        is_repetition = isinstance(failed.intent, Fault) and again.attempt > 0
        if is_repetition and failed.ask and again.ask and failed.ask.dialect != again.ask.dialect:
            actual = f"after {failed.ask.dialect!r} it asks for the same in {again.ask.dialect!r}"
            raise Violation("a fault isn't answered by asking again in another format", actual, again)


@then("the prediction has one of the two values, or the call ended with a typed error")
def has_one_of_two_values(world: World) -> None:
    """Which one is the choice `repeated-field`."""
    ends_in_order(world)
    extraction_request(world)
    asked, outputs = world.extraction_requests[-1], world.outcome.outputs
    both = both_readings(asked.intent, asked.ask) if isinstance(asked.intent, Garbled) and asked.ask else None
    if world.outcome.status == "error" or both is None:
        return
    read = [meant.outputs for meant in both if isinstance(meant, Answer | Submit)]
    expected = f"the outputs are {' or '.join(map(str, read))}"
    check(any(is_same_value(outputs, each) for each in read), expected, f"they are {outputs}", asked)


_FORMS: tuple[str, ...] = get_args(GarbledForm)


@with_pattern("(?: at first)?")
def at_first(text: str) -> bool:
    """Whether who asks for it again gets it in good form."""
    return bool(text)


@with_pattern("calls|keeps calling")
def once_or_for_ever(text: str) -> bool:
    """Whether the same step is taken for ever."""
    return text.startswith("keeps")


@given(
    parsers.re(
        r"the LM (?P<keeps>keeps selecting|selects) the (?:unknown tool \"(?P<unknown>[^\"]*)\"|tool (?P<written>.+?))"
        r"(?: with (?P<args>\{.*\}))?"
    )
)
def lm_selects(world: World, keeps: str, unknown: str | None, written: str | None, args: str | None) -> None:
    """A step, or all further ones, that name a tool there isn't, or a tool in exactly this writing, quotes included."""
    given_args: JsonObject = json_object(args) if args else {}
    tool = written if unknown is None else unknown
    sticky = keeps == "keeps selecting"
    world.arrangement.steps.append(
        CallTool(tool=tool or "", args=given_args, thought=world.make_thought(), sticky=sticky)
    )


@given(sentence('the LM {keeps:Keeps} "{tool:Quoted}" with the args text "{text:Text}"', Keeps=once_or_for_ever))
def lm_writes_args(world: World, keeps: bool, tool: str, text: str) -> None:
    """A step, or all further ones, whose args are written exactly so."""
    world.arrangement.steps.append(BadArgs(tool=tool, text=text, thought=world.make_thought(), sticky=keeps))


@given(sentence("that {phase:Phase} is garbled{first:AtFirst}: {form}", AtFirst=at_first))
def is_garbled(world: World, phase: str, first: bool, form: str) -> None:
    """However often it is asked for, an answer in whatever turn; or only at first."""
    queue = world.arrangement.find_queue(phase)
    if not first:
        _break_last(queue, form, keeps=phase == "extraction")
        return
    meant = queue.pop()
    queue.append(Attempts(replies=(_garble_intent(meant, form, 0.5), _require_meant(meant)), sticky=meant.sticky))


@given(sentence("that {phase:Phase} is cut off after {percent:d} percent"))
def is_cut_off(world: World, phase: str, percent: int) -> None:
    """However often it is asked for, an answer in whatever turn."""
    _break_last(world.arrangement.find_queue(phase), "truncated", percent / 100, keeps=phase == "extraction")


@given("the agent asks again where a reply can't be read")
def asks_again(world: World) -> None:
    """Not every agent does; one that does says so in its manifest."""
    if not world.manifest.retries:
        raise Unsupported(f"{world.manifest.name} declares no retries")
    declared = world.manifest.choices.get("malformed-reply", "")
    if declared and all(variant.startswith("retries 0,") for variant in variants_of(declared)):
        raise Unsupported(f"{world.manifest.name} declares retries, and none of a reply that can't be read")
    if world.manifest.default_dialect == "machina":
        raise Unsupported(f"{world.manifest.name} speaks of what it can't read, and goes on with the conversation")


#: By the choice that leaves it open whether the loop goes on; none does after a submit that is refused.
_TROUBLES = {
    "a tool that fails": "tool-error",
    "an unknown tool": "unknown-tool",
    "a reply that can't be read": "malformed-reply",
    "a refused submit": "",
}


@with_pattern("|".join(_TROUBLES))
def left_open_by(text: str) -> str:
    """The trouble that an agent may observe, by the choice that says so."""
    return _TROUBLES[text]


@given(sentence("the agent goes on after {choice:Trouble}", Trouble=left_open_by))
def goes_on(world: World, choice: str) -> None:
    """Of a subject that doesn't declare to do otherwise than to let the LM observe it."""
    declared = world.manifest.choices.get(choice, "observe")
    if "observe" not in declared:
        raise Unsupported(f"{world.manifest.name} declares {choice!r} to be: {declared}")


@then(sentence('the trajectory names "{name}", unless the loop has ended there'))
def names_tool(world: World, name: str) -> None:
    """The LM chose it in a step of its own: what it asked for is on record, whatever came of it."""
    asked = world.step_requests
    if not asked or _find_tool(asked[-1].intent) == name:
        world.unseen = "the loop has ended there"
        return
    trace = trace_of(world)
    told = [as_text(step.parts.get("tool")) for step in trace.steps] if trace.text is None else [trace.text]
    check(any(names_whole_word(each, name) for each in told), f"the trajectory names {name!r}", f"it has {told}")


def _find_tool(reply: Reply | None) -> str | None:
    """The tool that the LM chose, in a reply that can't be read too."""
    meant = reply.meant if isinstance(reply, Garbled) else reply
    return meant.tool if isinstance(meant, CallTool) else None


def _break_last(queue: list[Intent], form: str, cut: float = 0.5, *, keeps: bool) -> None:
    garbled = _garble_intent(queue.pop(), form, cut)
    queue.append(garbled.model_copy(update={"sticky": keeps or garbled.sticky}))


def _garble_intent(meant: Intent, form: str, cut: float) -> Garbled:
    assert form in _FORMS, f"there is no form {form!r}"
    return Garbled(form=cast(GarbledForm, form), meant=_require_meant(meant), cut=cut, sticky=meant.sticky)


def _require_meant(intent: Intent) -> CallTool | Finish | Answer:
    assert isinstance(intent, CallTool | Finish | Answer)
    return intent


@then("the agent either observes it, goes to the extraction, or ends with a typed error")
def has_a_declared_outcome(world: World) -> None:
    """After the turn that leaves it the choice; to read what can be read is for other sentences to judge."""
    observes_extracts_or_fails(world)
    ends_in_order(world)


@then("the agent observes it, goes to the extraction, or ends with an error")
def observes_extracts_or_fails(world: World) -> None:
    """After the turn that leaves it the choice, as above; whether the error's type says what happened isn't asked."""
    for reaction in _find_reactions(world):
        expected = "the loop goes on, the extraction follows, or the call ends with an error"
        is_quiet = reaction.course == "succeed" and "extraction" in world.manifest.capabilities
        check(not is_quiet, expected, "the call succeeded without asking the LM again", reaction.asked)


@then(sentence('the LM or the caller is told of "{name:Quoted}"'))
def is_told_of(world: World, name: str) -> None:
    """The request after that turn shows the name, or the error does."""
    for reaction in _find_reactions(world):
        if violation := find_untold_name(reaction, name):
            raise violation


@then("no tool call was guessed")
def nothing_guessed(world: World) -> None:
    """What ran is what a reply says, with the args it says, once."""
    tools = [tool.name for tool in world.episode.case.tools]
    for turn in split_turns(world.record):
        for run in turn.runs:
            if turn.reply_call is None or not turn.names_tool(run.tool, tools):
                raise Violation(
                    "no tool runs by a reply that can't be read", f"{run.tool!r} ran with {run.received_args}", run
                )
            schema = next(tool.parameters for tool in world.episode.case.tools if tool.name == run.tool)
            fits = any(arrives_intact(call.args, run.received_args, schema) for call in turn.readings)
            check(fits, f"{run.tool!r} gets {turn.reply_call.args}, or isn't run", f"it got {run.received_args}", run)
        again = next(iter(turn.runs[1:]), None)
        check(again is None, "one reply runs one tool once", f"it ran {len(turn.runs)}", again)


@then("the extraction's reply is malformed, and the call ends with a typed error")
@needing("extraction")
def malformed_answer_is_an_error(world: World) -> None:
    """Where the reply gives every output, or the beginning of the last one, nothing is demanded."""
    asked = extraction_request(world)
    last = next(a for a in reversed(world.extraction_requests) if a.invocation == asked.invocation)
    if read_answer(last) is None:
        _ends_with_typed_error(world, last)


@then(sentence('the choice "{name}" is as declared'))
def choice_is_as_declared(world: World, name: str) -> None:
    """Of the variants the sources allow, the one the manifest names; where it names none, whichever."""
    declared = world.manifest.choices.get(name)
    for episode, record in world.plays() if declared else ():
        for violation in find_other_choices(Evidence(episode, world.manifest, record), {name: str(declared)}):
            raise violation


@then("the trajectory so far is kept, unless the step that went wrong ended the call")
@needing("trajectory")
def kept_so_far(world: World) -> None:
    """That the steps have run out is no error; what a step that went wrong may lead to is a choice of its own."""
    # Nothing, or an empty one: where a library gives none with its errors, its harness may say either.
    if world.outcome.status == "error" and not world.outcome.trajectory:
        _ended_by_the_step(world)
        return
    trace_of(world)
    told, ending = as_text(world.outcome.trajectory), _before_the_end(world)
    for run in world.record.tool_runs:
        # The outcome is what tells of a tool whose error ended the call.
        if run is ending and run.error is not None and world.outcome.status == "error":
            continue
        observation = run.observation
        for what in (run.tool, run.args, observation):
            check(
                not hides_value(told, what),
                f"the trajectory shows {what!r} of a step that was taken",
                f"it is {told}",
                world.returned,
            )


def _ends_with_typed_error(world: World, asked: Asked) -> None:
    actual = f"it ended with status {world.outcome.status!r} and the outputs {world.outcome.outputs}"
    check(world.outcome.status == "error", "the call ends with a typed error", actual, asked)
    ends_in_order(world)


def _find_reactions(world: World) -> Iterator[Reaction]:
    def is_fault(asked: Asked) -> bool:
        return find_fault_requirement(asked, world.episode.case) is not None

    return yield_reactions(world.episode, world.record, is_fault)


def _before_the_end(world: World) -> Event:
    events = world.record.events
    ended = next(index for index, event in enumerate(events) if isinstance(event, Returned))
    return events[ended - 1]


def _ended_by_the_step(world: World) -> None:
    before, error = _before_the_end(world), world.outcome.error
    in_step = isinstance(before, Asked) and before.ask is not None and before.ask.phase == "step"
    if in_step or (isinstance(before, ToolRan) and before.error is not None):
        return
    told = f"{error.type}: {error.message}" if error else "an error"
    raise Violation("the steps that ran out leave a prediction with the trajectory", told, before)


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
        if crash := find_crash(error, world.manifest, None, *ENCODING):
            raise crash
        world.is_seen_unasked = what == "input"
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
