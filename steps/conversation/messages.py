"""Given, When, Then: a ReAct that keeps its whole conversation (S0), and how each request extends the one before."""

import re
from collections.abc import Iterator
from itertools import pairwise, takewhile
from typing import Literal

from parse import with_pattern
from pytest_bdd import given, then, when

from react_tck.dialects.machina import read_layouts
from react_tck.judges.conversations import (
    describe_first_change,
    find_dropped_messages,
    find_prompt_changes,
    find_role_violations,
)
from react_tck.judges.verdict import Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.case import Mode
from react_tck.model.intent import Answer, CallTool, Finish, Raw
from react_tck.model.record import Asked, ToolRan
from react_tck.model.signature import Form
from react_tck.record.visibility import text_shows
from react_tck.steps.arrange import arrange_react, entry_point
from react_tck.steps.conversation.states import fields_of_state, list_messages, list_texts, pair_messages, shown_fields
from react_tck.steps.core.request_checks import every_request
from react_tck.steps.language import sentence
from react_tck.steps.world import World

#: Replies that nobody can read a step from (CNV-010), by what is wrong with them.
_UNREADABLE = {
    "without markers": "I would rather look that up first.",
    "with broken markers": '[[ ## tool_name ]]\nsearch\n\n[[ ## tool_args ]]\n{"query": "x"}\n',
    "with unclosed markers": '[[ ## tool_name\nsearch\n\n[[ ## tool_args\n{"query": "x"}\n',
    "without a tool": "[[ ## reasoning ## ]]\nLet me see.\n\n[[ ## response ## ]]\nOn it.\n\n[[ ## completed ## ]]\n",
}


@given(sentence('a conversation over {form:InForm}"{arrow:Quoted}"{tools:WithTools}'))
def arrange_conversation(world: World, form: Form | None, arrow: str, tools: tuple[str, ...]) -> None:
    """A ReAct of the append-only kind."""
    world.needs("conversation")
    arrange_react(world, form, arrow, tools)
    world.arrangement.set_options(system="conversation")


@given(sentence('its predictor is "{predictor}"'))
def set_predictor(world: World, predictor: Literal["predict", "chain-of-thought"]) -> None:
    """The predictor is `predict` or `chain-of-thought`, in every machine state."""
    world.arrangement.set_options(predictor=predictor)


@given("the LM keeps finishing")
def lm_keeps_finishing(world: World) -> None:
    """However often it is asked for a step."""
    world.arrangement.steps.append(Finish(thought=world.make_thought(), sticky=True))


@given(sentence("the LM replies {how}"))
def lm_replies_unreadably(world: World, how: str) -> None:
    """A step in none of the forms that were asked for."""
    world.arrangement.steps.append(Raw(text=_UNREADABLE[how]))


@when(sentence("it is called {how:How}with {inputs:Object} and the history so far", How=entry_point))
def called_with_history(world: World, how: Mode, inputs: JsonObject) -> None:
    """The next turn of the conversation."""
    if how == "async":
        world.needs("async")
    world.call(inputs, mode=how, history=_require_history(world))


def _require_history(world: World) -> tuple[JsonObject, ...]:
    """What the last call gave back to be given again.

    Raises:
        Violation: if it isn't a list of objects.
    """
    history = world.outcome.history
    if not isinstance(history, list) or not all(isinstance(entry, dict) for entry in history):
        raise Violation("the call gives back its history, a list of entries", f"it gave {history!r}")
    return tuple(entry for entry in history if isinstance(entry, dict))


@then("every request is a system prompt and then user and assistant messages in turn")
def messages_in_turn(world: World) -> None:
    """It begins and ends with a user message."""
    for violation in find_role_violations([*every_request(world)]):
        raise violation


@then("what the LM said before stands in assistant messages, and in no user message")
def said_in_assistant_messages(world: World) -> None:
    """Thoughts and answers of all earlier steps and turns."""
    for asked in every_request(world):
        for said in _said_before(world, asked):
            by_user = any(text_shows(text, said) for text in list_texts(asked, "user"))
            check(not by_user, f"no user message says what the LM said, {said!r}", "one does", asked)
            by_assistant = any(text_shows(text, said) for text in list_texts(asked, "assistant"))
            check(by_assistant, f"an assistant message says what the LM said, {said!r}", "none does", asked)


@then("every tool that the LM named before stands in an assistant message")
def named_in_assistant_messages(world: World) -> None:
    """Whether or not there is such a tool: it said so, on a line of its own or in quotes, not among other words."""
    for asked in every_request(world):
        for earlier in takewhile(lambda event, last=asked: event is not last, world.record.requests):  # type: ignore[misc]
            if isinstance(earlier.intent, CallTool):
                tool = re.escape(earlier.intent.tool)
                said = any(
                    re.search(rf'^{tool}$|"{tool}"', text, re.MULTILINE) for text in list_texts(asked, "assistant")
                )
                check(said, f"an assistant message names {earlier.intent.tool!r}", "none does", asked)


