"""Violations in the machine states: what they show, and how the machine goes from one to another (CNV-004, CNV-005)."""

import dspy

from react_tck.fakes.mutants.conversation_base import Exchange, Inputs, Told
from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.conversation import ConversationReAct
from react_tck.reference.conversation_adapter import ConversationAdapter, Fields
from react_tck.reference.drive import Episode
from react_tck.reference.loop_conversation import MACHINE_STATE, TOOL_RESULT, MachineState

# CNV-004


class _HistoryAsInput(ConversationAdapter):
    def _structure(self, state: MachineState) -> str:
        head = "Input fields:\n\n"
        return super()._structure(state).replace(head, f"{head}[[ ## history ## ]]\n{{history}}\n\n")


@mutant("inputs-undocumented-by-state", "CNV-004")
class InputsUndocumentedByState(ConversationReAct):
    """Documents an input that no state has."""

    adapter_class = _HistoryAsInput


class _NoResponse(ConversationAdapter):
    def _structure(self, state: MachineState) -> str:
        return super()._structure(state).replace("[[ ## response ## ]]\n{response}\n\n", "")


@mutant("outputs-undocumented-by-state", "CNV-004")
class OutputsUndocumentedByState(ConversationReAct):
    """Leaves `response` out of what it documents of the states."""

    adapter_class = _NoResponse


class _QuestionAgain(Told):
    """Shows the user's inputs in further states, `again`."""

    again: MachineState

    def _told(self, asked: Exchange, _state: loop.State, inputs: Inputs) -> Exchange:
        return {**asked, **self._own_inputs(inputs)} if asked[MACHINE_STATE] == self.again else asked


class _WithEveryResult(ConversationAdapter):
    def _inputs(self, state: MachineState) -> Fields:
        query = super()._inputs("user_query") if state == "tool_result" else {}
        return {**super()._inputs(state), **query}


@mutant("question-repeated-with-every-result", "CNV-004")
class QuestionRepeatedWithEveryResult(_QuestionAgain):
    """Shows the question beside each tool result."""

    again = "tool_result"
    adapter_class = _WithEveryResult


class _WhenInterrupted(ConversationAdapter):
    def _inputs(self, state: MachineState) -> Fields:
        query = super()._inputs("user_query") if state == "interrupted" else {}
        return {**super()._inputs(state), **query}


@mutant("question-repeated-when-interrupted", "CNV-004")
class QuestionRepeatedWhenInterrupted(_QuestionAgain):
    """Shows the question again when the steps have run out."""

    again = "interrupted"
    adapter_class = _WhenInterrupted


class _Stateless(ConversationAdapter):
    def _inputs(self, state: MachineState) -> Fields:
        fields = super()._inputs(state)
        return fields if state == "user_query" else {n: f for n, f in fields.items() if n != MACHINE_STATE}


@mutant("state-left-out-of-the-message", "CNV-004")
class StateLeftOutOfTheMessage(ConversationReAct):
    """Names the state in the user's query only."""

    adapter_class = _Stateless


# CNV-005


@mutant("every-step-a-user-query", "CNV-005")
class EveryStepAUserQuery(ConversationReAct):
    """Asks for every step in the state `user_query`."""

    def _state(self, state: loop.State) -> MachineState:
        now = super()._state(state)
        return "user_query" if now == "tool_result" else now


@mutant("state-taken-from-a-result", "CNV-005")
class StateTakenFromAResult(ConversationReAct):
    """Enters the state `finish` when a tool result looks as if it said so."""

    def _state(self, state: loop.State) -> MachineState:
        last = str(state.steps[-1].observation) if state.steps else ""
        return "finish" if "machine_state ## ]]\nfinish" in last else super()._state(state)


@mutant("finish-asked-twice", "CNV-005")
class FinishAskedTwice(ConversationReAct):
    """Asks for the outputs twice, and takes the second answer."""

    def _extraction(self, state: loop.State, inputs: Inputs) -> Episode[dspy.Prediction]:
        yield from super()._extraction(state, inputs)
        return (yield from super()._extraction(state, inputs))


@mutant("second-turn-without-a-query", "CNV-005")
class SecondTurnWithoutAQuery(ConversationReAct):
    """Gives the question of a later turn as a tool result."""

    def _begin(self, inputs: Inputs) -> tuple[loop.State, Inputs]:
        state, inputs = super()._begin(inputs)
        self._goes_on = bool(inputs[self._history].messages)
        return state, inputs

    def _state(self, state: loop.State) -> MachineState:
        now = super()._state(state)
        return "tool_result" if self._goes_on and now == "user_query" else now

    def _asking(self, state: loop.State, inputs: Inputs) -> Exchange:
        if state.steps or self._state(state) == "user_query":
            return super()._asking(state, inputs)
        return {MACHINE_STATE: "tool_result", TOOL_RESULT: str(self._own_inputs(inputs))}


@mutant("only-tool-not-run-before-interruption", "CNV-005")
class OnlyToolNotRunBeforeInterruption(ConversationReAct):
    """With a single step, is interrupted instead of running the tool."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        after = super()._advance(state, event)
        if isinstance(after.action, loop.RunTool) and after.max_steps == 1:
            return super()._advance(after, loop.ToolReturned(observation="(interrupted)"))
        return after


@mutant("interrupted-at-once", "CNV-005")
class InterruptedAtOnce(Told):
    """With no step to take, is interrupted before anything happened."""

    def _start(self, max_steps: int) -> loop.State:
        return super()._start(max_steps) if max_steps else loop.start(tuple(self.tools), 0, self.policy)

    def _state(self, state: loop.State) -> MachineState:
        return super()._state(state) if state.steps or state.max_steps else "interrupted"

    def _asking(self, state: loop.State, inputs: Inputs) -> Exchange:
        if state.max_steps:
            return super()._asking(state, inputs)
        return {MACHINE_STATE: "interrupted", TOOL_RESULT: str(self._own_inputs(inputs))}


@mutant("interrupted-by-an-early-finish", "CNV-005")
class InterruptedByAnEarlyFinish(ConversationReAct):
    """Is interrupted where the LM finishes before any tool has run."""

    def _state(self, state: loop.State) -> MachineState:
        now = super()._state(state)
        return "interrupted" if now == "finish" and len(state.steps) == 1 else now
