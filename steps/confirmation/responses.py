"""Given, When, Then: tools that need confirmation, suspended calls, and what a person responds (S3)."""

import json
import re

from parse import with_pattern
from pydantic import JsonValue
from pytest_bdd import given, parsers, then, when

from react_tck.judges.suspensions import is_confirmation_question
from react_tck.judges.verdict import Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation, Resumption
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Script
from react_tck.model.outcome import Outcome
from react_tck.model.record import Asked, Resumed, ToolRan
from react_tck.model.tool import Asks
from react_tck.play.fresh_process import play_in_fresh_process
from react_tck.record.places import find_observations
from react_tck.record.visibility import hides_value, names_whole_word, tells_value, text_shows
from react_tck.steps.core.trajectory import trace_of
from react_tck.steps.language import sentence
from react_tck.steps.world import World

_REJECTION = re.compile(
    r"reject|declin|den(?:y|ied)|refus|disapprov|not (?:be )?(?:executed|run|approved|confirmed)", re.I
)


@given(sentence("the tools {tools:Names} require confirmation"))
@given(sentence("the tool {tools:Names} requires confirmation"))
def requires_confirmation(world: World, tools: tuple[str, ...]) -> None:
    """A person has to agree before they run."""
    world.needs("confirmation")
    for name in tools:
        world.arrangement.change_tool(name, confirm=True)


@given(sentence('the tool "{name}" asks a person {question:JsonText}'))
def tool_asks(world: World, name: str, question: str) -> None:
    """One more run's end: what suspends a call of the subject's is raised, with the question, which is marked."""
    world.needs("confirmation")
    world.arrangement.add_behaviour(name, Asks(question=world.mark_text(question)))


@given(sentence('the LM asks the user "{question}"'))
def lm_asks(world: World, question: str) -> None:
    """A call of the clarification tool; the question is marked."""
    args: JsonObject = {"question": world.mark_text(question)}
    world.arrangement.steps.append(
        CallTool(tool=world.manifest.clarification_tool, args=args, thought=world.make_thought())
    )


@with_pattern("(?:not |never )?")
def read_permission(text: str) -> bool | None:
    """Nothing switches it on, `never` switches it off; `not` says that nobody does either: it is off by default."""
    return {"": True, "never ": False}.get(text)


@given(sentence("the agent may {permitted:Permission}ask the user", Permission=read_permission))
def may_ask(world: World, permitted: bool | None) -> None:
    """By the clarification tool (`enable_user_clarification`); a subject that has it need not enable it."""
    world.needs("confirmation", "clarification")
    if permitted is not None:
        world.arrangement.set_options(clarification=permitted)


@when(
    parsers.re(
        r'it is resumed (?P<how>asynchronously )?with (?P<marked>the words )?"(?P<response>[^"]*)"'
        r"(?P<unknown> under an unknown confirmation id)?(?P<elsewhere> by another instance)?"
    )
)
def resume_call(
    world: World, how: str | None, marked: str | None, response: str, unknown: str | None, elsewhere: str | None
) -> None:
    """With exactly this text, or with free text, which is marked."""
    if how:
        world.needs("async")
    if elsewhere:
        world.needs("portable-state")
    resumption = Resumption(response=world.mark_text(response) if marked else response, mode="async" if how else "sync")
    if unknown:
        resumption = resumption.model_copy(update={"confirmation_id": f"unknown-{world.nonce}"})
    world.resume(resumption.model_copy(update={"elsewhere": elsewhere is not None}))


@when(sentence('it is resumed with "{response}" here and in a fresh process'))
def resumed_here_and_afresh(world: World, response: str) -> None:
    """The fresh process is handed the suspension as JSON, and what the LM has not said yet."""
    world.needs("portable-state")
    resumption = Resumption(response=response)
    world.resumed_afresh = play_in_fresh_process(world.subject_name, _build_remainder(world, resumption))
    world.resume(resumption)


@when(sentence("it is resumed with the response {response:Text}"))
def resumed_with_response(world: World, response: str) -> None:
    """The rest of the line, as it stands: JSON such as an edit, well-formed or not."""
    world.resume(Resumption(response=response))


@then(sentence('the tool "{name}" ran after the response, not before'))
def ran_after_response(world: World, name: str) -> None:
    """Every run follows the first resumption."""
    events = world.record.events
    response = next(index for index, event in enumerate(events) if isinstance(event, Resumed))
    runs = [index for index, event in enumerate(events) if isinstance(event, ToolRan) and event.tool == name]
    check(bool(runs), f"{name!r} runs", "it never ran", events[response])
    check(runs[0] > response, f"{name!r} runs after the response", "it ran before", events[runs[0]])


