"""An episode as the sentences that play it again, and as a whole scenario."""

import json
from collections.abc import Iterator
from itertools import chain
from typing import assert_never

from react_tck.model.case import Invocation, Options
from react_tck.model.episode import Episode
from react_tck.model.intent import Attempts, Intent
from react_tck.model.requirement import Requirement
from react_tck.model.signature import Form, Signature, parse_arrow
from react_tck.model.tool import Behaviour, Interrupts, Mutates, Raises, Reports, Returns, ReturnsOddity, Tool
from react_tck.steps.phrases import RESULTS, phrase, text

_FORMS = {Form.ARROW: "arrow string", Form.CLASS: "signature class", Form.VALUE: "signature value"}
_CALLABLES = {"function": "function", "method": "method", "object": "callable object"}


class Untellable(ValueError):
    """The episode holds something of which no sentence speaks; the message says what."""


def told(episode: Episode) -> list[str]:
    """The lines of a scenario, keyword and all, up to the last call.

    Raises:
        Untellable: if there is no sentence for some part of it.
        UnknownPhrase: if there is none for a reply.
    """
    given = [*_arrangement(episode), *_replies("step", episode.script.steps)]
    given += _replies("extraction", episode.script.answers)
    when = [_call(invocation) for invocation in episode.case.invocations] or ["it is constructed"]
    return [*_with_keyword("Given", given), *_with_keyword("When", when)]


def _with_keyword(keyword: str, sentences: list[str]) -> list[str]:
    return [f"{'And' if number else keyword} {sentence}" for number, sentence in enumerate(sentences)]


def _arrangement(episode: Episode) -> Iterator[str]:
    case = episode.case
    yield from _signature(case.signature)
    yield from chain.from_iterable(map(_tool, case.tools))
    yield from _options(case.options)
    for tool, behaviours in episode.behaviours.items():
        yield from (f'the tool "{tool}" {_behaviour(one)}' for one in behaviours)


def _signature(signature: Signature) -> Iterator[str]:
    if (
        parse_arrow(signature.arrow).model_copy(update={"form": signature.form, "instructions": signature.instructions})
        != signature
    ):
        raise Untellable("no sentence speaks of fields that differ from the arrow's")
    yield f'a ReAct over the {_FORMS[signature.form]} "{signature.arrow}"'
    if signature.instructions:
        yield f"its instructions read {text(signature.instructions)}"


def _tool(tool: Tool) -> Iterator[str]:
    if tool.confirm:
        raise Untellable("no sentence of the fuzzer's speaks of a tool that a person has to agree to")
    yield f'the tool "{tool.name}" described as {text(tool.description)} with the schema {json.dumps(tool.parameters)}'
    if tool.is_async or tool.callable_form != "function":
        kind = f"{'async ' if tool.is_async else ''}{_CALLABLES[tool.callable_form]}"
        yield f'the tool "{tool.name}" is {"an" if tool.is_async else "a"} {kind}'


def _options(options: Options) -> Iterator[str]:
    for name, value in options:
        if value and name not in ("max_steps", "adapter", "module_adapter"):
            raise Untellable(f"no sentence of the fuzzer's speaks of the option {name} = {value!r}")
    if options.max_steps is not None:
        yield f"max_steps is {options.max_steps}"
    if options.adapter is not None:
        yield f'the global adapter is "{options.adapter}"'
    if options.module_adapter is not None:
        yield f'the module\'s own adapter is "{options.module_adapter}"'


def _behaviour(behaviour: Behaviour) -> str:
    match behaviour:
        case Returns(value=value):
            return f"returns {json.dumps(value)}"
        case Raises(message=message):
            return f"raises {text(message)}"
        case ReturnsOddity():
            return f"hands back {next(name for name, result in RESULTS.items() if result == behaviour)}"
        case Interrupts(by=by):
            return f"is interrupted by {by}"
        case Mutates():
            return "changes its args in place, and later what it returned"
        case Reports():
            return "reports which run it is"
    assert_never(behaviour)


def _replies(phase: str, intents: tuple[Intent, ...]) -> Iterator[str]:
    for intent in intents:
        *earlier, last = intent.replies if isinstance(intent, Attempts) else (intent,)
        yield f"as {'every further' if intent.sticky else 'its next'} {phase} the LM {phrase(last)}"
        yield from (f"instead of that {phase} the LM at first {phrase(other)}" for other in reversed(earlier))


def _call(invocation: Invocation) -> str:
    if invocation.history is not None or invocation.follows is not None:
        raise Untellable("no sentence of the fuzzer's speaks of a history")
    if invocation.resumptions or invocation.suspension is not None:
        raise Untellable("no sentence of the fuzzer's speaks of a response")
    limit = "" if invocation.max_steps is None else f" for at most {invocation.max_steps} steps"
    how = ", asynchronously" if invocation.mode == "async" else ""
    return f"it is called with exactly {json.dumps(invocation.inputs)}{limit}{how}"


THEN = "Then the episode keeps every invariant"


def profile_of(requirement: Requirement) -> str:
    """The profile in whose folder scenarios of a requirement live: a sanitizer shows itself in the core."""
    return "core" if requirement.is_sanitizer else requirement.profile


def scenario(episode: Episode, requirement: Requirement, title: str) -> str:
    """The text of the scenario, indented as inside a rule.

    Raises:
        Untellable: if there is no sentence for some part of the episode.
        UnknownPhrase: if there is none for a reply.
    """
    head = [f"@{requirement.id} @{requirement.level.lower()}", f"Scenario: {title}"]
    body = [f"  {line}" for line in (*told(episode), THEN)]
    return "\n".join(f"    {line}" for line in (*head, *body))
