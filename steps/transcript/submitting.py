"""Then: the typed `submit` and what comes of it (TRN-002, TRN-003, TRN-005, TRN-006)."""

from collections.abc import Iterator

from pytest_bdd import then

from react_tck.dialects.fields import FINISH, SUBMIT
from react_tck.judges.verdict import Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.lm import LMRequest, Message
from react_tck.model.record import Asked
from react_tck.record.shown import names
from react_tck.steps.core.prompt_reading import hidden_argument
from react_tck.steps.core.request_checks import last_call
from react_tck.steps.core.steps_taken import after_submit
from react_tck.steps.language import sentence
from react_tck.steps.transcript.turns import spoken
from react_tck.steps.world import World

#: Enough for a tool's description and its parameters.
_LONG = 2000


@then('"submit" is offered with the outputs as its parameters, each with its type')
def offered_with_outputs(world: World) -> None:
    """Natively as a function, else in the prompt."""
    asked = last_call(world)[0]
    hidden = [_hidden(world, text) for text in _descriptions(asked.request)]
    check(bool(hidden), f"{SUBMIT!r} is offered in the first request", "it is not", asked)
    expected = f"{SUBMIT!r} has the outputs as its parameters, each with its type"
    check(None in hidden, expected, f"it is not shown with {hidden[0]}", asked)


@then('"finish" is not offered')
def finish_not_offered(world: World) -> None:
    """Neither natively nor by its quoted name."""
    for asked in world.record.requests:
        offered = any(offer.name == FINISH for offer in asked.request.tools)
        quoted = any(f"{mark}{FINISH}{mark}" in asked.request.system for mark in "`'\"")
        check(not offered and not quoted, f"{FINISH!r} is not offered", "it is", asked)


@then(sentence('the next request shows a refusal of the submit that names "{field}"'))
def refused_naming(world: World, field: str) -> None:
    """As an observation: a message after the call, not the assistant's."""
    events = after_submit(world)
    following = next((event for event in events if isinstance(event, Asked)), None)
    if following is None:
        raise Violation("the loop goes on after a submit that is refused", f"it ended: {world.outcome}")
    said = [spoken(message) for message in _after_assistant(following)]
    # Inside JSON a line break before the name is spelt with a letter.
    named = any(names(text.replace("\\n", " "), field) for text in said)
    check(named, f"the messages after the call say what is wrong with {field!r}", f"they are: {said}", following)


def _descriptions(request: LMRequest) -> Iterator[str]:
    """What may describe `submit`: its offer, or what follows its name in the prompt."""
    for offer in request.tools:
        if offer.name == SUBMIT:
            yield str(offer.parameters)
    text = "" if request.tools else request.text
    for before, after in _mentions(text):
        yield after if names(before[-1:] + SUBMIT + after[:1], SUBMIT) else ""


def _mentions(text: str) -> Iterator[tuple[str, str]]:
    at = text.find(SUBMIT)
    while at >= 0:
        end = at + len(SUBMIT)
        yield text[:at], text[end : end + _LONG]
        at = text.find(SUBMIT, end)


def _after_assistant(asked: Asked) -> list[Message]:
    messages = asked.request.messages
    last = max((at for at, message in enumerate(messages) if message.role == "assistant"), default=-1)
    return list(messages[last + 1 :])


def _hidden(world: World, text: str) -> str | None:
    outputs: JsonObject = {field.name: field.json_schema for field in world.episode.case.signature.outputs}
    return hidden_argument(text, {"type": "object", "properties": outputs})
