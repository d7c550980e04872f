"""Violations that only those meet who await the agent (ASY-001)."""

import dspy

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory, using
from react_tck.prove.mutants.operators.runs import (
    faults_swallowed,
    is_async,
    limited,
    raised,
    when,
)
from react_tck.reference import loop

MUTANTS = (
    mutant(
        "async-takes-a-step-less",
        "ASY-001",
        "Stops a step early, if awaited.",
        begin=when(is_async, limited(lambda _, given: given - 1)),
    ),
    mutant(
        "async-ignores-its-own-max-steps",
        "ASY-001",
        "Takes the max_steps it was constructed with, if awaited, whatever the call says.",
        begin=when(is_async, limited(lambda site, _: site.agent.max_steps)),
    ),
    mutant(
        "async-ignores-the-global-adapter",
        "ASY-001",
        "Asks under its own adapter or the default one, if awaited, whatever is configured.",
        adapter=when(is_async, using(lambda site: site.agent.adapter or dspy.ChatAdapter())),
    ),
    mutant(
        "async-loses-the-adapter",
        "ASY-001",
        "Asks under the global adapter instead of the module's own, if awaited.",
        adapter=when(is_async, using(lambda _: None)),
    ),
    mutant(
        "async-lets-tool-errors-through",
        "ASY-001",
        "Raises what a tool raises, if awaited.",
        perform=when(is_async, raised(loop.ToolFailed, lambda event: RuntimeError(event.reason))),
    ),
    mutant(
        "async-swallows-lm-faults",
        "ASY-001",
        "Gives empty outputs where the LM fails, if awaited.",
        run=when(is_async, by_trajectory(faults_swallowed())),
    ),
)
