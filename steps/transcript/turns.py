"""Then: real turns of a conversation, read off the LM requests (TRN-001, TRN-004, TRN-008, TRN-009)."""

import re

from pydantic import JsonValue
from pytest_bdd import then

from react_tck.dialects.markup import as_text
from react_tck.judges.verdict import Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.lm import Message
from react_tck.model.record import Asked, Record
from react_tck.record.shown import shows
from react_tck.record.turns import turns
from react_tck.steps.world import World

#: The keys of a trajectory flattened into one mapping.
_FLAT = re.compile(r"\b(?:next_)?(?:thought|reasoning|tool_name|tool_args|observation)_\d+\b")


@then(
    "every request shows the user's request, the tool calls and the observations so far, each as a message by its role"
)
def shows_turns_so_far(world: World) -> None:
    """In the order in which they came: a user's, the assistant's, a tool's or again a user's."""
    requests = of_last_call(world)
    check(len(requests) > 1, "the LM is asked once more after a tool call", f"there were {len(requests)} requests")
    for asked in requests:
        events = world.record.of_call(asked.invocation).events
        before = Record(case_id=world.case_id, events=events[: events.index(asked)])
        Reading(asked).turn(_inputs(world, -1), before)


@then("no request and no history holds the numbered keys of a flattened trajectory")
def holds_no_flat_keys(world: World) -> None:
    """`thought_0`, `tool_name_0` and their like."""
    for asked in world.record.requests:
        found = _FLAT.search(asked.request.text)
        check(found is None, "the LM is shown turns, not numbered keys", f"it is shown {found and found[0]!r}", asked)
    for outcome in world.record.outcomes:
        found = _FLAT.search(as_text(outcome.history))
        check(found is None, "the history holds turns, not numbered keys", f"it holds {found and found[0]!r}")


@then("the first request of the follow-up shows the prior request, tool calls, observations and answer, in order")
def shows_prior_turn(world: World) -> None:
    """Of the call before the last, each in a message by whom it came, before the new request."""
    check(len(world.record.outcomes) > 1, "there are two calls", "there are not")
    shows_turn_of(world, of_last_call(world)[0], len(world.record.outcomes) - 2)


@then("the first request of the follow-up shows the turns of all calls before it, in order")
def shows_all_turns(world: World) -> None:
    """The oldest first."""
    reading = Reading(of_last_call(world)[0])
    for number, outcome in enumerate(world.record.outcomes[:-1]):
        reading.turn(_inputs(world, number), world.record.of_call(number))
        reading.answer(outcome.outputs)
    reading.request(_inputs(world, -1))


@then("the last call's requests show nothing of the first call")
def shows_nothing_of_first(world: World) -> None:
    """Nobody passed its history on."""
    _shows_nothing_of(world, 0)


@then("the new one's first request shows the prior request, tool calls, observations and answer, in order")
def new_one_shows_prior_turn(world: World) -> None:
    """Of the call whose history it was given, in the episode before."""
    (episode, record), *_ = list(world.plays())[-2:]
    reading = Reading(of_last_call(world)[0])
    reading.turn(episode.case.invocations[0].inputs, record)
    reading.answer(record.outcomes[0].outputs)


@then("an assistant message of the follow-up's first request holds every output of the prior answer")
def holds_prior_answer(world: World) -> None:
    """All of them in one message."""
    outputs = world.record.outcomes[-2].outputs
    Reading(of_last_call(world)[0]).answer(outputs)


@then("the follow-up's first request shows nothing of the second call")
def shows_nothing_of_second(world: World) -> None:
    """What one follow-up added is not in the history that another one is given."""
    asked = of_last_call(world)[0]
    for value in (*_inputs(world, 1).values(), *world.record.outcomes[1].outputs.values()):
        check(
            not shows(asked.request.text, value),
            f"the history passed on is unchanged: no {value!r}",
            "it is shown",
            asked,
        )


class Reading:
    """The messages of one request, read one after the other."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._messages = [m for m in asked.request.messages if m.role not in ("system", "developer")]
        self._at = 0

    def request(self, inputs: JsonObject) -> None:
        """A user's request."""
        self._next("user", "the user's request", list(inputs.values()))

    def turn(self, inputs: JsonObject, record: Record) -> None:
        """A user's request, then the tool calls and what came of them; several calls may be one message."""
        self.request(inputs)
        for taken in (list(turn.taken()) for turn in turns(record)):
            ran = [(call, run) for call, run in taken if run]
            for call, _ in ran:
                self._next("assistant", f"the call of {call.tool!r}", [call.tool, *call.args.values()])
            for call, run in ran:
                self._next(
                    "tool or user",
                    f"the observation of {call.tool!r}",
                    [run.observation],
                )

    def answer(self, outputs: JsonObject) -> None:
        """The assistant's answer, somewhere after what was read before."""
        self._next("assistant", "the answer", list(outputs.values()))

    def _next(self, roles: str, what: str, values: list[JsonValue]) -> None:
        for at in range(self._at, len(self._messages)):
            message = self._messages[at]
            if message.role in roles and all(shows(spoken(message), value) for value in values):
                self._at = at
                return
        expected = f"a message of the {roles} shows {what} after what came before: {values}"
        raise Violation(expected, f"the messages are: {self._outline()}", self._asked)

    def _outline(self) -> str:
        return " | ".join(f"{message.role}: {spoken(message)[:80]!r}" for message in self._messages)


def spoken(message: Message) -> str:
    """All that a message says, its tool calls included."""
    return "\n".join([message.content or "", *(f"{call.name}\n{call.arguments}" for call in message.tool_calls)])


def of_last_call(world: World) -> list[Asked]:
    """The requests of the last call.

    Raises:
        Violation: if there is none.
    """
    last = len(world.episode.case.invocations) - 1
    requests = [asked for asked in world.record.requests if asked.invocation == last]
    if not requests:
        raise Violation("the LM is asked", "it was not")
    return requests


def shows_turn_of(world: World, asked: Asked, number: int) -> None:
    """Hold a request against what really happened in the call of that number."""
    reading = Reading(asked)
    reading.turn(_inputs(world, number), world.record.of_call(number))
    reading.answer(world.record.outcomes[number].outputs)
    reading.request(_inputs(world, asked.invocation))


def _shows_nothing_of(world: World, number: int) -> None:
    asked = of_last_call(world)[0]
    for value in (*_inputs(world, number).values(), *world.record.outcomes[number].outputs.values()):
        shown = shows(asked.request.text, value)
        check(not shown, f"the request shows nothing of call {number + 1}: no {value!r}", "it does", asked)


def _inputs(world: World, number: int) -> JsonObject:
    return world.episode.case.invocations[number].inputs
