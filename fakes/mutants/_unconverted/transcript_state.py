"""Violations around what becomes of a history: TRN-010, TRN-013 and TRN-014."""

from typing import Any

import dspy

from react_tck.fakes.mutants.mutant import mutant
from react_tck.fakes.mutants.transcript_history import OtherEntriesKept, OtherEntriesRead, OtherEntriesShown, without
from react_tck.reference import loop_transcript as loop
from react_tck.reference.drive import Episode
from react_tck.reference.loop_compaction import Cut, cut
from react_tck.reference.loop_entries import Call, Entries, Observation, Request, Summary, Turn
from react_tck.reference.transcript import TranscriptReAct

# TRN-010


class _OtherwiseFromJson(TranscriptReAct):
    """Reads a history that it didn't make itself in another way."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._made: list[dspy.History] = []

    def _history(self, state: loop.State) -> dspy.History:
        self._made.append(super()._history(state))
        return self._made[-1]

    def _entries(self, history: Any) -> Entries:
        entries = super()._entries(history)
        is_own = any(history is made for made in self._made)
        return entries if is_own else self._from_json(entries)

    def _from_json(self, entries: Entries) -> Entries:
        raise NotImplementedError


@mutant("history-lost-in-serialisation", "TRN-010")
class HistoryLostInSerialisation(_OtherwiseFromJson):
    """Keeps the turns in its memory, and knows no others."""

    def _from_json(self, entries: Entries) -> Entries:
        return entries[:0]


@mutant("ids-lost-in-serialisation", "TRN-010")
class IdsLostInSerialisation(_OtherwiseFromJson):
    """Gives the calls of a history that was written out new ids."""

    def _from_json(self, entries: Entries) -> Entries:
        return _renamed(entries, lambda _, call_id: f"restored_{call_id}")


@mutant("values-become-text-in-serialisation", "TRN-010")
class ValuesBecomeTextInSerialisation(_OtherwiseFromJson):
    """Reads every value of a history that was written out as text."""

    def _from_json(self, entries: Entries) -> Entries:
        return tuple(
            entry.model_copy(update={"value": str(entry.value)}) if isinstance(entry, Observation) else entry
            for entry in entries
        )


def _renamed(entries: Entries, name: Any) -> Entries:
    """The entries with other ids; `name` is given the number of the turn and the old id."""
    made: list[Any] = []
    number = 0
    for entry in entries:
        if isinstance(entry, Turn):
            number += 1
            calls = tuple(c.model_copy(update={"id": name(number, c.id)}) for c in entry.tool_calls)
            entry = entry.model_copy(update={"tool_calls": calls})
        elif isinstance(entry, Observation):
            entry = entry.model_copy(update={"tool_call_id": name(number, entry.tool_call_id)})
        made.append(entry)
    return tuple(made)


# TRN-013


@mutant("only-the-first-call-runs", "TRN-013")
class OnlyTheFirstCallRuns(TranscriptReAct):
    """Takes the first call of a turn and drops the others."""

    def _chosen(self, reply: dspy.Prediction) -> loop.Event:
        event = super()._chosen(reply)
        if not isinstance(event, loop.TurnChosen):
            return event
        return loop.TurnChosen(thought=event.thought, calls=event.calls[:1])


@mutant("parallel-calls-run-twice", "TRN-013")
class ParallelCallsRunTwice(TranscriptReAct):
    """Runs the calls of a turn with several once more."""

    _is_parallel = False

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        if isinstance(event, loop.TurnChosen):
            self._is_parallel = len(event.calls) > 1
        return super()._advance(state, event)

    def _use(self, call: Call) -> Episode[loop.Event]:
        if self._is_parallel:
            yield from super()._use(call)
        return (yield from super()._use(call))


@mutant("ids-of-parallel-calls-swapped", "TRN-013")
class IdsOfParallelCallsSwapped(OtherEntriesShown):
    """Gives each result of a turn the id of another call."""

    def _as_shown(self, history: Entries) -> Entries:
        swapped = _swapped_ids(history)
        return tuple(
            entry.model_copy(update={"tool_call_id": swapped[entry.tool_call_id]})
            if isinstance(entry, Observation)
            else entry
            for entry in history
        )


def _swapped_ids(history: Entries) -> dict[str, str]:
    turns = ([call.id for call in entry.tool_calls] for entry in history if isinstance(entry, Turn))
    return {one: other for ids in turns for one, other in zip(ids, reversed(ids), strict=True)}


@mutant("results-in-reverse-order", "TRN-013")
class ResultsInReverseOrder(OtherEntriesShown):
    """Shows the results of a turn the last one first."""

    def _as_shown(self, history: Entries) -> Entries:
        made: list[Any] = []
        for entry in history:
            # Before the results of the same turn that are there already.
            at = len(made)
            while isinstance(entry, Observation) and isinstance(made[at - 1], Observation):
                at -= 1
            made.insert(at, entry)
        return tuple(made)


@mutant("ids-begin-anew-in-every-turn", "TRN-013")
class IdsBeginAnewInEveryTurn(OtherEntriesShown):
    """Numbers the calls of each turn from the first one on."""

    def _as_shown(self, history: Entries) -> Entries:
        numbers: dict[tuple[int, str], int] = {}

        def name(turn: int, call_id: str) -> str:
            in_turn = [key for key in numbers if key[0] == turn]
            return f"call_{numbers.setdefault((turn, call_id), len(in_turn))}"

        return _renamed(history, name)


@mutant("failed-call-hides-the-others", "TRN-013")
class FailedCallHidesTheOthers(OtherEntriesShown):
    """Says of every call of a turn that it failed, if one did."""

    def _as_shown(self, history: Entries) -> Entries:
        failed = any(isinstance(entry, Observation) and entry.is_error for entry in history)
        update = {"value": "Error: a call of this turn failed: no connection"}
        return tuple(e.model_copy(update=update) if failed and isinstance(e, Observation) else e for e in history)


@mutant("parallel-calls-lost-in-the-next-turn", "TRN-013")
class ParallelCallsLostInTheNextTurn(OtherEntriesRead):
    """Keeps one call of every turn for the turns to come."""

    def _taken_in(self, history: Entries) -> Entries:
        kept = [e.tool_calls[0].id for e in history if isinstance(e, Turn)]
        return tuple(
            e.model_copy(update={"tool_calls": e.tool_calls[:1]}) if isinstance(e, Turn) else e
            for e in history
            if not isinstance(e, Observation) or e.tool_call_id in kept
        )


# TRN-014


class _OtherwiseCompacted(TranscriptReAct):
    """Joins the summary and what stays in another way."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        parts = cut(state.history)
        if not isinstance(event, loop.Summarised) or parts is None:
            return following
        return following.model_copy(update={"history": self._joined(parts, Summary(summary=event.text))})

    def _joined(self, parts: Cut, summary: Summary) -> Entries:
        raise NotImplementedError


