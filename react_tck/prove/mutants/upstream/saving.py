"""Violations of saving and loading (SAV-001 to SAV-003)."""

from collections.abc import Callable
from typing import Any

import dspy

from react_tck.prove.mutants.mutant import mutant

_STEP, _EXTRACT = "react", "extract.predict"


def _saved_without(forget: Callable[[dict[str, Any]], None], predictor: str) -> type[Any]:
    """Return a mixin that saves a predictor's state without some of it."""

    def dump_state(self: Any, *args: Any, **options: Any) -> Any:
        state = super(made, self).dump_state(*args, **options)
        if predictor in state:
            forget(state[predictor])
        return state

    made: type[Any] = type("SavesLess", (), {"dump_state": dump_state})
    return made


def _demos(state: dict[str, Any]) -> None:
    state["demos"] = []


def _instructions(state: dict[str, Any]) -> None:
    state["signature"]["instructions"] = "Given the fields, produce the fields."


def _names_saved(self: Any, *args: Any, **options: Any) -> Any:
    state = super(_SAVES_NAMES, self).dump_state(*args, **options)
    state[_EXTRACT]["signature"]["instructions"] += f"\n\nThe tools were {', '.join(self.bound)}."
    return state


_SAVES_NAMES: type[Any] = type("SavesNames", (), {"dump_state": _names_saved})


def _as_a_template(self: Any, *args: Any, **options: Any) -> None:
    super(_LOADS_A_TEMPLATE, self).load_state(*args, **options)
    for predictor in self.predictors():
        instructions = predictor.signature.instructions.replace("\\", "")
        predictor.signature = predictor.signature.with_instructions(instructions)


_LOADS_A_TEMPLATE: type[Any] = type("LoadsATemplate", (), {"load_state": _as_a_template})


MUTANTS = {
    "step-demos-not-saved": mutant(
        "SAV-001", "Saves the step predictor without its demos.", mixin=_saved_without(_demos, _STEP)
    ),
    "extraction-demos-not-saved": mutant(
        "SAV-001", "Saves the extraction without its demos.", mixin=_saved_without(_demos, _EXTRACT)
    ),
    "step-instructions-not-saved": mutant(
        "SAV-001", "Saves the step predictor without its instructions.", mixin=_saved_without(_instructions, _STEP)
    ),
    "native-step-instructions-not-saved": mutant(
        "SAV-001",
        "Saves the predictor of steps that are called natively without its instructions.",
        mixin=_saved_without(_instructions, "native"),
    ),
    "tools-saved": mutant(
        "SAV-002",
        "Describes the tools that it was saved with.",
        mixin=type("LoadsAll", (), {"load_state": dspy.Module.load_state}),
    ),
    "names-of-tools-saved": mutant(
        "SAV-003", "Saves, with the extraction, how its tools are called.", mixin=_SAVES_NAMES
    ),
    "loaded-listing-loses-backslashes": mutant(
        "SAV-002",
        "Reads the list of its tools as a template where it is put into loaded instructions.",
        mixin=_LOADS_A_TEMPLATE,
    ),
}
