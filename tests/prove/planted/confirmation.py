"""Faults of calls that wait for a person: what is agreed to, and what a resumed call remembers."""

from typing import Any

import dspy

from react_tck.reference import ConfirmationRequired, ReAct, TranscriptReAct, loop
from react_tck.reference.confirmation import CLARIFY, CONFIRMATIONS
from react_tck.reference.drive import Episode
from react_tck.reference.loop.entries import AssistantTurn, Observation, replace_call
from react_tck.reference.loop.views.trajectory import as_mapping
from react_tck.reference.seams import Beginning, Site
from tests.prove.planted.means import Deciding, changed, replace_state, started_with


class AgreementOutlivesFailure(ReAct):
    """When a call that was agreed to fails, the next call of the tool runs without asking."""

    def _advance_state(self, site: Site, event: loop.Event) -> loop.State:
        state = super()._advance_state(site, event)
        if not isinstance(state.action, loop.AwaitResponse):
            return state
        call, last = state.action.call, site.state.steps[-1:]
        agreed = last and last[0].tool == call.name and str(last[0].observation).startswith("Error executing")
        if agreed:
            return state.model_copy(update={"action": loop.RunTool(call=call), "pending": state.pending[1:]})
        return state


class AgreementOutlivesFailedRun(ReAct):
    """When a resumed run ends in an error, the tool that was agreed to runs without asking in the next call."""

    agreed = ""

    def _begin_resumption(self, mode: Any, said: str, saved: ConfirmationRequired) -> Episode[dspy.Prediction]:
        self.agreed = saved.tool_call.name if saved.tool_call and said.strip().lower() in ("yes", "y") else ""
        prediction = yield from super()._begin_resumption(mode, said, saved)
        self.agreed = ""
        return prediction

    def _begin_run(self, inputs: dict[str, Any]) -> Beginning:
        made = super()._begin_run(inputs)
        awaited = tuple(name for name in made.state.awaited if name != self.agreed)
        return started_with(made, awaited=awaited)


class EmptyEditKeepsArgs(Deciding, ReAct):
    """An edit whose args are empty runs with the args that the LM gave."""

    def decided(self, event: loop.Event, call: loop.Call) -> loop.Event:
        if isinstance(event, loop.Approved) and not event.args:
            return event.model_copy(update={"args": call.args})
        return event


class EditMergedWithArgs(Deciding, ReAct):
    """An edit's args are laid over those that the LM gave, so that none can be taken away."""

    def decided(self, event: loop.Event, call: loop.Call) -> loop.Event:
        if isinstance(event, loop.Approved):
            return event.model_copy(update={"args": {**call.args, **event.args}})
        return event


class EditNotRecorded(ReAct):
    """After an edit of the args the trajectory has those that the LM gave."""

    def _advance_state(self, site: Site, event: loop.Event) -> loop.State:
        action = site.state.action
        state = super()._advance_state(site, event)
        if isinstance(event, loop.Approved) and isinstance(action, loop.AwaitResponse):
            return state.model_copy(update={"taken": replace_call(state.taken, action.call)})
        return state


class FeedbackInLowerCase(Deciding, ReAct):
    """Feedback reaches the agent in lower case."""

    def decided(self, event: loop.Event, call: loop.Call) -> loop.Event:
        if isinstance(event, loop.Declined) and call.name != CLARIFY and self.said in str(event.observation):
            return loop.Declined(observation=str(event.observation).lower())
        return event


class ClarificationTakenForConsent(Deciding, ReAct):
    """The answer "no" to a question of the agent's is told as a rejection."""

    def decided(self, event: loop.Event, call: loop.Call) -> loop.Event:
        if call.name == CLARIFY and self.said.strip().lower() in ("no", "n"):
            return loop.Declined(observation=f"The user rejected the execution of {call.name}.")
        return event


class AsyncYesAgreesForAll(TranscriptReAct):
    """On an async `yes`, the other calls of the turn that wait run as well."""

    def _advance_state(self, site: Site, event: loop.Event) -> loop.State:
        if isinstance(event, loop.Approved) and site.mode == "async":
            site.state = site.state.model_copy(update={"awaited": ()})
        return super()._advance_state(site, event)


class AsyncYesAgreesForAllSteps(ReAct):
    """On an async `yes`, the later calls of the tool in this run don't wait."""

    def _advance_state(self, site: Site, event: loop.Event) -> loop.State:
        if isinstance(event, loop.Approved) and site.mode == "async":
            site.state = site.state.model_copy(update={"awaited": ()})
        return super()._advance_state(site, event)


class ResumeForgetsMaxSteps(ReAct):
    """A resumed call has the constructed `max_steps`, not its own."""

    def _reopen_run(self, site: Site, said: str, saved: ConfirmationRequired) -> Beginning:
        return started_with(super()._reopen_run(site, said, saved), max_steps=self.max_steps)


