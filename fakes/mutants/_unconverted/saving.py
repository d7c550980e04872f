"""Violations of saving and loading (SAV-001)."""

from typing import Any

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference.react import ReAct

_EXTRACT = "extract.predict"
_STEP = "react"


class _Forgetful(ReAct):
    """Saves a predictor's state without some of it."""

    predictor: str

    def dump_state(self, *args: Any, **options: Any) -> Any:
        """The state, with a part of it forgotten."""
        state = super().dump_state(*args, **options)
        self._forget(state[self.predictor])
        return state

    def _forget(self, state: dict[str, Any]) -> None:
        state["demos"] = []


class _WithoutInstructions(_Forgetful):
    def _forget(self, state: dict[str, Any]) -> None:
        state["signature"]["instructions"] = "Given the fields, produce the fields."


@mutant("step-demos-not-saved", "SAV-001")
class StepDemosNotSaved(_Forgetful):
    """Saves the step predictor without its demos."""

    predictor = _STEP


@mutant("extraction-demos-not-saved", "SAV-001")
class ExtractionDemosNotSaved(_Forgetful):
    """Saves the extraction without its demos."""

    predictor = _EXTRACT


@mutant("step-instructions-not-saved", "SAV-001")
class StepInstructionsNotSaved(_WithoutInstructions):
    """Saves the step predictor without its instructions."""

    predictor = _STEP


@mutant("extraction-instructions-not-saved", "SAV-001")
class ExtractionInstructionsNotSaved(_WithoutInstructions):
    """Saves the extraction without its instructions."""

    predictor = _EXTRACT


@mutant("state-not-loaded", "SAV-001")
class StateNotLoaded(ReAct):
    """Loads nothing of what was saved."""

    def load_state(self, *args: Any, **options: Any) -> None:
        """Nothing."""
