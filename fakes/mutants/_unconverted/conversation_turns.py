"""Violations across the turns of a conversation, around malformed replies and in async calls (CNV-009, 010, 012)."""

from typing import Any

import dspy

from react_tck.fakes.mutants.conversation_base import Async, Exchange, Forgetful, Inputs
from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.conversation import ConversationReAct
from react_tck.reference.conversation_adapter import ConversationAdapter
from react_tck.reference.drive import Episode
from react_tck.reference.loop_conversation import (
    MACHINE_STATE,
    TOOL_NAME,
    TOOL_RESULT,
    UNREADABLE,
    MachineState,
)
from react_tck.reference.react import EpisodeFailed
from react_tck.reference.signatures import SignatureType

# CNV-009


@mutant("second-turn-forgets-the-first", "CNV-009")
class SecondTurnForgetsTheFirst(ConversationReAct):
    """Begins every turn with an empty history."""

    def _begin(self, inputs: Inputs) -> tuple[loop.State, Inputs]:
        state, inputs = super()._begin(inputs)
        return state, {**inputs, self._history: dspy.History(messages=[])}


@mutant("answer-missing-from-history", "CNV-009")
class AnswerMissingFromHistory(Forgetful):
    """Gives back the history without the final answer."""

    def _kept(self, exchanges: list[Exchange], _state: MachineState) -> list[Exchange]:
        return exchanges[:-1]


@mutant("only-the-last-turn-kept", "CNV-009")
class OnlyTheLastTurnKept(Forgetful):
    """Gives back the history of the turn just taken."""

    def _kept(self, exchanges: list[Exchange], _state: MachineState) -> list[Exchange]:
        begins = max(at for at, exchange in enumerate(exchanges) if exchange[MACHINE_STATE] == "user_query")
        return exchanges[begins:]


@mutant("interrupted-turn-not-kept", "CNV-009")
class InterruptedTurnNotKept(Forgetful):
    """Gives back no history of a turn that was interrupted."""

    def _kept(self, exchanges: list[Exchange], state: MachineState) -> list[Exchange]:
        return [] if state == "interrupted" else exchanges


@mutant("history-input-by-its-usual-name-only", "CNV-009")
class HistoryInputByItsUsualNameOnly(ConversationReAct):
    """Takes the history from the input `history` alone, whatever the signature names it."""

    def _begin(self, inputs: Inputs) -> tuple[loop.State, Inputs]:
        state, inputs = super()._begin(inputs)
        return state, {**inputs, self._history: inputs.get("history") or dspy.History(messages=[])}


# CNV-010


@mutant("malformed-reply-ends-the-turn", "CNV-010")
class MalformedReplyEndsTheTurn(ConversationReAct):
    """Raises when a step's reply can't be read."""

    def _step(self, state: loop.State, inputs: Inputs) -> Episode[loop.Event]:
        event = yield from super()._step(state, inputs)
        if isinstance(event, loop.StepMalformed):
            raise EpisodeFailed(event.reason)
        return event


class _AsItWas(ConversationAdapter):
    def format_assistant_message_content(self, signature: SignatureType, outputs: Inputs, *rest: Any) -> str:
        if outputs.get(TOOL_NAME) == UNREADABLE:
            return "[[ ## tool_name ]]\nsearch"
        return super().format_assistant_message_content(signature, outputs, *rest)


@mutant("malformed-reply-kept-as-it-is", "CNV-010")
class MalformedReplyKeptAsItIs(ConversationReAct):
    """Shows the LM its malformed reply as an example of its own doing."""

    adapter_class = _AsItWas


class _HalfKept(ConversationAdapter):
    def format_assistant_message_content(self, signature: SignatureType, outputs: Inputs, *rest: Any) -> str:
        if outputs.get(TOOL_NAME) == UNREADABLE:
            return ""
        return super().format_assistant_message_content(signature, outputs, *rest)


@mutant("malformed-exchange-half-kept", "CNV-010")
class MalformedExchangeHalfKept(ConversationReAct):
    """Drops the malformed reply, and lets two user messages follow each other."""

    adapter_class = _HalfKept


@mutant("malformed-exchange-lost-between-turns", "CNV-010")
class MalformedExchangeLostBetweenTurns(Forgetful):
    """Leaves the exchange with the malformed reply out of the history it gives back."""

    def _kept(self, exchanges: list[Exchange], _state: MachineState) -> list[Exchange]:
        return [exchange for exchange in exchanges if exchange.get(TOOL_NAME) != UNREADABLE]


# CNV-012


@mutant("async-conversation-without-results", "CNV-012")
class AsyncConversationWithoutResults(Async):
    """Keeps the results of earlier steps to itself when called asynchronously."""

    def _exchanges(self, state: loop.State, inputs: Inputs) -> list[Exchange]:
        exchanges = super()._exchanges(state, inputs)
        if not self.is_async:
            return exchanges
        return [{**exchange, TOOL_RESULT: "(done)"} for exchange in exchanges]


@mutant("async-conversation-never-interrupted", "CNV-012")
class AsyncConversationNeverInterrupted(Async):
    """Enters the state `finish` when its steps have run out in an async call."""

    def _state(self, state: loop.State) -> MachineState:
        now = super()._state(state)
        return "finish" if self.is_async and now == "interrupted" else now


@mutant("async-turn-forgets-the-first", "CNV-012")
class AsyncTurnForgetsTheFirst(Async):
    """Begins with an empty history when called asynchronously."""

    def _begin(self, inputs: Inputs) -> tuple[loop.State, Inputs]:
        state, inputs = super()._begin(inputs)
        return state, {**inputs, self._history: dspy.History(messages=[])} if self.is_async else inputs
