"""Given, When, Then: tools that need confirmation, suspended calls, and what a person responds (S3)."""

import json
import re

from pytest_bdd import given, parsers, then, when

from react_tck.judges.verdict import Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.case import Resumption
from react_tck.model.intent import CallTool
from react_tck.model.record import Asked, Resumed, ToolRan
from react_tck.record.shown import names, shows
from react_tck.steps.language import TYPES
from react_tck.steps.world import World

#: The clarification tool's name where the subject declares no other.
_CLARIFY = "user_clarification"
_REJECTION = re.compile(
    r"reject|declin|den(?:y|ied)|refus|disapprov|not (?:be )?(?:executed|run|approved|confirmed)", re.I
)


@given(parsers.parse("the tools {tools:Names} require confirmation", extra_types=TYPES))
@given(parsers.parse("the tool {tools:Names} requires confirmation", extra_types=TYPES))
def requires_confirmation(world: World, tools: tuple[str, ...]) -> None:
    """A person has to agree before they run."""
    world.needs("confirmation")
    for name in tools:
        tool = world.arrangement.tools[name]
        world.arrangement.tools[name] = tool.model_copy(update={"confirm": True})


@given("the agent may ask the user")
def may_ask(world: World) -> None:
    """By the clarification tool (`enable_user_clarification`)."""
    world.needs("confirmation", "clarification")
    options = world.arrangement.options
    world.arrangement.options = options.model_copy(update={"clarification": True})


@given("the user may not be asked")
def may_not_ask(world: World) -> None:
    """Of a subject that has a clarification tool; it isn't enabled."""
    world.needs("confirmation", "clarification")


@given(parsers.parse('the LM asks the user "{question}"'))
def lm_asks(world: World, question: str) -> None:
    """A call of the clarification tool; the question is marked."""
    args: JsonObject = {"question": _marked(world, question)}
    world.arrangement.steps.append(CallTool(tool=_clarify(world), args=args, thought=world.thought()))


@when(parsers.parse('it is resumed with "{response}"'))
def resumed(world: World, response: str) -> None:
    """With exactly this text."""
    world.resume(Resumption(response=response))


@when(parsers.parse('it is resumed asynchronously with "{response}"'))
def resumed_asynchronously(world: World, response: str) -> None:
    """The same through the async entry point."""
    world.needs("async")
    world.resume(Resumption(response=response, mode="async"))


@when(parsers.parse('it is resumed with the words "{words}"'))
def resumed_with_words(world: World, words: str) -> None:
    """Free text, marked."""
    world.resume(Resumption(response=_marked(world, words)))


@when(parsers.parse('it is resumed asynchronously with the words "{words}"'))
def resumed_asynchronously_with_words(world: World, words: str) -> None:
    """The same through the async entry point."""
    world.needs("async")
    world.resume(Resumption(response=_marked(world, words), mode="async"))


@when(parsers.parse("it is resumed with the response {response:Object}", extra_types=TYPES))
def resumed_with_json(world: World, response: JsonObject) -> None:
    """JSON, such as an edit."""
    world.resume(Resumption(response=json.dumps(response)))


@when(parsers.parse("it is resumed with the malformed response {response}"))
def resumed_with_malformed(world: World, response: str) -> None:
    """The rest of the line, as it stands."""
    world.resume(Resumption(response=response))


@when(parsers.parse('it is resumed with "{response}" under an unknown confirmation id'))
def resumed_under_unknown_id(world: World, response: str) -> None:
    """The suspension is this call's, the id nobody's."""
    world.resume(Resumption(response=response, confirmation_id=f"unknown-{world.nonce}"))


@then(parsers.parse('the tool "{name}" never ran'))
def never_ran(world: World, name: str) -> None:
    """Not one run of this tool."""
    runs = [run for run in world.record.tool_runs if run.tool == name]
    check(not runs, f"{name!r} never runs", f"it ran {len(runs)} times", runs[0] if runs else None)


@then(parsers.parse('the tool "{name}" ran after the response, not before'))
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
    asked, news = _news(world)
    told = any(_REJECTION.search(line) for line in news)
    check(told, "the observation says that the call was rejected", f"what is new is {' / '.join(news)!r}", asked)


@then(parsers.parse('the agent is told the words "{words}"'))
def shows_words(world: World, words: str) -> None:
    """The person's own, marked."""
    asked, news = _news(world)
    expected = _marked(world, words)
    told = any(shows(line, expected) for line in news)
    check(told, f"the agent is told {expected!r}", "no request after the response shows it", asked)


@then(parsers.parse('the agent is told the answer "{answer}" for its observation'))
def shows_answer(world: World, answer: str) -> None:
    """What is new in it has the answer as a word of its own, and speaks of no rejection."""
    asked, news = _news(world)
    told = any(names(line, answer) for line in news) and not any(_REJECTION.search(line) for line in news)
    check(told, f"the observation is the answer {answer!r}", f"what is new is {' / '.join(news)!r}", asked)


@then(parsers.parse("the resumption is refused with a clear error"))
def resumption_refused(world: World) -> None:
    """It ends with an error that says what it is about."""
    outcome = world.outcome
    check(outcome.status == "error", "the response is refused with an error", f"the outcome is {outcome.status!r}")
    message = outcome.error.message if outcome.error else ""
    about = re.search(r"confirm|respon|resum|edit|json|unknown", message, re.IGNORECASE)
    check(about is not None, "the error says what is wrong with the response", f"it says {message!r}")


@then(parsers.parse("nothing ran and nothing was asked for after the last response"))
def nothing_after_last_response(world: World) -> None:
    """A response that is refused changes nothing."""
    events = world.record.events
    last = max(index for index, event in enumerate(events) if isinstance(event, Resumed))
    later = next((event for event in events[last:] if isinstance(event, Asked | ToolRan)), None)
    check(later is None, "a refused response makes nothing happen", "something happened after it", later)


@then("the user is not offered to the agent as one to ask")
def clarification_not_offered(world: World) -> None:
    """No request names the clarification tool."""
    name = _clarify(world)
    for asked in world.step_requests:
        check(not shows(asked.request.text, name), f"{name!r} is not offered unless enabled", "it is", asked)


def _clarify(world: World) -> str:
    return world.manifest.choices.get("clarification-tool", _CLARIFY)


def _marked(world: World, text: str) -> str:
    return f"{text} ~{world.nonce}"


def _news(world: World) -> tuple[Asked, list[str]]:
    """The first request after the last response, and the lines of all from there on that no earlier one had."""
    events = world.record.events
    last = max(index for index, event in enumerate(events) if isinstance(event, Resumed))
    later = [event for event in events[last:] if isinstance(event, Asked)]
    if not later:
        raise Violation("the loop goes on: the LM is asked again", "it was not", events[last])
    known = {line for event in events[:last] if isinstance(event, Asked) for line in event.request.text.splitlines()}
    news = (line for asked in later for line in asked.request.text.splitlines())
    return later[0], list(dict.fromkeys(line for line in news if line not in known))
