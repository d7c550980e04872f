"""Violations of what a response makes of a suspended call (CNF-003 to CNF-006, CNF-009, CNF-010)."""

from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.responses import (
    Heard,
    approving,
    is_confirmed,
    misread,
    read_as,
    running_first,
    saved_with,
    saying,
    telling,
    this_turn_only,
)
from react_tck.prove.mutants.operators.runs import before, call_of, is_async, then, to, when
from react_tck.reference import loop
from react_tck.reference.seams import Site


def _event_with(heard: Heard, **update: Any) -> Any:
    return heard.decision.event.model_copy(update=update)


def _extracting(state: loop.State) -> loop.State:
    return to(state, loop.AskExtraction())


def _ends_once_confirmed(site: Site, _event: loop.Event, following: loop.State) -> loop.State:
    return _extracting(following) if is_confirmed(site) else following


def _ends_once_rejected(_site: Site, event: loop.Event, following: loop.State) -> loop.State:
    # What becomes of a person's own words is CNF-005's affair.
    is_rejected = isinstance(event, loop.Declined) and str(event.observation).startswith("The user rejected")
    return _extracting(following) if is_rejected else following


MUTANTS = (
    mutant(
        "y-is-feedback",
        "CNF-003",
        "Knows `yes` but not `y`.",
        response=misread(saying("y"), telling("The user says: y")),
    ),
    mutant(
        "resume-ends-the-loop",
        "CNF-003",
        "Extracts the outputs as soon as a confirmed tool has run.",
        advance=then(_ends_once_confirmed),
    ),
    mutant(
        "n-is-yes",
        "CNF-004",
        "Knows `no` but takes `n` for an approval.",
        response=misread(saying("n"), approving),
    ),
    mutant(
        "feedback-run-as-approval",
        "CNF-005",
        "Takes whatever isn't a no for an approval.",
        response=misread(read_as("feedback"), approving),
    ),
    mutant(
        "any-yes-is-approval",
        "CNF-005",
        "Takes feedback that begins with yes for an approval.",
        response=misread(lambda heard: heard.said.startswith("yes"), approving),
    ),
    mutant(
        "edit-ignored",
        "CNF-006",
        "Runs the original call where the user edited it.",
        response=misread(read_as("edited"), approving),
    ),
    mutant(
        "edited-name-ignored",
        "CNF-013",
        "Takes the args of an edit but not its tool.",
        response=misread(read_as("edited"), lambda heard: _event_with(heard, tool=heard.call.name)),
    ),
    mutant(
        "executed-tools-rerun-on-resume",
        "CNF-009",
        "Runs the tools of the steps before once more when it is resumed.",
        run=running_first(lambda suspended, _: map(call_of, suspended.steps)),
    ),
    mutant(
        "confirmed-tools-rerun-on-resume",
        "CNF-009",
        "Runs the tools confirmed before once more when it is resumed.",
        run=running_first(lambda suspended, _: (call_of(s) for s in suspended.steps if s.tool in suspended.awaited)),
    ),
    mutant(
        "async-resume-starts-over",
        "CNF-010",
        "Forgets the steps before when it is resumed asynchronously.",
        resume=when(is_async, before(saved_with(this_turn_only))),
    ),
    mutant(
        "async-resume-approves",
        "CNF-010",
        "Takes every response for a yes when it is resumed asynchronously.",
        response=when(is_async, before(lambda *_: "yes")),
    ),
    mutant(
        "rejection-ends-the-loop",
        "CNF-004",
        "Extracts the outputs as soon as a call is rejected.",
        advance=then(_ends_once_rejected),
    ),
)
