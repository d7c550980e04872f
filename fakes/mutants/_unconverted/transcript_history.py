"""Violations around a transcript's turns: TRN-001, TRN-004, TRN-007 and TRN-008."""

from typing import Any

import dspy

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop_transcript as loop
from react_tck.reference.loop_entries import Answer, Call, Entries, Entry, Observation, Remark, Request, Turn, dumped
from react_tck.reference.trajectory import as_text
from react_tck.reference.transcript import TranscriptReAct
from react_tck.reference.transcript_history import public


class OtherEntriesShown(TranscriptReAct):
    """Shows the LM other entries than the history has."""

    def _shown(self, state: loop.State) -> dspy.History:
        return public(self._as_shown(state.history))

    def _as_shown(self, history: Entries) -> Entries:
        raise NotImplementedError


class OtherEntriesKept(TranscriptReAct):
    """Gives the caller other entries than the LM was shown."""

    def _history(self, state: loop.State) -> dspy.History:
        return public(self._kept(state.history))

    def _kept(self, history: Entries) -> Entries:
        raise NotImplementedError


class OtherEntriesRead(TranscriptReAct):
    """Continues from other entries than it was given."""

    def _entries(self, history: Any) -> Entries:
        return self._taken_in(super()._entries(history))

    def _taken_in(self, history: Entries) -> Entries:
        raise NotImplementedError


def without(entries: Entries, *kinds: type[Entry]) -> Entries:
    """The entries that are of none of these kinds."""
    return tuple(entry for entry in entries if not isinstance(entry, kinds))


# TRN-001


@mutant("flattened-into-one-message", "TRN-001")
class FlattenedIntoOneMessage(OtherEntriesShown):
    """Shows the steps as one text with numbered keys."""

    def _as_shown(self, history: Entries) -> Entries:
        flat = as_text(loop.steps_of(history))
        return (*without(history, Turn, Observation), *([Remark(remark=flat)] if flat else []))


@mutant("observation-in-the-assistants-words", "TRN-001")
class ObservationInTheAssistantsWords(OtherEntriesShown):
    """Lets the assistant tell what the tools returned."""

    def _as_shown(self, history: Entries) -> Entries:
        return tuple(_told(entry) if isinstance(entry, Observation) else entry for entry in history)


def _told(entry: Observation) -> Entry:
    return Turn(thought=f"I see: {entry.value}", tool_calls=(Call(id="told", name=entry.name, args={}),))


@mutant("history-as-numbered-keys", "TRN-001")
class HistoryAsNumberedKeys(TranscriptReAct):
    """Gives the caller the flattened trajectory for a history."""

    def _history(self, state: loop.State) -> dspy.History:
        return dspy.History(messages=[self._trajectory(state)])


@mutant("history-without-observations", "TRN-001")
class HistoryWithoutObservations(OtherEntriesKept):
    """Leaves what the tools returned out of the history."""

    def _kept(self, history: Entries) -> Entries:
        return without(history, Observation)


@mutant("async-history-without-observations", "TRN-001")
class AsyncHistoryWithoutObservations(HistoryWithoutObservations):
    """Leaves what the tools returned out of the history of an asynchronous call."""

    async def aforward(self, **inputs: Any) -> dspy.Prediction:
        self._is_async = True
        return await super().aforward(**inputs)

    def _kept(self, history: Entries) -> Entries:
        return super()._kept(history) if getattr(self, "_is_async", False) else history


# TRN-004


def _without_answer(history: Entries) -> Entries:
    """Without the answer, and without the call that submitted it."""
    ends = [call.id for entry in history if isinstance(entry, Turn) for call in entry.tool_calls if _ends(call)]
    return tuple(entry for entry in without(history, Answer) if not _belongs(entry, ends))


def _ends(call: Call) -> bool:
    return call.name == loop.SUBMIT


def _belongs(entry: Entry, ids: list[str]) -> bool:
    if isinstance(entry, Turn):
        return any(call.id in ids for call in entry.tool_calls)
    return isinstance(entry, Observation) and entry.tool_call_id in ids


@mutant("final-answer-missing-from-history", "TRN-004")
class FinalAnswerMissingFromHistory(OtherEntriesKept):
    """Takes the end of a run for a side effect, not for a turn of the conversation."""

    def _kept(self, history: Entries) -> Entries:
        return _without_answer(history)


# TRN-007


@mutant("trajectory-left-out", "TRN-007")
class TrajectoryLeftOut(TranscriptReAct):
    """Gives a prediction without a trajectory, though it claims to have one."""

    def _prediction(self, state: loop.State) -> dspy.Prediction:
        prediction = super()._prediction(state)
        del prediction["trajectory"]
        return prediction


@mutant("trajectory-without-observations", "TRN-007")
class TrajectoryWithoutObservations(TranscriptReAct):
    """Derives the trajectory from the assistant's turns alone."""

    def _trajectory(self, state: loop.State) -> dict[str, Any]:
        return {key: value for key, value in super()._trajectory(state).items() if not key.startswith("observation")}


@mutant("trajectory-of-all-turns", "TRN-007")
class TrajectoryOfAllTurns(TranscriptReAct):
    """Derives the trajectory from the whole history, earlier runs included."""

    def _trajectory(self, state: loop.State) -> dict[str, Any]:
        return super()._trajectory(state.model_copy(update={"taken": state.history}))


# TRN-008


@mutant("follow-up-forgets-the-first-turn", "TRN-008")
class FollowUpForgetsTheFirstTurn(OtherEntriesRead):
    """Takes a history and begins anew."""

    def _taken_in(self, history: Entries) -> Entries:
        return history[:0]


@mutant("follow-up-keeps-answers-only", "TRN-008")
class FollowUpKeepsAnswersOnly(OtherEntriesRead):
    """Keeps what was asked and answered, and forgets how the answer came about."""

    def _taken_in(self, history: Entries) -> Entries:
        return without(history, Turn, Observation)


@mutant("follow-up-keeps-the-last-turn-only", "TRN-008")
class FollowUpKeepsTheLastTurnOnly(OtherEntriesRead):
    """Remembers one turn, however many there were."""

    def _taken_in(self, history: Entries) -> Entries:
        starts = [index for index, entry in enumerate(history) if isinstance(entry, Request)]
        return history[starts[-1] :] if starts else history


@mutant("callers-history-changed", "TRN-008")
class CallersHistoryChanged(TranscriptReAct):
    """Appends its own turns to the history it was given."""

    def _entries(self, history: Any) -> Entries:
        self._given = history
        return super()._entries(history)

    def _history(self, state: loop.State) -> dspy.History:
        if self._given is not None:
            self._given.messages.extend(dumped(state.taken))
        return super()._history(state)


@mutant("history-kept-by-the-instance", "TRN-008")
class HistoryKeptByTheInstance(TranscriptReAct):
    """Goes on in its last conversation when it is given no history."""

    _last: dspy.History | None = None

    def _entries(self, history: Any) -> Entries:
        return super()._entries(self._last if history is None else history)

    def _history(self, state: loop.State) -> dspy.History:
        self._last = super()._history(state)
        return self._last
