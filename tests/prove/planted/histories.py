"""Faults of `TranscriptReAct`: following up, summarising, saving."""

from typing import Any

import dspy

from react_tck.reference import TranscriptReAct, loop
from react_tck.reference.loop.entries import AssistantTurn, Observation, Request, Summary, turns_of
from react_tck.reference.seams import Beginning, Site
from react_tck.reference.signatures.transcript import HISTORY
from react_tck.reference.signatures.users import DEFAULT_MAX_STEPS
from tests.prove.planted.means import Counting, Following, Recording, Steps, changed, started_with

# ------------------------------------------------------------------ following up


class FollowUpLosesFalsyResults(Following, TranscriptReAct):
    """In a follow-up, results of 0, false or [] of the earlier turns are null."""

    def earlier(self, entry: loop.Entry) -> loop.Entry:
        falsy = isinstance(entry, Observation) and not entry.value and not isinstance(entry.value, str)
        return entry.model_copy(update={"value": None}) if falsy else entry


class FollowUpCountsEarlierTurns(TranscriptReAct):
    """The turns of the history it follows count towards `max_steps`."""

    def _begin_run(self, inputs: dict[str, Any]) -> Beginning:
        beginning = super()._begin_run(inputs)
        earlier = turns_of(beginning.state.history)
        return started_with(beginning, max_steps=max(1, beginning.state.max_steps - earlier))


class FollowUpTrajectoryOfAll(TranscriptReAct):
    """In a follow-up, the trajectory begins with the steps of the earlier turns."""

    def _make_trajectory(self, state: loop.State) -> dict[str, Any]:
        return super()._make_trajectory(state.model_copy(update={"taken": state.history}))


class ThoughtsEmptyOnSecondCall(Counting, Recording, TranscriptReAct):
    """On a second call of an instance, the trajectory's thoughts are empty."""

    def recorded(self, state: loop.State) -> Steps:
        return tuple(changed(step, thought="") if self.calls > 1 else step for step in state.steps)


class FallbackAnswerNotInHistory(TranscriptReAct):
    """Outputs that were asked for since the steps ran out don't stand in the history as the answer."""

    def _advance_state(self, site: Site, event: loop.Event) -> loop.State:
        state = super()._advance_state(site, event)
        if isinstance(event, loop.Answered):
            return state.model_copy(update={"history": state.history[:-1]})
        return state


# ------------------------------------------------------------------ summarising


class SummaryTakesLastTurn(TranscriptReAct):
    """A summary takes the last finished turn as well, to which the user's words may refer."""

    def _advance_state(self, site: Site, event: loop.Event) -> loop.State:
        state = super()._advance_state(site, event)
        if isinstance(event, loop.Summarised):
            starts = [number for number, entry in enumerate(state.history) if isinstance(entry, Request)]
            summary = tuple(entry for entry in state.history if isinstance(entry, Summary))
            return state.model_copy(update={"history": (*summary, *state.history[starts[-1] :])})
        return state


class SummaryKeepsFirstResultOnly(TranscriptReAct):
    """After a summary, the last turn has but the first of its several results."""

    def _advance_state(self, site: Site, event: loop.Event) -> loop.State:
        state = super()._advance_state(site, event)
        if not isinstance(event, loop.Summarised):
            return state
        seen: set[int] = set()
        kept = []
        turn = 0
        for entry in state.history:
            turn += isinstance(entry, AssistantTurn)
            if isinstance(entry, Observation) and turn in seen:
                continue
            if isinstance(entry, Observation):
                seen.add(turn)
            kept.append(entry)
        return state.model_copy(update={"history": tuple(kept)})


class SummaryNotReturned(TranscriptReAct):
    """The summary is shown to the LM, and isn't in the history that is returned."""

    def _make_prediction(self, site: Site, answered: dict[str, Any]) -> dspy.Prediction:
        made = super()._make_prediction(site, answered)
        made[HISTORY] = dspy.History(messages=[each for each in made[HISTORY].messages if HISTORY not in each])
        return made


class SummaryCutsTrajectory(TranscriptReAct):
    """The trajectory has only the steps that a summary has left."""

    def _make_trajectory(self, state: loop.State) -> dict[str, Any]:
        kept = tuple(entry for entry in state.taken if entry in state.history or isinstance(entry, Request))
        return super()._make_trajectory(state.model_copy(update={"taken": kept}))


# ------------------------------------------------------------------ saved programs


class LoadResetsMaxSteps(TranscriptReAct):
    """After loading a saved program, `max_steps` is the default again."""

    def load_state(self, state: dict[str, Any], **options: Any) -> None:
        super().load_state(state, **options)
        self.max_steps = DEFAULT_MAX_STEPS


class LoadLosesAdapter(TranscriptReAct):
    """After loading a saved program, the module's own adapter is gone."""

    def load_state(self, state: dict[str, Any], **options: Any) -> None:
        super().load_state(state, **options)
        self.adapter = None
