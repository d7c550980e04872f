"""What mutants share that return another trajectory than the one there is."""

from typing import Any

import dspy

from react_tck.reference import loop
from react_tck.reference.react import ReAct
from react_tck.reference.trajectory import as_mapping


class Retold(ReAct):
    """Returns another trajectory than the one there is; `_retold` makes it."""

    def _prediction(self, state: loop.State, reply: dspy.Prediction) -> dspy.Prediction:
        prediction = super()._prediction(state, reply)
        prediction["trajectory"] = self._retold(state)
        return prediction

    def _retold(self, state: loop.State) -> Any:
        return as_mapping(self._steps(state))

    def _steps(self, state: loop.State) -> tuple[loop.Step, ...]:
        return state.steps
