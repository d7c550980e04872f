"""Which requests ask for the same reply again, so that a retry never eats the next turn's (SCRIPTED_LM.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from react_tck.dialects.reading import RequestReading
from react_tck.model.intent import Attempts, Intent, Reply
from react_tck.model.lm import Message


class Moment(NamedTuple):
    """Where an episode stands when a request comes in: nothing but retries can come twice at one moment."""

    invocation: int
    tool_runs: int


@dataclass(slots=True)
class AskedTurn:
    """What is said at one turn, to whoever asks first and to whoever asks again: a retry never eats the next turn's."""

    reading: RequestReading
    moment: Moment
    intent: Intent
    attempt: int = 0

    def is_like(self, reading: RequestReading, moment: Moment) -> bool:
        """Tell whether these are the same messages again, or fields in another dialect, as adapters of dspy's ask."""
        if moment != self.moment:
            return False
        now, before = reading.ask, self.reading.ask
        if now.dialect != before.dialect and set(now.fields) == set(before.fields):
            return True
        return self.has_same_messages(reading)

    def has_same_messages(self, reading: RequestReading) -> bool:
        """Tell whether the request is this turn's, word for word."""
        messages, known = reading.request.messages, self.reading.request.messages
        return _read_prompt_end(messages) == _read_prompt_end(known) and messages == known

    @property
    def phase(self) -> str:
        """What it was asked for as: a step, or the answer."""
        return self.reading.phase

    @property
    def reply(self) -> Reply:
        """What is said to the latest attempt."""
        if not isinstance(self.intent, Attempts):
            return self.intent
        return self.intent.replies[min(self.attempt, len(self.intent.replies) - 1)]


def _read_prompt_end(messages: Sequence[Message]) -> list[str | None]:
    """Return what a prompt ends with, which tells most of them apart."""
    return [message.content for message in messages[-1:]]
