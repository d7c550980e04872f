"""Violations of the limit on steps (LOOP-004, LOOP-008, LOOP-009, LOOP-011)."""

import sys
from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.runs import (
    before,
    finishes,
    is_async,
    limited,
    then,
    when,
)
from react_tck.reference import loop
from react_tck.reference.drive import EpisodeFailed
from react_tck.reference.seams import Around, Beginning, Site
from react_tck.reference.signatures.users import DEFAULT_MAX_STEPS


def _instead_of_the_default(max_steps: int) -> Around[dict[str, Any], Beginning]:
    return limited(lambda _, given: max_steps if given == DEFAULT_MAX_STEPS else given)


def _smallest_kept(site: Site, program: Any) -> Any:
    kind = type(site.agent)
    kind.smallest = min(_smallest(site), site.agent.max_steps)
    return program


def _smallest(site: Site) -> int:
    return getattr(type(site.agent), "smallest", DEFAULT_MAX_STEPS)


def _left_out_forgotten(site: Site, _event: loop.Event, following: loop.State) -> loop.State:
    more = following.left_out - site.state.left_out
    return following.model_copy(update={"max_steps": following.max_steps + more})


def _kept(site: Site, max_steps: int) -> int:
    site.agent.max_steps = max_steps
    return max_steps


def _too_late(site: Site, event: loop.Event) -> loop.Event:
    if finishes(event) and len(site.state.steps) + 1 == site.state.max_steps:
        raise EpisodeFailed("the steps have run out")
    return event


MUTANTS = (
    mutant(
        "one-step-too-many",
        "LOOP-004",
        "Checks the limit after the step, not before it.",
        begin=limited(lambda _, given: given + 1),
    ),
    mutant(
        "left-out-steps-are-not-counted",
        "LOOP-004",
        "Counts the steps that its prompt shows, and no others.",
        advance=then(_left_out_forgotten),
    ),
    mutant(
        "max-steps-zero-is-the-default",
        "LOOP-004",
        "Takes a max_steps of 0 for one that wasn't given.",
        begin=limited(lambda _, given: given or DEFAULT_MAX_STEPS),
    ),
    mutant(
        "last-step-must-not-finish",
        "LOOP-004",
        "Looks whether the steps have run out before it looks whether the last one is `finish`.",
        advance=before(_too_late),
    ),
    mutant(
        "endless-by-default",
        "LOOP-011",
        "Has no limit unless one is given.",
        begin=_instead_of_the_default(sys.maxsize),
    ),
    mutant(
        "max-steps-capped-at-the-default",
        "LOOP-008",
        "Never takes more steps than the default.",
        begin=limited(lambda _, given: min(given, DEFAULT_MAX_STEPS)),
    ),
    mutant(
        "max-steps-of-all-instances",
        "LOOP-008",
        "Keeps the smallest max_steps that any instance was given, for all of them.",
        program=_smallest_kept,
        begin=limited(lambda site, _: _smallest(site)),
    ),
    mutant(
        "call-max-steps-only-lowers",
        "LOOP-009",
        "Takes the smaller of the constructed max_steps and the call's.",
        begin=limited(lambda site, given: min(given, site.agent.max_steps)),
    ),
    mutant(
        "async-call-max-steps-sticks",
        "LOOP-009",
        "Keeps the max_steps of an async call for those after it.",
        begin=when(is_async, limited(_kept)),
    ),
)
