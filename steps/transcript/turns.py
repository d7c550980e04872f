"""Then: real turns of a conversation, read off the LM requests, and the typed `submit` (TRN-001 to TRN-009)."""

import re
from collections.abc import Iterator

from parse import with_pattern
from pydantic import JsonValue
from pytest_bdd import parsers, then

from react_tck.dialects.fields import FINISH, SUBMIT
from react_tck.dialects.markup import as_text
from react_tck.judges.verdict import Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.lm import LMRequest, Message
from react_tck.model.record import Asked, Record
from react_tck.record.turns import split_turns
from react_tck.record.visibility import hides_value, is_small, names_whole_word
from react_tck.steps.core.prompt_reading import hidden_argument
from react_tck.steps.core.request_checks import every_request, first_made_to_fit, last_call
from react_tck.steps.core.steps_taken import after_submit
from react_tck.steps.language import sentence
from react_tck.steps.transcript.parallel_calls import results_have_ids
from react_tck.steps.world import World

#: The keys of a trajectory flattened into one mapping.
_FLAT = re.compile(r"\b(?:next_)?(?:thought|reasoning|tool_name|tool_args|observation)_\d+\b")


_RUN = "the user's request, the tool calls and the observations so far, each as a message by its role"


@then(parsers.re(f"(?P<which>every request|the request for the answer) shows {_RUN}"))
def shows_run_so_far(world: World, which: str) -> None:
    """In the order in which they came: a user's, the assistant's, a tool's or again a user's."""
    requests = last_call(world)
    if which == "every request":
        check(len(requests) > 1, "the LM is asked once more after a tool call", f"there were {len(requests)} requests")
    else:
        requests = requests[-1:]
        phase = requests[0].ask.phase if requests[0].ask else "nothing known"
        check(phase == "extraction", "the LM is asked for the answer in the end", f"it was asked for {phase}")
    for asked in requests:
        events = world.record.of_call(asked.invocation).events
        before = Record(case_id=world.case_id, events=events[: events.index(asked)])
        TurnReader(asked).read_turn(_find_inputs(world, -1), before)


@then("no request and no history holds the numbered keys of a flattened trajectory")
def holds_no_flat_keys(world: World) -> None:
    """`thought_0`, `tool_name_0` and their like."""
    for asked in world.record.requests:
        found = _FLAT.search(asked.request.text)
        check(found is None, "the LM is shown turns, not numbered keys", f"it is shown {found and found[0]!r}", asked)
    for outcome in world.record.outcomes:
        found = _FLAT.search(as_text(outcome.history))
        check(found is None, "the history holds turns, not numbered keys", f"it holds {found and found[0]!r}")


@with_pattern("(?:the first|every) request of the follow-up|the request made to fit|the first request of the new one")
def later_request(text: str) -> str:
    """A request that has a turn before it."""
    return text


@with_pattern("the prior request, tool calls, observations and answer|the turns of all calls before it")
def turns_before(text: str) -> bool:
    """Whether all turns are meant, not only the last one."""
    return text.startswith("the turns of all")


@then(sentence("{request:Later} shows {whole:Turns}, in order", Later=later_request, Turns=turns_before))
def shows_turns_before(world: World, request: str, whole: bool) -> None:
    """The oldest first, each in a message by whom it came, before the new request."""
    if request == "every request of the follow-up":
        for each in last_call(world):
            _read_turns_before(world, TurnReader(each), whole=whole)
        return
    asked = first_made_to_fit(world)[1] if request == "the request made to fit" else last_call(world)[0]
    reader = TurnReader(asked)
    if request == "the first request of the new one":
        # Its turn before was another instance's, in the episode before.
        (episode, record), *_ = list(world.plays())[-2:]
        given = episode.case.signature.leave_out_images(episode.case.invocations[0].inputs)
        reader.read_turn(given, record)
        reader.read_answer(record.of_call(0).outcomes[-1].outputs)
        return
    _read_turns_before(world, reader, whole=whole)


def _read_turns_before(world: World, reader: "TurnReader", *, whole: bool) -> None:
    last = world.last_call
    check(last > 0, "there are two calls", "there are not")
    for number in range(0 if whole else last - 1, last):
        call = world.record.of_call(number)
        reader.read_turn(_find_inputs(world, number), call)
        reader.read_answer(call.outcomes[-1].outputs)
    reader.read_request(_find_inputs(world, -1))