@then("the agent is told that the call was rejected")
def shows_rejection(world: World) -> None:
    """What is new after the response speaks of a rejection, in whatever words."""
    asked, news = _find_news(world)
    told = any(_REJECTION.search(line) for line in news)
    check(told, "the observation says that the call was rejected", f"what is new is {' / '.join(news)!r}", asked)


@then(sentence('the agent is told the words "{words}"'))
def shows_words(world: World, words: str) -> None:
    """The person's own words, with the scenario's nonce, stand in a request after the response."""
    asked, news = _find_news(world)
    expected = world.mark_text(words)
    told = any(text_shows(line, expected) for line in news)
    check(told, f"the agent is told {expected!r}", "no request after the response shows it", asked)


@then(sentence('the agent is told the answer "{answer}" for its observation'))
def shows_answer(world: World, answer: str) -> None:
    """What is new has the answer where observations stand, if that is known, and speaks of no rejection."""
    asked, news = _find_news(world)
    places, tool = find_observations(asked.request, asked.ask), world.manifest.clarification_tool
    told = any(names_whole_word(line, answer) for line in news) and not any(_REJECTION.search(line) for line in news)
    told = told and (not places or any(place.tells_value(answer, tool) for place in places))
    check(told, f"the observation is the answer {answer!r}", f"what is new is {' / '.join(news)!r}", asked)


@then(sentence("the resumption is refused with a clear error"))
def resumption_refused(world: World) -> None:
    """It ends with an error that says what it is about."""
    outcome = world.outcome
    check(outcome.status == "error", "the response is refused with an error", f"the outcome is {outcome.status!r}")
    message = outcome.error.message if outcome.error else ""
    about = re.search(r"confirm|respon|resum|edit|json|unknown", message, re.IGNORECASE)
    check(about is not None, "the error says what is wrong with the response", f"it says {message!r}")


@then(sentence("nothing ran and nothing was asked for after the last response"))
def nothing_after_last_response(world: World) -> None:
    """A response that is refused changes nothing."""
    events = world.record.events
    last = max(index for index, event in enumerate(events) if isinstance(event, Resumed))
    later = next((event for event in events[last:] if isinstance(event, Asked | ToolRan)), None)
    check(later is None, "a refused response makes nothing happen", "something happened after it", later)


@then("the user is not offered to the agent as one to ask")
def clarification_not_offered(world: World) -> None:
    """No request names the clarification tool."""
    name = world.manifest.clarification_tool
    for asked in world.step_requests:
        check(not text_shows(asked.request.text, name), f"{name!r} is not offered unless enabled", "it is", asked)


@then(sentence('the trajectory has {args:Object} for the args of "{name}"'))
def has_args(world: World, args: JsonObject, name: str) -> None:
    """In a step of the tool's; of a text, somewhere."""
    trace = trace_of(world)
    if trace.text is not None:
        hidden = [value for value in args.values() if hides_value(trace.text, value)]
        check(not hidden, f"the trajectory shows {args}", f"it is {trace.text}")
        return
    told = [step.args for step in trace.steps if step.parts.get("tool") == name]
    check(any(tells_value(each, args) for each in told), f"a step of {name!r} has the args {args}", f"they have {told}")


def _find_news(world: World) -> tuple[Asked, list[str]]:
    """The first request after the last response, and the lines of all from there on that no earlier one had."""
    events = world.record.events
    last = max(index for index, event in enumerate(events) if isinstance(event, Resumed))
    later = [event for event in events[last:] if isinstance(event, Asked)]
    if not later:
        raise Violation("the loop goes on: the LM is asked again", "it was not", events[last])
    known = {line for event in events[:last] if isinstance(event, Asked) for line in event.request.text.splitlines()}
    news = (line for asked in later for line in asked.request.text.splitlines())
    return later[0], list(dict.fromkeys(line for line in news if line not in known))


def _build_remainder(world: World, resumption: Resumption) -> Episode:
    left = world.record.left_over
    script = Script(
        steps=tuple(intent for intent in left if not isinstance(intent, Answer)),
        answers=tuple(intent for intent in left if isinstance(intent, Answer)),
    )
    inputs = world.episode.case.invocations[-1].inputs
    call = Invocation(inputs=inputs, suspension=world.outcome.suspension or {}, resumptions=(resumption,))
    case = world.episode.case.model_copy(update={"invocations": (call,)})
    # A tool that has asked doesn't ask again.
    asked, behaviours = world.record.asking_tools, world.episode.behaviours
    left_to_do = {name: runs[1:] if name in asked else runs for name, runs in behaviours.items()}
    return world.episode.model_copy(update={"case": case, "script": script, "behaviours": left_to_do})


@then("the call is suspended")
def is_suspended(world: World) -> None:
    """It came back with status suspended, without outputs."""
    _require_suspension(world.outcome)
    check(not world.outcome.outputs, "a suspended call has no outputs", f"it has {world.outcome.outputs}")


