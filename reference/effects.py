"""What a run wants done outside: a predictor asked, a tool run."""

from dataclasses import dataclass
from typing import Any

import dspy

from react_tck.reference.dspy_tools import bound_of, has_own_call, notify_callbacks
from react_tck.reference.loop.entries import as_json


@dataclass(frozen=True)
class AskPredictor:
    """The effect of asking a predictor, under dspy's settings in force: the adapter, for one (ADP-001, ADP-002)."""

    predictor: Any
    inputs: dict[str, Any]
    settings: dict[str, Any]

    def run(self) -> dspy.Prediction:
        """Call the predictor in this thread, and give back its prediction."""
        with dspy.context(**self.settings):
            return self.predictor(**self.inputs)

    async def arun(self) -> dspy.Prediction:
        """Call the predictor without blocking the event loop, and give back its prediction."""
        with dspy.context(**self.settings):
            return await self.predictor.acall(**self.inputs)


@dataclass(frozen=True)
class UseTool:
    """The effect of running a tool, with args that are converted; dspy's callbacks are told of it (OBS-001).

    A tool of a class of the user's, with a call of its own, is called by that, which tells them itself.
    """

    tool: dspy.Tool
    args: dict[str, Any]

    def run(self) -> Any:
        """Run the tool in this thread, and give back what it returned; raises what the tool raises."""
        if has_own_call(self.tool, "__call__"):
            return self.tool(**as_json(self.args))
        with notify_callbacks(self.tool, self.args) as tell:
            return tell(bound_of(self.tool).invoke(self.args))

    async def arun(self) -> Any:
        """Run the tool without blocking the event loop; result and errors as those of `run`."""
        if has_own_call(self.tool, "acall"):
            return await self.tool.acall(**as_json(self.args))
        with notify_callbacks(self.tool, self.args) as tell:
            return tell(await bound_of(self.tool).ainvoke(self.args))