@mutant("summary-left-out", "TRN-014")
class SummaryLeftOut(_OtherwiseCompacted):
    """Drops older turns without a word."""

    def _joined(self, parts: Cut, summary: Summary) -> Entries:  # noqa: ARG002 - that is what is wrong with it
        return (*parts.before, *parts.after)


@mutant("summary-beside-everything", "TRN-014")
class SummaryBesideEverything(_OtherwiseCompacted):
    """Adds the summary and drops nothing."""

    def _joined(self, parts: Cut, summary: Summary) -> Entries:
        return (*parts.before, *parts.summarised, summary, *parts.after)


@mutant("compaction-drops-antecedents", "TRN-014")
class CompactionDropsAntecedents(_OtherwiseCompacted):
    """Keeps nothing from before the request under way."""

    def _joined(self, parts: Cut, summary: Summary) -> Entries:
        starts = [index for index, entry in enumerate(parts.after) if isinstance(entry, Request)]
        return (summary, *parts.before, *parts.after[starts[-1] if starts else 0 :])


@mutant("compaction-drops-the-turn-under-way", "TRN-014")
class CompactionDropsTheTurnUnderWay(_OtherwiseCompacted):
    """Keeps the request and forgets all that was done for it."""

    def _joined(self, parts: Cut, summary: Summary) -> Entries:
        return (*parts.before, summary, *without(parts.after, Turn, Observation))


@mutant("summary-hidden-from-the-history", "TRN-014")
class SummaryHiddenFromTheHistory(OtherEntriesKept):
    """Shows the summary to the LM, and not to the caller."""

    def _kept(self, history: Entries) -> Entries:
        return without(history, Summary)