@with_pattern("first|second")
def read_ordinal(text: str) -> int:
    """Which of the calls, as a number from 0."""
    return ("first", "second").index(text)


@then(sentence("the last call's first request shows nothing of the {which:Ordinal} call", Ordinal=read_ordinal))
def shows_nothing_of(world: World, which: int) -> None:
    """Nobody passed its history on, or what it added to another's."""
    asked, given = last_call(world)[0], [*_find_inputs(world, -1).values()]
    told = (*_find_inputs(world, which).values(), *world.record.of_call(which).outcomes[-1].outputs.values())
    for value in (value for value in told if value not in given):
        shown = not hides_value(asked.request.text, value)
        check(not shown, f"the request shows nothing of call {which + 1}: no {value!r}", "it does", asked)


@then("an assistant message of the follow-up's first request holds every output of the prior answer")
def holds_prior_answer(world: World) -> None:
    """All of them in one message."""
    outputs = world.record.of_call(world.last_call - 1).outcomes[-1].outputs
    TurnReader(last_call(world)[0]).read_answer(outputs)


@then(sentence('the request made to fit shows the summary "{text}"'))
def shows_summary(world: World, text: str) -> None:
    """The one that is made instead of the one that didn't fit (TRN-014)."""
    _check_summary(world, first_made_to_fit(world)[1], text)


@then(sentence('every request of the follow-up shows the summary "{text}"'))
def follow_up_shows_summary(world: World, text: str) -> None:
    """The summary of what the turn before has no room for (TRN-017)."""
    for asked in last_call(world):
        _check_summary(world, asked, text)


def _check_summary(world: World, asked: Asked, text: str) -> None:
    summary = world.mark_text(text)
    check(
        not hides_value(asked.request.text, summary),
        f"the request shows the summary: {summary!r}",
        "it does not",
        asked,
    )


@then("the request made to fit is shorter than the one that did not fit")
def is_shorter(world: World) -> None:
    """A summary beside all that it sums up makes nothing fit (TRN-014)."""
    refused, asked = first_made_to_fit(world)
    lengths = len(asked.request.text), len(refused.request.text)
    check(lengths[0] < lengths[1], f"fewer than {lengths[1]} characters", f"there are {lengths[0]}", asked)


class TurnReader:
    """The messages of one request, read one after the other."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._messages = [m for m in asked.request.messages if m.role not in ("system", "developer")]
        self._at = 0

    def read_request(self, inputs: JsonObject) -> None:
        """Find the user message that shows these inputs. Raises Violation if there is none."""
        self._find_next("user", "the user's request", list(inputs.values()))

    def read_turn(self, inputs: JsonObject, record: Record) -> None:
        """A user's request, then the tool calls and what came of them; several calls may be one message."""
        self.read_request(inputs)
        for taken in (list(turn.pair_runs()) for turn in split_turns(record)):
            ran = [(call, run) for call, run in taken if run]
            for call, _ in ran:
                self._find_next("assistant", f"the call of {call.tool!r}", [call.tool, *call.args.values()])
            self._check_results([(f"the observation of {call.tool!r}", run.observation) for call, run in ran])

    def read_answer(self, outputs: JsonObject) -> None:
        """The assistant's answer, somewhere after what was read before."""
        self._find_next("assistant", "the answer", list(outputs.values()))

    def _check_results(self, told: list[tuple[str, JsonValue]]) -> None:
        """What came of the calls of a turn; where it has their ids, in any order."""
        begin, ends = self._at, [self._at]
        for what, observation in told:
            self._at = begin if results_have_ids(self._asked) else self._at
            self._find_next("tool or user", what, [observation])
            ends.append(self._at)
        self._at = max(ends)

    def _find_next(self, roles: str, what: str, values: list[JsonValue]) -> None:
        for at in range(self._at, len(self._messages)):
            message = self._messages[at]
            if message.role in roles and not any(_lacks_value(message, value) for value in values):
                self._at = at
                return
        expected = f"a message of the {roles} shows {what} after what came before: {values}"
        raise Violation(expected, f"the messages are: {self._describe_messages()}", self._asked)

    def _describe_messages(self) -> str:
        return " | ".join(f"{message.role}: {read_message_text(message)[:80]!r}" for message in self._messages)


