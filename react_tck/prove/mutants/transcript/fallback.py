"""Violations around the end of a run that didn't submit, and around saved programs: TRN-006 and TRN-011."""

from typing import Any

import dspy

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.runs import raised, raised_at_the_end, then
from react_tck.prove.mutants.operators.views import (
    transcribing,
)
from react_tck.reference import loop
from react_tck.reference.seams import Site

# TRN-006


def _raise_after_a_refusal(site: Site, event: loop.Event, following: loop.State) -> loop.State:
    is_submit = isinstance(site.state.action, loop.RunTool) and site.state.action.call.name == loop.SUBMIT
    was_refused = is_submit and isinstance(event, loop.ToolFailed | loop.ArgsMismatched)
    if isinstance(following.action, loop.AskExtraction) and was_refused:
        raise ValueError("the outputs were refused")
    return following


# TRN-011


class _Toolless(dspy.Module):
    """Has no tools once it is loaded."""

    def load_state(self, state: dict[str, Any], **options: Any) -> None:
        super().load_state(state, **options)
        self.tools: dict[str, Any] = {}


def _keeping_instructions(name: str) -> type[Any]:
    """What a predictor is told isn't loaded."""

    class Keeping(dspy.Module):
        def load_state(self, state: dict[str, Any], **options: Any) -> None:
            kept = [(predictor, predictor.signature.instructions) for predictor in _predictors(self, name)]
            super().load_state(state, **options)
            for predictor, instructions in kept:
                predictor.signature = predictor.signature.with_instructions(instructions)

    return Keeping


def _predictors(module: dspy.Module, name: str) -> list[Any]:
    return [predictor for path, predictor in module.named_predictors() if path.startswith(name)]


MUTANTS = (
    mutant(
        "no-fallback",
        "TRN-006",
        "Raises when the steps have run out.",
        advance=transcribing(then(raised_at_the_end)),
    ),
    mutant(
        "unreadable-reply-ends-the-run",
        "TRN-006",
        "Raises where a reply can't be read.",
        perform=transcribing(raised(loop.StepMalformed, lambda event: ValueError(event.reason))),
    ),
    mutant(
        "no-fallback-after-a-refusal",
        "TRN-006",
        "Raises when the steps have run out on a submit that was refused.",
        advance=transcribing(then(_raise_after_a_refusal)),
    ),
    mutant("tools-lost-in-a-saved-program", "TRN-011", "Has no tools once it is loaded.", mixin=_Toolless),
    mutant(
        "fallback-not-saved",
        "TRN-011",
        "Saves the program of its turns, and forgets that of its fallback.",
        mixin=_keeping_instructions("extract"),
    ),
)
