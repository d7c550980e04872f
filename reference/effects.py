"""What a run wants done outside: a predictor asked, a tool run."""

from dataclasses import dataclass
from typing import Any

import dspy

from react_tck.reference.callbacks import told
from react_tck.reference.dspy_tools import bound_of


@dataclass(frozen=True)
class AskPredictor:
    """The effect of asking a predictor, under dspy's settings in force: the adapter, for one (ADP-001, ADP-002)."""

    predictor: Any
    inputs: dict[str, Any]
    settings: dict[str, Any]

    def run(self) -> dspy.Prediction:
        """Ask."""
        with dspy.context(**self.settings):
            return self.predictor(**self.inputs)

    async def arun(self) -> dspy.Prediction:
        """Ask, awaiting."""
        with dspy.context(**self.settings):
            return await self.predictor.acall(**self.inputs)


@dataclass(frozen=True)
class UseTool:
    """The effect of running a tool, with args that are converted; dspy's callbacks are told of it (OBS-001)."""

    tool: dspy.Tool
    args: dict[str, Any]

    def run(self) -> Any:
        """Run it."""
        with told(self.tool, self.args) as tell:
            return tell(bound_of(self.tool).invoke(self.args))

    async def arun(self) -> Any:
        """Run it, awaiting."""
        with told(self.tool, self.args) as tell:
            return tell(await bound_of(self.tool).ainvoke(self.args))
