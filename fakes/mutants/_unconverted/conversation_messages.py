"""Violations in the messages of a conversation, and in how they grow (CNV-001, CNV-002, CNV-003)."""

import json
from typing import Any

from react_tck.fakes.mutants.conversation_base import Exchange, Inputs, Told
from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.conversation import ConversationReAct
from react_tck.reference.conversation_adapter import ConversationAdapter
from react_tck.reference.loop_conversation import INSTRUCTIONS, MACHINE_STATE, TOOL_RESULT, MachineState
from react_tck.reference.signatures import SignatureType

Messages = list[dict[str, Any]]

# CNV-001


@mutant("steps-as-json-in-the-user-message", "CNV-001")
class StepsAsJsonInTheUserMessage(ConversationReAct):
    """Keeps the steps of a turn as a JSON object inside its one user message."""

    def _earlier(self, _state: loop.State, inputs: Inputs) -> list[Exchange]:
        return list(inputs[self._history].messages)

    def _asking(self, state: loop.State, inputs: Inputs) -> Exchange:
        asked = super()._asking(state, inputs)
        steps = json.dumps({"messages": self._exchanges(state, inputs)})
        return {**asked, TOOL_RESULT: f"{steps}\n{asked[TOOL_RESULT]}"} if state.steps else asked


@mutant("earlier-turns-as-json-in-the-user-message", "CNV-001")
class EarlierTurnsAsJsonInTheUserMessage(ConversationReAct):
    """Keeps earlier turns as a JSON object inside the message with the question."""

    def _earlier(self, state: loop.State, inputs: Inputs) -> list[Exchange]:
        return self._exchanges(state, inputs)

    def _own_inputs(self, inputs: Inputs) -> Inputs:
        own = super()._own_inputs(inputs)
        first = next(iter(own))
        return {**own, first: f"{json.dumps(inputs[self._history].messages)}\n{own[first]}"}


class _NothingFromTheUser(ConversationAdapter):
    def format(self, signature: SignatureType, demos: Messages, inputs: Inputs) -> Messages:
        *earlier, last = super().format(signature, demos, inputs)
        return [message for message in earlier if message["role"] != "user"] + [last]


@mutant("reply-without-the-users-message", "CNV-001")
class ReplyWithoutTheUsersMessage(ConversationReAct):
    """Keeps what the LM said, and not what it was asked."""

    adapter_class = _NothingFromTheUser


@mutant("results-told-again", "CNV-001")
class ResultsToldAgain(Told):
    """Shows the results of all steps in each user message."""

    def _told(self, asked: Exchange, state: loop.State, _inputs: Inputs) -> Exchange:
        results = "\n".join(str(step.observation) for step in state.steps)
        return {**asked, TOOL_RESULT: results} if state.steps else asked


# CNV-002


class _RequestTakenBack(ConversationAdapter):
    def format(self, signature: SignatureType, demos: Messages, inputs: Inputs) -> Messages:
        *earlier, last = super().format(signature, demos, inputs)
        return [_without_request(message) for message in earlier] + [last]


def _without_request(message: dict[str, Any]) -> dict[str, Any]:
    is_users = message["role"] == "user"
    return {**message, "content": message["content"].rpartition("\n\n")[0]} if is_users else message


@mutant("earlier-messages-without-their-request", "CNV-002")
class EarlierMessagesWithoutTheirRequest(ConversationReAct):
    """Takes what was asked for out of a user message as soon as it is an earlier one."""

    adapter_class = _RequestTakenBack


@mutant("old-results-shortened", "CNV-002")
class OldResultsShortened(ConversationReAct):
    """Shortens the results of earlier steps."""

    def _exchanges(self, state: loop.State, inputs: Inputs) -> list[Exchange]:
        return [_shortened(exchange) for exchange in super()._exchanges(state, inputs)]


def _shortened(exchange: Exchange) -> Exchange:
    return {**exchange, TOOL_RESULT: f"{exchange[TOOL_RESULT][:4]}…"} if TOOL_RESULT in exchange else exchange


@mutant("earlier-turn-summarised", "CNV-002")
class EarlierTurnSummarised(ConversationReAct):
    """Shortens the results of earlier turns."""

    def _earlier(self, state: loop.State, inputs: Inputs) -> list[Exchange]:
        return [*map(_shortened, inputs[self._history].messages), *self._exchanges(state, inputs)]


@mutant("failures-taken-back", "CNV-002")
class FailuresTakenBack(ConversationReAct):
    """Takes a call that failed out of the conversation."""

    def _exchanges(self, state: loop.State, inputs: Inputs) -> list[Exchange]:
        exchanges = zip(super()._exchanges(state, inputs), state.steps, strict=True)
        return [exchange for exchange, step in exchanges if not str(step.observation).startswith("Error")]


@mutant("steps-bundled-in-one-pair", "CNV-002")
class StepsBundledInOnePair(ConversationReAct):
    """Makes one pair of messages of two steps."""

    def _exchanges(self, state: loop.State, inputs: Inputs) -> list[Exchange]:
        return super()._exchanges(state, inputs)[::2]


# CNV-003


class _OnlyTheState(ConversationAdapter):
    def _documented(self, signature: SignatureType) -> list[MachineState]:
        return [state for state, known in self.states.items() if known.fields.keys() == signature.fields.keys()]


@mutant("system-prompt-by-state", "CNV-003")
class SystemPromptByState(ConversationReAct):
    """Documents the state that asks, and no other."""

    adapter_class = _OnlyTheState


class _SaysInterrupted(ConversationAdapter):
    def format_system_message(self, signature: SignatureType) -> str:
        said = super().format_system_message(signature)
        return f"{said}\n\nYou were interrupted." if INSTRUCTIONS in signature.fields else said


@mutant("system-prompt-says-interrupted", "CNV-003")
class SystemPromptSaysInterrupted(ConversationReAct):
    """Says in the system prompt that the steps have run out."""

    adapter_class = _SaysInterrupted


class _CountsTurns(ConversationAdapter):
    def format(self, signature: SignatureType, demos: Messages, inputs: Inputs) -> Messages:
        turns = sum(exchange[MACHINE_STATE] == "finish" for exchange in inputs["history"].messages)
        system, *others = super().format(signature, demos, inputs)
        return [{**system, "content": f"{system['content']}\n\nThis is turn {turns + 1}."}, *others]


@mutant("system-prompt-counts-turns", "CNV-003")
class SystemPromptCountsTurns(ConversationReAct):
    """Says in the system prompt which turn it is."""

    adapter_class = _CountsTurns


class _WithoutInterrupted(ConversationAdapter):
    def _documented(self, signature: SignatureType) -> list[MachineState]:
        return [state for state in super()._documented(signature) if state != "interrupted"]


@mutant("interrupted-state-undocumented", "CNV-003")
class InterruptedStateUndocumented(ConversationReAct):
    """Leaves the interrupted state out of the system prompt."""

    adapter_class = _WithoutInterrupted
