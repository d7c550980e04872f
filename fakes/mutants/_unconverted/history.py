"""Violations around the conversation history (HIS-...)."""

from typing import Any

import dspy

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.react import ReAct
from react_tck.reference.signatures import SignatureType, history_field

Turns = list[dict[str, Any]]


class _OtherTurns(ReAct):
    """Shows the extraction other turns than it was given."""

    def _extraction_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        shown = super()._extraction_inputs(state, inputs)
        name = history_field(self.signature)
        if name is None:
            return shown
        return {**shown, name: dspy.History(messages=self._shown(list(shown[name].messages), state))}

    def _shown(self, turns: Turns, _state: loop.State) -> Turns:
        return turns


# HIS-001


@mutant("history-left-out-of-extraction", "HIS-001")
class HistoryLeftOutOfExtraction(_OtherTurns):
    """Shows the history to the steps only."""

    def _shown(self, _turns: Turns, _state: loop.State) -> Turns:
        return []


@mutant("newest-turn-first", "HIS-001")
class NewestTurnFirst(_OtherTurns):
    """Shows the extraction the turns in reverse order."""

    def _shown(self, turns: Turns, _state: loop.State) -> Turns:
        return turns[::-1]


@mutant("history-shown-in-chat-only", "HIS-001")
class HistoryShownInChatOnly(_OtherTurns):
    """Can format the history under the default adapter only, and leaves it out under any other."""

    def _shown(self, turns: Turns, _state: loop.State) -> Turns:
        return turns if type(dspy.settings.adapter or dspy.ChatAdapter()) is dspy.ChatAdapter else []


@mutant("history-by-its-usual-name-only", "HIS-001")
class HistoryByItsUsualNameOnly(_OtherTurns):
    """Shows the extraction a history only if the input is called `history`."""

    def _shown(self, turns: Turns, _state: loop.State) -> Turns:
        return turns if "history" in self.signature.input_fields else []


@mutant("one-answer-a-turn", "HIS-001")
class OneAnswerATurn(_OtherTurns):
    """Shows the extraction the first output of each turn only."""

    def _shown(self, turns: Turns, _state: loop.State) -> Turns:
        further = list(self.signature.output_fields)[1:]
        return [{**turn, **dict.fromkeys(further, "(left out)")} for turn in turns]


@mutant("history-only-after-finish", "HIS-001")
class HistoryOnlyAfterFinish(_OtherTurns):
    """Leaves the history out of an extraction that runs because the steps have run out."""

    def _shown(self, turns: Turns, state: loop.State) -> Turns:
        return turns if state.steps and state.steps[-1].tool == loop.FINISH else []


@mutant("history-of-the-first-call", "HIS-001")
class HistoryOfTheFirstCall(_OtherTurns):
    """Keeps the history of the instance's first call for all later ones."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._first: Turns | None = None

    def _shown(self, turns: Turns, _state: loop.State) -> Turns:
        self._first = turns if self._first is None else self._first
        return self._first


@mutant("missing-values-of-turns-shown-as-none", "HIS-001")
class MissingValuesOfTurnsShownAsNone(_OtherTurns):
    """Formats earlier turns by the extraction's signature, and writes None for the fields they lack."""

    def _shown(self, turns: Turns, _state: loop.State) -> Turns:
        own = self.signature.output_fields
        lacking = [name for name in self.extract.predictors()[0].signature.output_fields if name not in own]
        return [{**turn, **dict.fromkeys(lacking)} for turn in turns]


class _HistoryAsText(ReAct):
    """Gives the extraction the history as the text of an input."""

    def _extractor(self, signature: SignatureType) -> dspy.Module:
        name = history_field(signature)
        return super()._extractor(self._with_text(signature, name) if name else signature)

    def _with_text(self, signature: SignatureType, name: str) -> SignatureType:
        # The inputs of this call come first, so the history stands behind them.
        made: SignatureType = signature.delete(name).append(name, dspy.InputField(), type_=str)
        return made

    def _extraction_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        return {**super()._extraction_inputs(state, inputs), **self._step_inputs(state, inputs)}


@mutant("history-after-the-question", "HIS-001")
class HistoryAfterTheQuestion(_HistoryAsText):
    """Shows the extraction the history as one more input, after the question."""


@mutant("class-history-is-a-text", "HIS-001")
class ClassHistoryIsAText(_HistoryAsText):
    """Knows the history of an arrow string, and takes that of a signature class for an input like others."""

    def _user_signature(self, signature: str | SignatureType) -> SignatureType:
        self._is_arrow = isinstance(signature, str)
        return super()._user_signature(signature)

    def _with_text(self, signature: SignatureType, name: str) -> SignatureType:
        return signature if self._is_arrow else super()._with_text(signature, name)

    def _extraction_inputs(self, state: loop.State, inputs: dict[str, Any]) -> dict[str, Any]:
        own = super()._extraction_inputs
        return ReAct._extraction_inputs(self, state, inputs) if self._is_arrow else own(state, inputs)


@mutant("empty-history-is-missing", "HIS-001")
class EmptyHistoryIsMissing(ReAct):
    """Refuses a call whose history is empty as if none had been given."""

    def _check(self, inputs: dict[str, Any]) -> None:
        name = history_field(self.signature)
        if name and not inputs[name].messages:
            raise ValueError(f"missing input {name!r}")
        super()._check(inputs)


# HIS-002


def _as_steps(turns: Turns) -> tuple[loop.Step, ...]:
    return tuple(
        loop.Step(thought=str(turn.get("question")), tool="answer", args={}, observation=str(turn.get("answer")))
        for turn in turns
    )


@mutant("turns-in-trajectory", "HIS-002")
class TurnsInTrajectory(ReAct):
    """Returns the earlier turns as the first steps of the trajectory."""

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        name = history_field(self.signature)
        self._earlier = _as_steps(inputs[name].messages) if name else ()
        return super()._begin(inputs)

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        steps = (*self._earlier, *state.steps)
        return super()._prediction(state.model_copy(update={"steps": steps}), reply)


@mutant("last-answer-as-first-observation", "HIS-002")
class LastAnswerAsFirstObservation(ReAct):
    """Returns the last turn's answer as the observation of a loop that observed nothing itself."""

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        name = history_field(self.signature)
        self._last = inputs[name].messages[-1:] if name else []
        return super()._begin(inputs)

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        if self._last and len(state.steps) == 1:
            steps = (state.steps[0].model_copy(update={"observation": self._last[0]["answer"]}),)
            state = state.model_copy(update={"steps": steps})
        return super()._prediction(state, reply)


@mutant("turns-counted-as-steps", "HIS-002")
class TurnsCountedAsSteps(ReAct):
    """Takes a step less for every earlier turn."""

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        name = history_field(self.signature)
        state, inputs = super()._begin(inputs)
        turns = len(inputs[name].messages) if name else 0
        return loop.start(state.tools, max(0, state.max_steps - turns), state.policy), inputs


@mutant("trajectory-of-the-whole-conversation", "HIS-002")
class TrajectoryOfTheWholeConversation(ReAct):
    """Returns the steps of all calls of a conversation, not of the last one."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._steps: tuple[loop.Step, ...] = ()

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        if history_field(self.signature):
            self._steps = (*self._steps, *state.steps)
            state = state.model_copy(update={"steps": self._steps})
        return super()._prediction(state, reply)
