"""Faults of `ConversationReAct`: what is kept of a conversation, and what becomes of it on a later call."""

from itertools import pairwise
from typing import Any

import dspy

from react_tck.reference import ConversationReAct, loop
from react_tck.reference.loop.views.conversation import TOOL_RESULT, UNREADABLE
from react_tck.reference.seams import Beginning, Site
from react_tck.reference.signatures.conversation import HISTORY
from tests.prove.planted.means import Counting, Exchanges, Recording, Remembering, Steps, changed


class ConversationLosesFalsyResults(Remembering):
    """In a follow-up, results of 0, false or [] of the earlier call are blank."""

    def earlier(self, exchanges: Exchanges, known: int) -> Exchanges:
        for each in exchanges[:known]:
            if each.get(TOOL_RESULT) in ("0", "false", "[]", "{}", "null"):
                each[TOOL_RESULT] = ""
        return exchanges


class ConversationLosesThoughts(Remembering):
    """In a follow-up, the reasoning of the earlier call's steps is empty."""

    def earlier(self, exchanges: Exchanges, known: int) -> Exchanges:
        for each in exchanges[:known]:
            if each.get("tool_name"):
                each["reasoning"] = ""
        return exchanges


class MalformedReplyForgetsConversation(Remembering):
    """Once a reply couldn't be read, the earlier calls' exchanges are no longer shown."""

    def earlier(self, exchanges: Exchanges, known: int) -> Exchanges:
        unread = any(each.get("tool_name") == UNREADABLE for each in exchanges[known:])
        return exchanges[known:] if unread else exchanges


class ConversationUnknownToolUnreadable(Remembering):
    """The step that named an unknown tool stands in the conversation as one that couldn't be read."""

    def earlier(self, exchanges: Exchanges, known: int) -> Exchanges:
        for each in exchanges:
            if "tool_name" in each and each["tool_name"] not in {*self.tools, "finish"}:
                each["tool_name"] = UNREADABLE
        return exchanges


class ResponseLost(Remembering):
    """What the agent said to the user while it called a tool is blank when that tool failed."""

    def earlier(self, exchanges: Exchanges, known: int) -> Exchanges:
        for each, after in pairwise(exchanges):
            if str(after.get(TOOL_RESULT, "")).startswith("Error"):
                each["response"] = ""
        return exchanges


class InterruptionForgotten(ConversationReAct):
    """After a call that was interrupted, the next one sees its steps, and not that it was."""

    def _make_prediction(self, site: Site, answered: dict[str, Any]) -> dspy.Prediction:
        made = super()._make_prediction(site, answered)
        if site.prompt.predictor == "interrupted":
            made[HISTORY] = dspy.History(messages=made[HISTORY].messages[:-1])
        return made


class HistoryGrowsInPlace(ConversationReAct):
    """The caller's history gets this call's exchanges, beside the one that is returned."""

    def _make_prediction(self, site: Site, answered: dict[str, Any]) -> dspy.Prediction:
        made = super()._make_prediction(site, answered)
        given = site.inputs.get(HISTORY)
        if isinstance(given, dspy.History) and given.messages:
            given.messages[:] = made[HISTORY].messages
        return made


class ConversationKeepsMaxSteps(ConversationReAct):
    """`max_steps` given to an async call holds for the calls after it, too."""

    async def aforward(self, **inputs: Any) -> dspy.Prediction:
        self.max_steps = inputs.get("max_steps", inputs.get("max_iters", self.max_steps))
        return await super().aforward(**inputs)


class ConversationCountsEarlierSteps(ConversationReAct):
    """The steps of the conversation so far count towards `max_steps`."""

    def _begin_run(self, inputs: dict[str, Any]) -> Beginning:
        made = super()._begin_run(inputs)
        earlier = sum(
            1 for each in made.inputs[self.history_field_name].messages if each.get("tool_name") not in (None, "finish")
        )
        left = max(1, made.state.max_steps - earlier)
        return made._replace(state=made.state.model_copy(update={"max_steps": left}))


class ConversationThoughtsLostOnSecondCall(Counting, Recording, ConversationReAct):
    """On a second call of an instance, the trajectory's thoughts are empty."""

    def recorded(self, state: loop.State) -> Steps:
        return tuple(changed(step, thought="") if self.calls > 1 else step for step in state.steps)