class ResumeStripsInputs(ReAct):
    """A resumed call's text inputs are without the white space around them."""

    def _reopen_run(self, site: Site, said: str, saved: ConfirmationRequired) -> Beginning:
        made = super()._reopen_run(site, said, saved)
        return made._replace(inputs={n: v.strip() if isinstance(v, str) else v for n, v in made.inputs.items()})


class ResumeForgetsThoughts(ReAct):
    """The thoughts of the steps before a suspension are empty after it, but for the suspended one."""

    def _reopen_run(self, site: Site, said: str, saved: ConfirmationRequired) -> Beginning:
        made = super()._reopen_run(site, said, saved)
        turns = [entry for entry in made.state.taken if isinstance(entry, AssistantTurn)]
        emptied = tuple(
            entry.model_copy(update={"thought": ""}) if entry in turns[:-1] else entry for entry in made.state.taken
        )
        return started_with(made, taken=emptied)


class ResumeNullsFalsyResults(ReAct):
    """Results of 0, false or [] from before a suspension are null after it."""

    def _reopen_run(self, site: Site, said: str, saved: ConfirmationRequired) -> Beginning:
        made = super()._reopen_run(site, said, saved)
        nulled = tuple(
            entry.model_copy(update={"value": entry.value or None}) if isinstance(entry, Observation) else entry
            for entry in made.state.taken
        )
        return started_with(made, taken=nulled)


class RejectionCostsNoStep(ReAct):
    """A call that was rejected doesn't count towards `max_steps`."""

    def _reopen_run(self, site: Site, said: str, saved: ConfirmationRequired) -> Beginning:
        made = super()._reopen_run(site, said, saved)
        if said.strip().lower() in ("no", "n"):
            allowed = made.state.model_copy(update={"max_steps": made.state.max_steps + 1, "action": loop.AskStep()})
            return replace_state(made, allowed)
        return made


class AsyncResumeRunsAgain(TranscriptReAct):
    """On an async resumption, the calls of the turn that had run before the suspension run again."""

    def _begin_resumption(self, mode: Any, said: str, saved: ConfirmationRequired) -> Episode[dspy.Prediction]:
        site = self._make_site(mode, {})
        beginning = self._reopen_run(site, said, saved)
        if mode == "async":
            turn = [e for e in beginning.state.taken if isinstance(e, AssistantTurn)][-1]
            told = {e.tool_call_id for e in beginning.state.taken if isinstance(e, Observation)}
            for call in turn.tool_calls:
                if (
                    call.id in told
                    and call.name in self.tools
                    and saved.tool_call
                    and call.name != saved.tool_call.name
                ):
                    yield from self._use_tool(site, call)
        return (yield from self._run_episode(site, beginning))


class FailedResumeMayBeRepeated(ReAct):
    """When a resumed run ends in an error, its confirmation can be responded to once more."""

    def _begin_resumption(self, mode: Any, said: str, saved: ConfirmationRequired) -> Episode[dspy.Prediction]:
        try:
            return (yield from super()._begin_resumption(mode, said, saved))
        except (ConfirmationRequired, ValueError):
            raise
        except Exception:
            CONFIRMATIONS.record_question(saved.confirmation_id)
            raise


class SecondSuspensionForgetsSteps(ReAct):
    """When a run is suspended a second time, its context lacks the steps from before the first."""

    def _describe_context(self, site: Site) -> dict[str, Any]:
        made = super()._describe_context(site)
        awaited = [number for number, step in enumerate(site.state.steps) if step.tool in site.state.awaited]
        if awaited:
            made["trajectory"] = as_mapping(site.state.steps[awaited[0] :])
        return made


class DeclinedCallLosesArgs(ReAct):
    """A call that was rejected or commented on is recorded without its args."""

    def _make_trajectory(self, state: loop.State) -> dict[str, Any]:
        marks = ("The user rejected", f"{state.awaited[0] if state.awaited else ''} was not executed")
        return as_mapping(
            tuple(changed(step, args={}) if str(step.observation).startswith(marks) else step for step in state.steps)
        )


class StatusOfFailureIsPending(ReAct):
    """When the call that was agreed to raises, its confirmation counts as pending again."""

    agreed = ""

    def _reopen_run(self, site: Site, said: str, saved: ConfirmationRequired) -> Beginning:
        self.agreed = saved.confirmation_id
        return super()._reopen_run(site, said, saved)

    def _advance_state(self, site: Site, event: loop.Event) -> loop.State:
        if isinstance(event, loop.ToolFailed) and self.agreed:
            CONFIRMATIONS.record_question(self.agreed)
        return super()._advance_state(site, event)
