"""When, Then: calls after earlier turns of a conversation, and what is shown of these."""

import re
from collections.abc import Iterator

from pydantic import JsonValue
from pytest_bdd import then, when

from react_tck.dialects.markup import as_text
from react_tck.judges.verdict import Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.case import Mode
from react_tck.model.episode import mark_value
from react_tck.model.lm import Message
from react_tck.model.record import Asked
from react_tck.record.visibility import hides_value, text_shows
from react_tck.steps.arrange import entry_point
from react_tck.steps.language import needing, sentence
from react_tck.steps.world import World

#: How languages write a value that isn't there.
_NOTHING = re.compile(r"(?<![\w`'\"])(?:None|null|nil|undefined)(?![\w`'\"])")


@when(sentence("it is called {how:How}with {inputs:Object} after these turns:", How=entry_point))
def called_after_turns(world: World, how: Mode, inputs: JsonObject, datatable: list[list[str]]) -> None:
    """A row a turn, oldest first; the texts are marked."""
    if how == "async":
        world.needs("async")
    head, *rows = datatable
    turns = [{name: mark_value(text, world.nonce) for name, text in zip(head, row, strict=True)} for row in rows]
    world.call(inputs, history=tuple(turns), mode=how)


@when(sentence("it is called with {inputs:Object} after no turns"))
def called_after_no_turns(world: World, inputs: JsonObject) -> None:
    """With a history that is empty."""
    world.call(inputs, history=())


@then("the extraction request shows the earlier turns in order, before the current inputs")
@needing("extraction")
def turns_shown_before(world: World) -> None:
    """Each turn's values in messages before the one with the inputs of this call, older turns first."""
    asked = _extraction_request(world)
    final = _find_final_message(world, asked)
    before = "\n".join(message.content or "" for message in asked.request.messages[:final])
    end = 0
    for number, turn in enumerate(_list_earlier_turns(world), 1):
        end = _shown_after(asked, before, end, number, turn)


@then("the extraction request shows no value in the earlier turns that nobody gave")
@needing("extraction")
def nothing_made_up(world: World) -> None:
    """A field that a turn doesn't have has no value; to show it as None tells the LM that it answered so."""
    turns_shown_before(world)
    asked = _extraction_request(world)
    for message in _history_messages(world, asked):
        _invents_nothing(asked, message.content or "", f"a message of the {message.role}")


def _invents_nothing(asked: Asked, told: str, where: str) -> None:
    if found := _NOTHING.search(told):
        lines = told[: found.end()].strip().splitlines()[-2:]
        expected = "the earlier turns are shown with the values they have, and no other"
        check(False, expected, f"{where} shows {found[0]!r} as a value: {' '.join(lines)}", asked)


@then("a step request that shows the earlier turns shows every value in them, and no other")
def steps_show_turns_whole(world: World) -> None:
    """Whether the steps are shown the earlier turns at all is left open."""
    values = [value for turn in _list_earlier_turns(world) for value in turn.values()]
    for asked in world.step_requests:
        if not any(text_shows(asked.request.text, value) for value in values):
            continue
        for value in values:
            expected = f"a step request that shows the earlier turns shows {value!r} of them"
            check(not hides_value(asked.request.text, value), expected, "it does not", asked)
        _invents_nothing(asked, _find_stretch(_join_showing(asked, values), values), "the request")


@then("the extraction request shows no turn of an earlier call's history")
@needing("extraction")
def no_other_turns(world: World) -> None:
    """Neither the last one's nor any before it."""
    asked = _extraction_request(world)
    for invocation in world.episode.case.invocations[:-1]:
        for value in (value for turn in invocation.history or () for value in turn.values()):
            shown = text_shows(asked.request.text, value)
            check(not shown, f"the request shows nothing of an earlier call's history: {value!r}", "it does", asked)


@then("the trajectory shows nothing of the earlier turns")
@needing("trajectory")
def not_in_trajectory(world: World) -> None:
    """No value of any turn, anywhere in it."""
    trajectory = as_text(world.outcome.trajectory)
    for number, turn in enumerate(_list_earlier_turns(world), 1):
        for name, value in turn.items():
            expected = f"the trajectory shows nothing of turn {number}: not its {name!r}, {value!r}"
            check(not text_shows(trajectory, value), expected, f"it is {trajectory}")


def _join_showing(asked: Asked, values: list[JsonValue]) -> str:
    """The messages from the first to the last that shows one of these values; what stands behind shows none of them."""
    texts = [message.content or "" for message in asked.request.messages]
    showing = [number for number, text in enumerate(texts) if any(str(value) in text for value in values)]
    return "\n".join(texts[showing[0] : showing[-1] + 1]) if showing else ""


def _find_stretch(text: str, values: list[JsonValue]) -> str:
    """The part of a text from the first of these values to the end of the last one's paragraph."""
    found = [text.find(str(value)) for value in values]
    start, last = min(found), max(found)
    end = text.find("\n\n", last)
    return text[max(0, start) : end if end >= 0 else len(text)]


def _list_earlier_turns(world: World) -> tuple[JsonObject, ...]:
    return world.episode.case.invocations[-1].history or ()


def _extraction_request(world: World) -> Asked:
    """That of the last call."""
    world.needs("extraction")
    last = world.record.call_count - 1
    asked = next((asked for asked in world.extraction_requests if asked.invocation == last), None)
    if asked is None:
        outcome = world.outcome
        failure = f": {outcome.error.type}: {outcome.error.message}" if outcome.error else ""
        raise Violation("the LM is asked for the extraction", f"it was not; status {outcome.status!r}{failure}")
    return asked


def _find_final_message(world: World, asked: Asked) -> int:
    """Where the message with the inputs of this call is: the final request content."""
    inputs = list(world.episode.case.invocations[-1].inputs.values())
    for index, message in reversed(list(enumerate(asked.request.messages))):
        if all(not hides_value(message.content or "", value) for value in inputs):
            return index
    raise Violation("a message of the extraction request shows the current inputs", "none does", asked)


def _history_messages(world: World, asked: Asked) -> Iterator[Message]:
    for message in asked.request.messages[: _find_final_message(world, asked)]:
        if message.role not in ("system", "developer"):
            yield message


def _shown_after(asked: Asked, before: str, start: int, number: int, turn: JsonObject) -> int:
    """Where the turn ends in the text before the final message; it has to begin after `start`."""
    end = start
    for name, value in turn.items():
        what = f"the {name!r} of turn {number}, {value!r}"
        check(not hides_value(asked.request.text, value), f"the request shows {what}", "it does not", asked)
        check(
            not hides_value(before, value),
            f"{what} is shown before the message with the current inputs",
            "it is not",
            asked,
        )
        at = before.find(str(value), start)
        check(at >= 0, f"{what} is shown after the turn before it", "it is not", asked)
        end = max(end, at + len(str(value)))
    return end
