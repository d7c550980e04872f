"""Violations in how a conversation is interrupted, and in what its messages ask for (CNV-006, CNV-007)."""

from react_tck.fakes.mutants.conversation_base import Exchange, Inputs, Told
from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.conversation import ConversationReAct
from react_tck.reference.conversation_adapter import ConversationAdapter
from react_tck.reference.loop_conversation import (
    INSTRUCTIONS,
    MACHINE_STATE,
    TOOL_ARGS,
    TOOL_NAME,
    TOOL_RESULT,
    MachineState,
)

# CNV-006


@mutant("interrupted-state-skipped", "CNV-006")
class InterruptedStateSkipped(ConversationReAct):
    """Enters the state `finish` when the steps have run out."""

    def _state(self, state: loop.State) -> MachineState:
        now = super()._state(state)
        return "finish" if now == "interrupted" else now


@mutant("one-step-after-the-last", "CNV-006")
class OneStepAfterTheLast(ConversationReAct):
    """Takes one step more than it may."""

    def _start(self, max_steps: int) -> loop.State:
        return super()._start(max_steps + 1)


class _Interrupted(Told):
    """Asks otherwise when interrupted; `_interrupted` says how."""

    def _told(self, asked: Exchange, _state: loop.State, _inputs: Inputs) -> Exchange:
        return self._interrupted(asked) if asked[MACHINE_STATE] == "interrupted" else asked

    def _interrupted(self, asked: Exchange) -> Exchange:
        return asked


@mutant("interruption-instructions-lost", "CNV-006")
class InterruptionInstructionsLost(_Interrupted):
    """Doesn't say what to do when interrupted."""

    def _interrupted(self, asked: Exchange) -> Exchange:
        return {**asked, INSTRUCTIONS: ""}


@mutant("last-result-lost-when-interrupted", "CNV-006")
class LastResultLostWhenInterrupted(_Interrupted):
    """Doesn't show what the last tool gave when interrupted."""

    def _interrupted(self, asked: Exchange) -> Exchange:
        return {**asked, TOOL_RESULT: "(interrupted)"}


@mutant("gathered-results-forgotten-when-interrupted", "CNV-006")
class GatheredResultsForgottenWhenInterrupted(ConversationReAct):
    """Shows the last result only when interrupted."""

    def _exchanges(self, state: loop.State, inputs: Inputs) -> list[Exchange]:
        return [] if self._state(state) == "interrupted" else super()._exchanges(state, inputs)


@mutant("call-limit-ignored-by-the-conversation", "CNV-006")
class CallLimitIgnoredByTheConversation(ConversationReAct):
    """Takes the steps it was constructed with, whatever the call says."""

    def _own_options(self, inputs: Inputs) -> tuple[int, Inputs]:
        return self.max_steps, super()._own_options(inputs)[1]


# CNV-007


class _AsksForAll(ConversationAdapter):
    def _required(self, state: MachineState) -> list[str]:
        return [*super()._required(state), *self._masked(state)]


@mutant("masked-field-asked-for", "CNV-007")
class MaskedFieldAskedFor(ConversationReAct):
    """Asks for the fields of all states."""

    adapter_class = _AsksForAll


class _Backwards(ConversationAdapter):
    def _required(self, state: MachineState) -> list[str]:
        return super()._required(state)[::-1]


@mutant("fields-asked-for-out-of-order", "CNV-007")
class FieldsAskedForOutOfOrder(ConversationReAct):
    """Asks for the fields in reverse order."""

    adapter_class = _Backwards


class _Unending(ConversationAdapter):
    def _request(self, state: MachineState) -> str:
        return super()._request(state).replace(", ending with `[[ ## completed ## ]]`", "")


@mutant("completed-marker-not-asked-for", "CNV-007")
class CompletedMarkerNotAskedFor(ConversationReAct):
    """Doesn't ask for the completed marker."""

    adapter_class = _Unending


class _Unmasked(ConversationAdapter):
    def _masked(self, _state: MachineState) -> list[str]:
        return []


@mutant("masked-fields-not-named", "CNV-007")
class MaskedFieldsNotNamed(ConversationReAct):
    """Doesn't say which fields not to generate."""

    adapter_class = _Unmasked


class _MasksItsOwn(ConversationAdapter):
    def _masked(self, state: MachineState) -> list[str]:
        return [*super()._masked(state), *self._required(state)[-1:]]


@mutant("own-fields-masked", "CNV-007")
class OwnFieldsMasked(ConversationReAct):
    """Forbids a field that it asks for."""

    adapter_class = _MasksItsOwn


class _ToolWhenInterrupted(ConversationAdapter):
    def _required(self, state: MachineState) -> list[str]:
        tool = [TOOL_NAME, TOOL_ARGS] if state == "interrupted" else []
        return [*super()._required(state), *tool]


@mutant("interrupted-asks-for-a-tool", "CNV-007")
class InterruptedAsksForATool(ConversationReAct):
    """Asks for one more tool call when interrupted."""

    adapter_class = _ToolWhenInterrupted