@then("every input and every tool result stands in one user message of its own")
def one_message_each(world: World) -> None:
    """Not again in a later message."""
    for asked in every_request(world):
        for value in _told_before(world, asked):
            count = sum(value in text for text in list_texts(asked, "user"))
            check(count == 1, f"one user message shows {value!r}", f"{count} do", asked)


@with_pattern(", unchanged| by one exchange")
def how_extended(text: str) -> str:
    """Whether the old messages are looked at, or the number of new ones."""
    return text.strip(", ")


@then(sentence("every request extends the one before it{how:Extended}", Extended=how_extended))
def requests_extend(world: World, how: str) -> None:
    """Within a turn and across turns: message by message, or by an assistant and a user message; a retry has none."""
    for before, asked in pairwise(every_request(world)):
        if how == "unchanged":
            _check_extension(before, asked)
            continue
        more = len(asked.request.messages) - len(before.request.messages)
        is_retry = asked.request.messages == before.request.messages
        check(more == 2 or is_retry, "the request has two messages more", f"it has {more} more", asked)


@then("the system prompt is one and the same in every request")
def one_system_prompt(world: World) -> None:
    """The system prompts are compared character by character."""
    for violation in find_prompt_changes([*every_request(world)]):
        raise violation


@then(sentence("every system prompt documents the states {names:Names}"))
def documents_states(world: World, names: tuple[str, ...]) -> None:
    """Each with the structure of its messages."""
    for asked in every_request(world):
        documented = read_layouts(asked.request.system_text)
        for name in names:
            actual = f"it documents {', '.join(documented) or 'none'}"
            check(name in documented, f"the system prompt documents the state {name!r}", actual, asked)


@then("each call begins with the whole conversation of the call before it, its answer included")
def begins_with_conversation(world: World) -> None:
    """The last request of the call before, the answer to it, and then the new user message."""
    calls = [world.record.of_call(number).requests for number in range(world.record.call_count)]
    for before, after in pairwise(calls):
        if not before or not after:
            raise Violation("every call asks the LM", "one does not")
        _goes_on(before[-1], after[0])


@then("every earlier exchange is well-formed")
def well_formed(world: World) -> None:
    """Each assistant message has the fields of its state, in order, and ends with the completed marker."""
    for asked in every_request(world):
        for question, reply in pair_messages(asked):
            fields = fields_of_state(world, question, asked)
            found = shown_fields(reply)
            is_whole = found in (fields, ["reasoning", *fields])
            check(
                is_whole,
                f"the assistant's fields are {', '.join(fields)}",
                f"they are {', '.join(found) or 'none'}",
                asked,
            )
            closed = reply.rstrip().endswith("[[ ## completed ## ]]")
            check(closed, "the assistant message ends with the completed marker", f"it ends {reply[-40:]!r}", asked)


@then("both conversations are the same")
def same_conversations(world: World) -> None:
    """The messages of every request, and the outputs."""
    one, other = world.records[-2:]
    first, second = ([asked.request.messages for asked in record.requests] for record in (one, other))
    check(len(first) == len(second), f"{len(first)} requests", f"{len(second)} requests")
    for before, after, asked in zip(first, second, other.requests, strict=True):
        check(
            before == after,
            "the request has the messages of the other one",
            describe_first_change(before, after),
            asked,
        )
    outputs = [[(outcome.status, outcome.outputs) for outcome in record.outcomes] for record in (one, other)]
    check(outputs[0] == outputs[1], f"the outcome is {outputs[0]}", f"it is {outputs[1]}")


def _said_before(world: World, asked: Asked) -> Iterator[str]:
    for earlier in takewhile(lambda event: event is not asked, world.record.requests):
        match earlier.intent:
            case CallTool(thought=thought) | Finish(thought=thought):
                yield thought
            case Answer(outputs=outputs):
                yield from (value for value in outputs.values() if isinstance(value, str))


def _told_before(world: World, asked: Asked) -> Iterator[str]:
    """The text inputs of the calls so far, and the results of the tools run so far."""
    for invocation in world.episode.case.invocations[: asked.invocation + 1]:
        yield from (value for value in invocation.inputs.values() if isinstance(value, str))
    for event in takewhile(lambda event: event is not asked, world.record.events):
        if isinstance(event, ToolRan) and isinstance(event.result, str):
            yield event.result


def _check_extension(before: Asked, asked: Asked) -> None:
    for violation in find_dropped_messages(before, asked):
        raise violation


def _goes_on(last: Asked, first: Asked) -> None:
    _check_extension(last, first)
    new = list_messages(first)[len(list_messages(last)) :]
    check(len(new) == 2, "then come the assistant's answer and a user message", f"{len(new)} messages", first)
    reply, question = new
    said = last.intent.outputs if isinstance(last.intent, Answer) else {}
    expected = f"then comes the assistant's answer, {said}"
    is_answer = reply.role == "assistant" and text_shows(reply.content or "", said)
    check(is_answer, expected, f"then comes {reply.role}: {reply.content}", first)
    check(question.role == "user", "then comes a user message", f"one of the {question.role}", first)
