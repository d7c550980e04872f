"""Faults of `UdspyReAct`: native calls, and the trajectory of udspy."""

from typing import Any

import dspy

from react_tck.reference import UdspyReAct, loop
from react_tck.reference.seams import Site
from tests.prove.planted.means import Counting


class NativeThoughtLostOnSecondCall(Counting, UdspyReAct):
    """On a second call of an instance, the reasoning of native steps isn't recorded."""

    def _read_reply(self, site: Site, reply: dspy.Prediction) -> loop.Event:
        event = super()._read_reply(site, reply)
        if self.calls > 1 and site.prompt.predictor == "native" and isinstance(event, loop.StepChosen):
            return event.model_copy(update={"thought": ""})
        return event


class NativeErrorsOtherwise(UdspyReAct):
    """With native calls, a tool's error is told as `Error: …`."""

    def _make_trajectory(self, state: loop.State) -> dict[str, Any]:
        made = super()._make_trajectory(state)
        if not getattr(self.adapter or dspy.settings.adapter, "use_native_function_calling", False):
            return made
        for key, value in made.items():
            if key.startswith("observation") and str(value).startswith("Error executing"):
                made[key] = f"Error: {value.partition(': ')[2]}"
        return made


class AsyncFinishNotRecorded(UdspyReAct):
    """In async calls, the step that finishes isn't in the trajectory."""

    mode = "sync"

    def _make_site(self, mode: Any, inputs: dict[str, Any]) -> Site:
        self.mode = mode
        return super()._make_site(mode, inputs)

    def _make_trajectory(self, state: loop.State) -> dict[str, Any]:
        cut = self.mode == "async" and state.finished
        return super()._make_trajectory(state.model_copy(update={"taken": state.taken[:-2]}) if cut else state)


class FalsyObservationsBlank(UdspyReAct):
    """A result of 0, false or [] is recorded as an empty text."""

    def _make_trajectory(self, state: loop.State) -> dict[str, Any]:
        made = super()._make_trajectory(state)
        for number, step in enumerate(state.steps):
            if not step.observation:
                made[f"observation_{number}"] = ""
        return made
