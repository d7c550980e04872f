"""Faults of `ReAct` in what it runs, with which args, and when it ends."""

from typing import Any

import dspy

from react_tck.reference import ReAct, loop
from react_tck.reference.drive import Episode, EpisodeFailed
from react_tck.reference.seams import Site
from tests.prove.planted.means import failed

# ------------------------------------------------------------------ what is run, and with what
from tests.prove.planted.values import as_numbers, composed, without_nulls


class FailedCallNotRepeated(ReAct):
    """A call that failed is not run again with the same args: the LM is told the old error."""

    def _use_tool(self, site: Site, call: loop.Call) -> Episode[loop.Event]:
        same = [s for s in site.state.steps if (s.tool, s.args) == (call.name, call.args) and failed(s)]
        if same:
            return loop.ToolFailed(reason=str(same[-1].observation).partition(": ")[2])
        return (yield from super()._use_tool(site, call))


class ResultsKeptFromCallToCall(ReAct):
    """A call of a tool that an earlier call of the instance made with these args is answered from there."""

    def _use_tool(self, site: Site, call: loop.Call) -> Episode[loop.Event]:
        kept: dict[str, tuple[Site, loop.Event]] = site.memory.setdefault("earlier", {})
        key = f"{call.name} {call.args}"
        if key in kept and kept[key][0] is not site:
            return kept[key][1]
        event = yield from super()._use_tool(site, call)
        kept[key] = site, event
        return event


class ThirdCallKeepsSecondsArgs(ReAct):
    """A tool called three times in a row gets the second call's args the third time."""

    def _use_tool(self, site: Site, call: loop.Call) -> Episode[loop.Event]:
        before = site.state.steps[-2:]
        if len(before) == 2 and all(step.tool == call.name for step in before):
            call = call.model_copy(update={"args": before[-1].args})
        return (yield from super()._use_tool(site, call))


class ExplicitNullTakenForDefault(ReAct):
    """An arg that the LM gives as null isn't passed on, so that the tool's default holds."""

    def _convert_args(self, site: Site, call: loop.Call) -> dict[str, Any]:
        return {name: value for name, value in super()._convert_args(site, call).items() if value is not None}


class NestedNullDropped(ReAct):
    """Keys of nested args are dropped where they are null."""

    def _convert_args(self, site: Site, call: loop.Call) -> dict[str, Any]:
        return {name: without_nulls(value) for name, value in super()._convert_args(site, call).items()}


class NestedTruthAsNumber(ReAct):
    """`true` and `false` within a list of args arrive as 1 and 0."""

    def _convert_args(self, site: Site, call: loop.Call) -> dict[str, Any]:
        return {name: as_numbers(value) for name, value in super()._convert_args(site, call).items()}


class ArgsComposed(ReAct):
    """Text args arrive in composed characters, whatever the LM wrote."""

    def _convert_args(self, site: Site, call: loop.Call) -> dict[str, Any]:
        return {name: composed(value) for name, value in super()._convert_args(site, call).items()}


class AsyncFailuresTriedAgain(ReAct):
    """In an async call, a tool that raises is run once more."""

    def _use_tool(self, site: Site, call: loop.Call) -> Episode[loop.Event]:
        event = yield from super()._use_tool(site, call)
        if isinstance(event, loop.ToolFailed) and site.mode == "async" and call.name in self.tools:
            event = yield from super()._use_tool(site, call)
        return event


class ErrorsFirstLineOnly(ReAct):
    """Of an error of several lines the LM is told the first."""

    def _use_tool(self, site: Site, call: loop.Call) -> Episode[loop.Event]:
        event = yield from super()._use_tool(site, call)
        if isinstance(event, loop.ToolFailed):
            return loop.ToolFailed(reason=event.reason.partition("\n")[0])
        return event


# ------------------------------------------------------------------ when it goes on, and when it ends


class AsyncMaxStepsStays(ReAct):
    """`max_steps` given to an async call holds for the calls after it, too."""

    async def aforward(self, **inputs: Any) -> dspy.Prediction:
        self.max_steps = inputs.get("max_steps", inputs.get("max_iters", self.max_steps))
        return await super().aforward(**inputs)


class AsyncIgnoresMaxSteps(ReAct):
    """`max_steps` given to an async call is ignored."""

    async def aforward(self, **inputs: Any) -> dspy.Prediction:
        own = {name: value for name, value in inputs.items() if name not in ("max_steps", "max_iters")}
        return await super().aforward(**own)


class MaxStepsOnTheInstance(ReAct):
    """`max_steps` of a call is put on the instance while it runs, where calls at once find it."""

    async def aforward(self, **inputs: Any) -> dspy.Prediction:
        before, given = self.max_steps, inputs.get("max_steps", inputs.get("max_iters"))
        self.max_steps = before if given is None else given
        try:
            return await super().aforward(**inputs)
        finally:
            self.max_steps = before

    def forward(self, **inputs: Any) -> dspy.Prediction:
        before, given = self.max_steps, inputs.get("max_steps", inputs.get("max_iters"))
        self.max_steps = before if given is None else given
        try:
            return super().forward(**inputs)
        finally:
            self.max_steps = before


class UnknownToolCostsNoStep(ReAct):
    """A step that names an unknown tool doesn't count towards `max_steps`, the first time."""

    def _advance_state(self, site: Site, event: loop.Event) -> loop.State:
        if isinstance(event, loop.StepChosen) and event.calls[0].name not in {*self.tools, "finish"}:
            told = any(step.tool not in {*self.tools, "finish"} for step in site.state.steps)
            if not told:
                site.state = site.state.model_copy(update={"max_steps": site.state.max_steps + 1})
        return super()._advance_state(site, event)


class FinishAfterUnknownToolIgnored(ReAct):
    """A `finish` right after a step with an unknown tool is taken for another mistake."""

    def _advance_state(self, site: Site, event: loop.Event) -> loop.State:
        last = site.state.steps[-1:] if isinstance(event, loop.StepChosen) else ()
        if last and last[0].tool not in self.tools and event.calls[0].name == "finish":  # type: ignore[union-attr]
            event = loop.StepMalformed(reason="finish is too early")
        return super()._advance_state(site, event)


class FailureOnLastStepIsFatal(ReAct):
    """A tool that fails on the last step ends the run with an error, though extraction was due."""

    def _advance_state(self, site: Site, event: loop.Event) -> loop.State:
        state = super()._advance_state(site, event)
        if isinstance(event, loop.ToolFailed) and isinstance(state.action, loop.AskExtraction):
            raise EpisodeFailed(event.reason)
        return state


class UnknownToolFinishes(ReAct):
    """An unknown tool on the step after a failure is taken for `finish`."""

    def _advance_state(self, site: Site, event: loop.Event) -> loop.State:
        last = site.state.steps[-1:]
        if isinstance(event, loop.StepChosen) and last and str(last[0].observation).startswith("Error"):
            calls = tuple(
                call if call.name in self.tools else call.model_copy(update={"name": "finish", "args": {}})
                for call in event.calls
            )
            event = event.model_copy(update={"calls": calls})
        return super()._advance_state(site, event)