def _lacks_value(message: Message, value: JsonValue) -> bool:
    """Whether the value isn't in the message; one that is next to nothing neither stands in it, nor can be left out."""
    text = read_message_text(message)
    if not is_small(value) or value in ("", None):
        return hides_value(text, value)
    return not any(re.search(rf"(?<![\w.]){re.escape(each)}(?![\w.])", text) for each in (as_text(value), str(value)))


def read_message_text(message: Message) -> str:
    """All that a message says, its tool calls included."""
    return "\n".join([message.content or "", *(f"{call.name}\n{call.arguments}" for call in message.tool_calls)])


def _find_inputs(world: World, number: int) -> JsonObject:
    case = world.episode.case
    return case.signature.leave_out_images(case.invocations[number].inputs)


#: Enough for a tool's description and its parameters.
_LONG = 2000


@then(sentence('every request shows the image "{url}" as an image'))
def shows_image(world: World, url: str) -> None:
    """As a part of its own, not as text that tells of it."""
    for asked in every_request(world):
        shown = any(url in message.images for message in asked.request.messages)
        check(shown, "the image is a part of a message", "it is not", asked)
        told = url.partition(",")[2] in asked.request.text
        check(not told, "the image isn't written out as text", "it is", asked)


@then('"submit" is offered with the outputs as its parameters, each with its type')
def offered_with_outputs(world: World) -> None:
    """Natively as a function, else in the prompt."""
    asked = last_call(world)[0]
    hidden = [_find_hidden(world, text) for text in _find_descriptions(asked.request)]
    check(bool(hidden), f"{SUBMIT!r} is offered in the first request", "it is not", asked)
    expected = f"{SUBMIT!r} has the outputs as its parameters, each with its type"
    check(None in hidden, expected, f"it is not shown with {hidden[0]}", asked)


@then('"finish" is not offered')
def finish_not_offered(world: World) -> None:
    """Neither natively nor by its quoted name."""
    for asked in world.record.requests:
        offered = any(offer.name == FINISH for offer in asked.request.tools)
        quoted = any(f"{mark}{FINISH}{mark}" in asked.request.system_text for mark in "`'\"")
        check(not offered and not quoted, f"{FINISH!r} is not offered", "it is", asked)


@then(sentence('the next request shows a refusal of the submit that names "{field}"'))
def refused_naming(world: World, field: str) -> None:
    """As an observation: a message after the call, not the assistant's."""
    events = after_submit(world)
    following = next((event for event in events if isinstance(event, Asked)), None)
    if following is None:
        raise Violation("the loop goes on after a submit that is refused", f"it ended: {world.outcome}")
    said = [read_message_text(message) for message in _after_assistant(following)]
    # Inside JSON a line break before the name is spelt with a letter.
    named = any(names_whole_word(text.replace("\\n", " "), field) for text in said)
    check(named, f"the messages after the call say what is wrong with {field!r}", f"they are: {said}", following)


def _find_descriptions(request: LMRequest) -> Iterator[str]:
    """What may describe `submit`: its offer, or what follows its name in the prompt."""
    for offer in request.tools:
        if offer.name == SUBMIT:
            yield str(offer.parameters)
    text = "" if request.tools else request.text
    for before, after in _find_mentions(text):
        yield after if names_whole_word(before[-1:] + SUBMIT + after[:1], SUBMIT) else ""


def _find_mentions(text: str) -> Iterator[tuple[str, str]]:
    at = text.find(SUBMIT)
    while at >= 0:
        end = at + len(SUBMIT)
        yield text[:at], text[end : end + _LONG]
        at = text.find(SUBMIT, end)


def _after_assistant(asked: Asked) -> list[Message]:
    messages = asked.request.messages
    last = max((at for at, message in enumerate(messages) if message.role == "assistant"), default=-1)
    return list(messages[last + 1 :])


def _find_hidden(world: World, text: str) -> str | None:
    outputs: JsonObject = {field.name: field.json_schema for field in world.episode.case.signature.outputs}
    return hidden_argument(text, {"type": "object", "properties": outputs})
