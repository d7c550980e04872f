"""Which requests ask for the same reply again, so that a retry never eats the next turn's (SCRIPTED_LM.md)."""

from dataclasses import dataclass
from typing import NamedTuple

from react_tck.model.intent import Attempts, Intent, Reply
from react_tck.model.lm import Ask, LMRequest


class Moment(NamedTuple):
    """Where an episode stands when a request comes in: nothing but retries can come twice at one moment."""

    invocation: int
    tool_runs: int


@dataclass(slots=True)
class AskedTurn:
    """What is said at one turn, to whoever asks first and to whoever asks again: a retry never eats the next turn's."""

    request: LMRequest
    ask: Ask
    moment: Moment
    intent: Intent
    attempt: int = 0

    def is_asked_again(self, request: LMRequest, ask: Ask, moment: Moment) -> bool:
        """The same messages again; or the same fields in another dialect, as dspy's adapters fall back."""
        if moment != self.moment or ask.phase != self.ask.phase:
            return False
        falls_back = ask.dialect != self.ask.dialect and set(ask.fields) == set(self.ask.fields)
        return falls_back or (_end(request) == _end(self.request) and request.messages == self.request.messages)

    @property
    def reply(self) -> Reply:
        """What is said to the latest attempt."""
        if not isinstance(self.intent, Attempts):
            return self.intent
        return self.intent.replies[min(self.attempt, len(self.intent.replies) - 1)]


def _end(request: LMRequest) -> list[str | None]:
    """What a prompt ends with, which tells most of them apart."""
    return [message.content for message in request.messages[-1:]]
