"""Faults of `TranscriptReAct`: what is submitted, and several calls a turn."""

from typing import Any

import dspy

from react_tck.model.base import JsonObject
from react_tck.reference import TranscriptReAct, loop
from react_tck.reference.drive import Episode
from react_tck.reference.loop.entries import AssistantTurn, FinalAnswer, Observation
from react_tck.reference.seams import Site

# ------------------------------------------------------------------ submitting


class FalsySubmitMissing(TranscriptReAct):
    """A submit whose output is 0, false, "" or [] is refused as if the output were missing."""

    def _convert_args(self, site: Site, call: loop.Call) -> dict[str, Any]:
        if call.name == loop.SUBMIT:
            given = {name: value for name, value in call.args.items() if value or value is None}
            call = call.model_copy(update={"args": given})
        return super()._convert_args(site, call)


class FalsySubmitNulled(TranscriptReAct):
    """A submitted 0, false or [] is null in the prediction."""

    def _make_prediction(self, site: Site, answered: dict[str, Any]) -> dspy.Prediction:
        made = super()._make_prediction(site, answered)
        for name in self.signature.output_fields:
            made[name] = made[name] if made[name] or isinstance(made[name], str) else None
        return made


class SecondSubmitCompletedFromFirst(TranscriptReAct):
    """A submit after a refused one is completed with what the refused one had."""

    def _convert_args(self, site: Site, call: loop.Call) -> dict[str, Any]:
        if call.name != loop.SUBMIT:
            return super()._convert_args(site, call)
        earlier = [
            each.args
            for entry in site.state.taken
            if isinstance(entry, AssistantTurn)
            for each in entry.tool_calls
            if each.name == loop.SUBMIT and each.id != call.id
        ]
        known: JsonObject = {name: value for args in earlier for name, value in args.items()}
        return super()._convert_args(site, call.model_copy(update={"args": {**known, **call.args}}))


class RefusedSubmitEndsTurn(TranscriptReAct):
    """The calls of a turn that stand after a refused submit don't run."""

    def _advance_state(self, site: Site, event: loop.Event) -> loop.State:
        action = site.state.action
        refused = isinstance(event, loop.ArgsMismatched) and isinstance(action, loop.RunTool)
        if refused and action.call.name == loop.SUBMIT:  # type: ignore[union-attr]
            site.state = site.state.model_copy(update={"pending": ()})
        return super()._advance_state(site, event)


class AsyncSubmitAsksForMore(TranscriptReAct):
    """In an async call whose submit came after a refused one, the outputs are asked for all the same."""

    def _advance_state(self, site: Site, event: loop.Event) -> loop.State:
        before = [entry for entry in site.state.taken if isinstance(entry, Observation) and entry.name == loop.SUBMIT]
        if isinstance(event, loop.Committed) and before and site.mode == "async":
            state = super()._advance_state(site, event)
            kept = tuple(entry for entry in state.history if not isinstance(entry, FinalAnswer))
            return state.model_copy(update={"history": kept, "outputs": None, "action": loop.AskExtraction()})
        return super()._advance_state(site, event)


# ------------------------------------------------------------------ several calls a turn


class ResultsPairedByName(TranscriptReAct):
    """Of two calls of one tool in a turn, both have the second's result in the trajectory."""

    def _make_trajectory(self, state: loop.State) -> dict[str, Any]:
        made = super()._make_trajectory(state)
        for number in range(len(state.steps) - 1):
            here, after = state.steps[number], state.steps[number + 1]
            if here.tool == after.tool and here.thought == after.thought:
                made[f"observation_{number}"] = made[f"observation_{number + 1}"]
        return made


class EqualCallsRunOnce(TranscriptReAct):
    """Of equal calls in one turn the first is run, and its result is told for all."""

    def _use_tool(self, site: Site, call: loop.Call) -> Episode[loop.Event]:
        turn = next(e for e in reversed(site.state.taken) if isinstance(e, AssistantTurn))
        same = [each.id for each in turn.tool_calls if (each.name, each.args) == (call.name, call.args)]
        told = [e for e in site.state.taken if isinstance(e, Observation) and e.tool_call_id in same]
        if told and not told[0].is_error:
            return loop.ToolReturned(observation=told[0].value)
        return (yield from super()._use_tool(site, call))


class UnknownToolEndsTurn(TranscriptReAct):
    """The calls of a turn that stand after one of an unknown tool don't run."""

    def _advance_state(self, site: Site, event: loop.Event) -> loop.State:
        if isinstance(event, loop.StepChosen):
            known = {*self.tools, loop.SUBMIT}
            strange = [number for number, call in enumerate(event.calls) if call.name not in known]
            if strange:
                event = event.model_copy(update={"calls": event.calls[: strange[0] + 1]})
        return super()._advance_state(site, event)


class FailureEndsTurn(TranscriptReAct):
    """The calls of a turn that stand after one that raised don't run."""

    def _advance_state(self, site: Site, event: loop.Event) -> loop.State:
        if isinstance(event, loop.ToolFailed):
            site.state = site.state.model_copy(update={"pending": ()})
        return super()._advance_state(site, event)