@then(sentence('the suspension is about the call of "{tool}" with {args:Object}'))
def suspension_is_about(world: World, tool: str, args: JsonObject) -> None:
    """Name and args of the call that waits; its id may be null."""
    call = _require_part(_require_suspension(world.outcome), "tool_call")
    check(call.get("name") == tool, f"the call that waits is of {tool!r}", f"it is of {call.get('name')!r}")
    check(call.get("args") == args, f"its args are {args}", f"they are {call.get('args')}")
    check("call_id" in call, "it has a call id, or null for it", f"its keys are {', '.join(call)}")


@then("the suspension has a confirmation id and a question")
def suspension_has_id(world: World) -> None:
    """Both are texts with something in them."""
    suspension = _require_suspension(world.outcome)
    for key in ("confirmation_id", "question"):
        value = suspension.get(key)
        check(isinstance(value, str) and bool(value), f"the suspension has a {key}", f"it is {value!r}")


@with_pattern("inputs|iteration")
def part_of_context(text: str) -> str:
    """By the key it has."""
    return {"inputs": "input_args", "iteration": "iteration"}[text]


@then(sentence("its context has the {key:Part} {value:Literal}", Part=part_of_context))
def context_has(world: World, key: str, value: JsonValue) -> None:
    """The inputs as they were given; the iteration counted from 0."""
    actual = _require_part(_require_suspension(world.outcome), "context").get(key)
    expected = world.marked_inputs(value) if isinstance(value, dict) else value
    check(actual == expected, f"the {key} of the context is {expected}", f"it is {actual}")


@then("its context has the trajectory of the steps before it, and nothing of the call that waits")
def context_has_trajectory(world: World) -> None:
    """Tool, args and result of every run so far."""
    suspension = _require_suspension(world.outcome)
    trajectory = json.dumps(_require_part(suspension, "context").get("trajectory"), ensure_ascii=False)
    for run in world.record.tool_runs:
        for what in (run.tool, run.args, run.result):
            check(
                not hides_value(trajectory, what),
                f"the trajectory of the context shows {what!r}",
                f"it is {trajectory}",
                world.returned,
            )
    waiting = _require_part(suspension, "tool_call").get("args")
    check(not text_shows(trajectory, waiting), f"it doesn't show {waiting!r} yet", f"it is {trajectory}")


@then(sentence('the question is to confirm "{tool}" with {args:Object}'))
def question_reads(world: World, tool: str, args: JsonObject) -> None:
    """The wording of S3; args as JSON or as Python writes them."""
    question = str(_require_suspension(world.outcome).get("question"))
    expected = f"the question reads 'Confirm execution of {tool} with args: {json.dumps(args)}? (yes/no)'"
    check(is_confirmation_question(question, tool, args), expected, f"it reads {question!r}")


@then(sentence('the question is "{question}"'))
def question_is(world: World, question: str) -> None:
    """The LM's own question, or a tool's, marked."""
    expected = world.mark_text(question)
    actual = _require_suspension(world.outcome).get("question")
    check(actual == expected, f"the question is {expected!r}", f"it is {actual!r}")


@then("every suspension has a confirmation id of its own")
def ids_are_unique(world: World) -> None:
    """Over all calls of all episodes of the scenario."""
    ids = [_require_suspension(o).get("confirmation_id") for r in world.records for o in r.outcomes if o.suspension]
    check(len(ids) > 1, "there are several suspensions", f"there are {len(ids)}")
    check(
        len(set(map(str, ids))) == len(ids),
        "no two confirmations have one id",
        f"the ids are {', '.join(map(str, ids))}",
    )


@then(sentence('the confirmation is "{status}"'))
def status_is(world: World, status: str) -> None:
    """As the subject tells when it is asked by the latest suspension's id."""
    latest = next((o for o in reversed(world.record.outcomes) if o.suspension), world.outcome)
    confirmation_id = str(_require_suspension(latest).get("confirmation_id"))
    actual = world.status(confirmation_id)
    check(actual == status, f"the status of the confirmation is {status!r}", f"it is {actual!r}")


def _require_suspension(outcome: Outcome) -> JsonObject:
    if outcome.status != "suspended" or outcome.suspension is None:
        why = f": {outcome.error.type}: {outcome.error.message}" if outcome.error else ""
        raise Violation("the call is suspended", f"it ended with status {outcome.status!r}{why}")
    return outcome.suspension


def _require_part(whole: JsonObject, key: str) -> JsonObject:
    part = whole.get(key)
    if not isinstance(part, dict):
        raise Violation(f"the suspension has {key!r}, an object", f"it is {part!r}")
    return part
