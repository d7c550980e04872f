"""An episode as the sentences that play it again, and as a whole scenario."""

import json
from collections.abc import Iterator
from itertools import chain
from typing import assert_never

from react_tck.model.case import Invocation, Options, System
from react_tck.model.episode import Episode
from react_tck.model.intent import Attempts, Intent
from react_tck.model.requirement import Requirement
from react_tck.model.signature import AnnotationError, Form, Signature, parse_arrow
from react_tck.model.tool import (
    Asks,
    Behaviour,
    Interrupts,
    Mutates,
    Performs,
    Raises,
    Reads,
    Reports,
    Returns,
    ReturnsOddity,
    Tool,
)
from react_tck.steps.phrases import RESULTS, quote_text, write_phrase

_FORMS = {Form.ARROW: "arrow string", Form.CLASS: "signature class", Form.VALUE: "signature value"}
SYSTEMS: dict[System | None, str] = {
    None: "a ReAct",
    "conversation": "a conversation",
    "transcript": "a transcript ReAct",
    "udspy": "a udspy ReAct",
}
_CALLABLES = {"function": "function", "method": "method", "object": "callable object"}


class Untellable(ValueError):
    """The episode holds something of which no sentence speaks; the message says what."""


def describe_episode(episode: Episode) -> list[str]:
    """Return the lines of a scenario, keyword and all, up to the last call.

    Raises:
        Untellable: if there is no sentence for some part of it.
    """
    if episode.variations:
        raise Untellable(f"no sentence says that it is played under {', '.join(map(repr, episode.variations))}")
    given = [*_describe_arrangement(episode), *_describe_replies("step", episode.script.steps)]
    given += _describe_replies("extraction", episode.script.answers)
    when = [_describe_call(invocation) for invocation in episode.case.invocations] or ["it is constructed"]
    return [*_add_keyword("Given", given), *_add_keyword("When", when)]


def _add_keyword(keyword: str, sentences: list[str]) -> list[str]:
    return [f"{'And' if number else keyword} {sentence}" for number, sentence in enumerate(sentences)]


def _describe_arrangement(episode: Episode) -> Iterator[str]:
    case = episode.case
    yield from _describe_signature(case.signature, SYSTEMS[case.options.system])
    yield from chain.from_iterable(map(_describe_tool, case.tools))
    yield from _describe_options(case.options)
    for tool, behaviours in episode.behaviours.items():
        yield from (f'the tool "{_check_name(tool)}" {_describe_behaviour(one)}' for one in behaviours)


def _describe_signature(signature: Signature, system: str) -> Iterator[str]:
    try:
        parsed = parse_arrow(signature.arrow)
    except AnnotationError as error:
        raise Untellable(f"no sentence can hold the signature {signature.arrow!r}: {error}") from error
    if parsed.model_copy(update={"form": signature.form, "instructions": signature.instructions}) != signature:
        raise Untellable("no sentence speaks of fields that differ from the arrow's")
    yield f'{system} over the {_FORMS[signature.form]} "{_check_name(signature.arrow)}"'
    if signature.instructions:
        yield f"its instructions read {quote_text(signature.instructions)}"


def _describe_tool(tool: Tool) -> Iterator[str]:
    name = _check_name(tool.name)
    yield f'the tool "{name}" described as {quote_text(tool.description)} with the schema {json.dumps(tool.parameters)}'
    if tool.is_async or tool.callable_form != "function":
        kind = f"{'async ' if tool.is_async else ''}{_CALLABLES[tool.callable_form]}"
        yield f'the tool "{name}" is {"an" if tool.is_async else "a"} {kind}'
    if tool.confirm:
        yield f'the tool "{name}" requires confirmation'


#: The options of which there are sentences.
_TOLD = frozenset({"system", "max_steps", "adapter", "module_adapter", "predictor", "clarification", "callbacks"})


def _describe_options(options: Options) -> Iterator[str]:
    for name, value in options:
        if value and name not in _TOLD:
            raise Untellable(f"no sentence of the fuzzer's speaks of the option {name} = {value!r}")
    if options.max_steps is not None:
        yield f"max_steps is {options.max_steps}"
    if options.adapter is not None:
        yield f'the global adapter is "{_check_name(options.adapter)}"'
    if options.module_adapter is not None:
        yield f'the module\'s own adapter is "{_check_name(options.module_adapter)}"'
    if options.predictor is not None:
        yield f'its predictor is "{_check_name(options.predictor)}"'
    if options.callbacks:
        yield "the framework's callbacks are listened to"
    if options.clarification is not None:
        yield f"the agent may {'' if options.clarification else 'never '}ask the user"


def _check_name(name: str) -> str:
    """Return a name that stands in a sentence as it is: a line break in it would begin a sentence, or a scenario.

    Raises:
        Untellable: if it can't.
    """
    if not name.isprintable() or '"' in name:
        raise Untellable(f"no sentence can hold the name {name!r}")
    return name


def _describe_behaviour(behaviour: Behaviour) -> str:
    match behaviour:
        case Returns(value=value):
            return f"returns {json.dumps(value)}"
        case Raises(message=message):
            return f"raises {quote_text(message)}"
        case Asks(question=question):
            return f"asks a person {quote_text(question)}"
        case ReturnsOddity():
            return f"hands back {next(name for name, result in RESULTS.items() if result == behaviour)}"
        case Interrupts(by=by):
            return f"is interrupted by {by}"
        case Mutates():
            return "changes its args in place, and later what it returned"
        case Reads():
            return "reads the fields of its models"
        case Performs():
            raise Untellable("no sentence says what a function of a team's own does")
        case Reports():
            return "reports which run it is"
    assert_never(behaviour)


def _describe_replies(phase: str, intents: tuple[Intent, ...]) -> Iterator[str]:
    for intent in intents:
        *earlier, last = intent.replies if isinstance(intent, Attempts) else (intent,)
        yield f"as {'every further' if intent.sticky else 'its next'} {phase} the LM {write_phrase(last)}"
        yield from (f"instead of that {phase} the LM at first {write_phrase(other)}" for other in reversed(earlier))


def _describe_call(call: Invocation) -> str:
    if call.suspension is not None:
        raise Untellable("no sentence of the fuzzer's speaks of a call that another instance suspended")
    turns = "" if call.history is None else f" after the turns {json.dumps(call.history)}"
    follows = "" if call.follows is None else f" and the history of call {call.follows + 1}"
    limit = "" if call.max_steps is None else f" for at most {call.max_steps} steps"
    adapter = "" if call.adapter is None else f' under the global adapter "{_check_name(call.adapter)}"'
    how = ", asynchronously" if call.mode == "async" else ""
    said = [response.model_dump(exclude_defaults=True) for response in call.resumptions]
    resumed = f", and resumed while it waits with {json.dumps(said)}" if said else ""
    return f"it is called with exactly {json.dumps(call.inputs)}{turns}{follows}{limit}{adapter}{how}{resumed}"


THEN = "Then the episode keeps every invariant"


def find_profile(requirement: Requirement) -> str:
    """Return the profile in whose folder scenarios of a requirement live: a sanitizer shows itself in the core."""
    return "core" if requirement.is_sanitizer else requirement.profile


def write_scenario(episode: Episode, requirement: Requirement, title: str) -> str:
    """Return the text of the scenario, indented as inside a rule.

    Raises:
        Untellable: if there is no sentence for some part of the episode.
    """
    head = [f"@{requirement.id} @{requirement.tag}", f"Scenario: {title}"]
    body = [f"  {line}" for line in (*describe_episode(episode), THEN)]
    return "\n".join(f"    {line}" for line in (*head, *body))
