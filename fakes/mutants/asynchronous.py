"""Violations that only those meet who await the agent (ASY-001)."""

from typing import Any

import dspy

from react_tck.fakes.mutants.mutant import mutant
from react_tck.fakes.mutants.operators import Proceed, event_changed, is_async, limited, on_request, when
from react_tck.fakes.mutants.prompt_operators import by_trajectory
from react_tck.fakes.mutants.view_operators import steps_shown
from react_tck.reference import loop
from react_tck.reference.adapters.strict import strict
from react_tck.reference.confirmation import ConfirmationRequired
from react_tck.reference.drive import Episode
from react_tck.reference.seams import Beginning, Site


def _global_adapter(_site: Site, _adapter: dspy.Adapter) -> dspy.Adapter:
    return strict(dspy.settings.adapter or dspy.ChatAdapter())


def _tool_errors_raised(_site: Site, event: loop.Event) -> loop.Event:
    if isinstance(event, loop.ToolFailed):
        raise RuntimeError(event.reason)
    return event


def _faults_swallowed(site: Site, proceed: Proceed, beginning: Beginning) -> Episode[Any]:
    try:
        return (yield from proceed(beginning))
    except ConfirmationRequired:
        raise
    except Exception:
        return dspy.Prediction(trajectory={}, **dict.fromkeys(site.agent.signature.output_fields, ""))


MUTANTS = (
    mutant(
        "async-skips-the-last-observation",
        "ASY-001",
        "Asks for the next step without the latest one, if awaited.",
        prompt=when(is_async, by_trajectory(on_request("step", steps_shown(lambda steps: steps[:-1])))),
    ),
    mutant(
        "async-takes-a-step-less",
        "ASY-001",
        "Stops a step early, if awaited.",
        begin=when(is_async, limited(lambda _, given: given - 1)),
    ),
    mutant(
        "async-loses-the-adapter",
        "ASY-001",
        "Asks under the global adapter instead of the module's own, if awaited.",
        adapter=when(is_async, by_trajectory(_global_adapter)),
    ),
    mutant(
        "async-lets-tool-errors-through",
        "ASY-001",
        "Raises what a tool raises, if awaited.",
        perform=when(is_async, event_changed(_tool_errors_raised)),
    ),
    mutant(
        "async-swallows-lm-faults",
        "ASY-001",
        "Gives empty outputs where the LM fails, if awaited.",
        run=when(is_async, by_trajectory(_faults_swallowed)),
    ),
)
