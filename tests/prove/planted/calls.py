"""Faults of `ReAct` between calls, with adapters, histories and saved programs, and in its answers."""

from typing import Any

import dspy

from react_tck.reference import ReAct, loop
from react_tck.reference.drive import Episode
from react_tck.reference.loop.entries import AssistantTurn
from react_tck.reference.seams import Beginning, Prompt, Site
from react_tck.reference.signatures.users import history_field
from tests.prove.planted.means import Counting, started_with
from tests.prove.planted.values import once


class ModuleAdapterForgotten(Counting, ReAct):
    """On a second call, the extraction goes by the global adapter though the module has its own."""

    def _choose_adapter(self, prompt: Prompt) -> dspy.Adapter:
        own = self.adapter
        if self.calls > 1 and prompt.phase == "extraction":
            self.adapter = None
        try:
            return super()._choose_adapter(prompt)
        finally:
            self.adapter = own


class JsonAfterMalformed(ReAct):
    """After a reply that couldn't be read, the rest of the call goes by the JSON adapter."""

    def _make_prompt(self, state: loop.State, action: loop.Action, inputs: dict[str, Any]) -> Prompt:
        self.in_json = any(not step.tool for step in state.steps)
        return super()._make_prompt(state, action, inputs)

    def _choose_adapter(self, prompt: Prompt) -> dspy.Adapter:
        adapter = super()._choose_adapter(prompt)
        return dspy.JSONAdapter() if self.in_json else adapter


class FirstCallsHistoryShown(ReAct):
    """The history of the first call is shown in the later ones, too."""

    def _begin_run(self, inputs: dict[str, Any]) -> Beginning:
        beginning = super()._begin_run(inputs)
        if name := history_field(self.signature):
            first = self._memory.setdefault("history", beginning.inputs[name])
            return beginning._replace(inputs={**beginning.inputs, name: first})
        return beginning


class HistoryLostAfterFault(ReAct):
    """After a call that the LM failed, the next call's history isn't shown."""

    failed = False

    def _begin_call(self, mode: Any, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        name = history_field(self.signature)
        if self.failed and name:
            inputs = {**inputs, name: dspy.History(messages=[])}
        self.failed = True
        prediction = yield from super()._begin_call(mode, inputs)
        self.failed = False
        return prediction


class StepsKeptAfterFault(ReAct):
    """After a call that ended in an error, the next one begins with the steps of that one."""

    def _begin_call(self, mode: Any, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        prediction = yield from super()._begin_call(mode, inputs)
        self._memory.clear()
        return prediction

    def _advance_state(self, site: Site, event: loop.Event) -> loop.State:
        state = super()._advance_state(site, event)
        site.memory["entries"] = state.taken[1:]
        return state

    def _begin_run(self, inputs: dict[str, Any]) -> Beginning:
        beginning = super()._begin_run(inputs)
        kept = self._memory.get("entries", ())
        if kept and not isinstance(kept[-1], AssistantTurn):
            return started_with(beginning, taken=(*beginning.state.taken, *kept))
        return beginning


class HistoryAppendedTo(ReAct):
    """In async calls, the question and the answer are appended to the caller's history."""

    async def aforward(self, **inputs: Any) -> dspy.Prediction:
        prediction = await super().aforward(**inputs)
        if name := history_field(self.signature):
            asked = {field: value for field, value in inputs.items() if field != name}
            inputs[name].messages.append({**asked, **{out: prediction[out] for out in self.signature.output_fields}})
        return prediction


class DemosLostOnLoad(ReAct):
    """A saved program's demos are loaded for the steps only."""

    def load_state(self, state: dict[str, Any], **options: Any) -> None:
        super().load_state(state, **options)
        self.extract.predictors()[0].demos = []


class FalsyOutputsNulled(ReAct):
    """An answer of 0, false or [] is returned as null."""

    def _make_prediction(self, site: Site, answered: dict[str, Any]) -> dspy.Prediction:
        nulled = {name: value if value or isinstance(value, str) else None for name, value in answered.items()}
        return super()._make_prediction(site, nulled)


class EqualItemsOfAnswersMerged(ReAct):
    """A list among the outputs is returned without the items it has twice."""

    def _make_prediction(self, site: Site, answered: dict[str, Any]) -> dspy.Prediction:
        return super()._make_prediction(site, {name: once(value) for name, value in answered.items()})


class AnswersStripped(ReAct):
    """Texts in a list among the outputs are returned without the white space around them."""

    def _make_prediction(self, site: Site, answered: dict[str, Any]) -> dspy.Prediction:
        stripped = {
            name: [item.strip() if isinstance(item, str) else item for item in value]
            if isinstance(value, list)
            else value
            for name, value in answered.items()
        }
        return super()._make_prediction(site, stripped)
