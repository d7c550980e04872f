"""What several faults are planted with: each a place of the reference's classes, named by what passes there."""

from typing import Any

import dspy

from react_tck.reference import ConfirmationRequired, ConversationReAct, loop
from react_tck.reference.loop.views.trajectory import Step, as_mapping, as_text
from react_tck.reference.module import LoopModule
from react_tck.reference.seams import Beginning, Prompt, Site
from react_tck.reference.signatures.conversation import HISTORY
from react_tck.reference.signatures.react import TRAJECTORY

Steps = tuple[Step, ...]
Exchanges = list[dict[str, Any]]


class Counting(LoopModule):
    """Knows how many calls there have been, this one included."""

    calls = 0

    def _begin_run(self, inputs: dict[str, Any]) -> Beginning:
        self.calls += 1
        return super()._begin_run(inputs)


class Recording(LoopModule):
    """Returns other steps than were taken."""

    def recorded(self, state: loop.State) -> Steps:
        """The steps as the caller gets them."""
        return state.steps

    def _make_trajectory(self, state: loop.State) -> dict[str, Any]:
        return as_mapping(self.recorded(state))


class Showing(LoopModule):
    """Shows the LM other steps than were taken."""

    def visible(self, state: loop.State, prompt: Prompt) -> Steps:
        """The steps as the LM reads them."""
        raise NotImplementedError

    def _make_prompt(self, state: loop.State, action: loop.Action, inputs: dict[str, Any]) -> Prompt:
        prompt = super()._make_prompt(state, action, inputs)
        steps = as_text(as_mapping(self.visible(state, prompt)))
        return prompt._replace(inputs={**prompt.inputs, TRAJECTORY: steps})


def changed(step: Step, **values: Any) -> Step:
    """The step with other values."""
    return step.model_copy(update=values)


def failed(step: Step) -> bool:
    """Whether the step's observation is the reference's word for a call that failed."""
    return isinstance(step.observation, str) and step.observation.startswith("Error")


def started_with(beginning: Beginning, **values: Any) -> Beginning:
    """The beginning of a call with other values in its state."""
    return replace_state(beginning, beginning.state.model_copy(update=values))


def replace_state(beginning: Beginning, state: loop.State) -> Beginning:
    """The beginning with another state."""
    return beginning._replace(state=state)


class Remembering(ConversationReAct):
    """Shows other earlier exchanges than there were: those of the conversation, and those of this call."""

    def earlier(self, exchanges: Exchanges, known: int) -> Exchanges:
        """The exchanges as shown, of which so many are of earlier calls."""
        raise NotImplementedError

    def _make_prompt(self, state: loop.State, action: loop.Action, inputs: dict[str, Any]) -> Prompt:
        prompt = super()._make_prompt(state, action, inputs)
        known = len(inputs[self.history_field_name].messages)
        shown = self.earlier([dict(each) for each in prompt.inputs[HISTORY].messages], known)
        return prompt._replace(inputs={**prompt.inputs, HISTORY: dspy.History(messages=shown)})


class Deciding(LoopModule):
    """Makes something else of a person's response."""

    said = ""

    def decided(self, event: loop.Event, call: loop.Call) -> loop.Event:
        """What comes of the call that waited."""
        raise NotImplementedError

    def _reopen_run(self, site: Site, said: str, saved: ConfirmationRequired) -> Beginning:
        self.said = said
        return super()._reopen_run(site, said, saved)

    def _advance_state(self, site: Site, event: loop.Event) -> loop.State:
        action = site.state.action
        made = self.decided(event, action.call) if isinstance(action, loop.AwaitResponse) else event
        return super()._advance_state(site, made)


class Following(LoopModule):
    """Changes the entries of the history that a call follows."""

    def earlier(self, entry: loop.Entry) -> loop.Entry:
        """An entry of the history as the call has it."""
        return entry

    def _begin_run(self, inputs: dict[str, Any]) -> Beginning:
        beginning = super()._begin_run(inputs)
        own = beginning.state.taken
        before = beginning.state.history[: len(beginning.state.history) - len(own)]
        return started_with(beginning, history=(*map(self.earlier, before), *own))
