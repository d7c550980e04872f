"""Violations of what a response makes of a suspended call (CNF-003 to CNF-006, CNF-009, CNF-010)."""

from collections.abc import Iterable
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
from react_tck.prove.mutants.operators.runs import before, call_of, is_async, on, then, to, twice, when
from react_tck.reference import loop
from react_tck.reference.seams import Site


def _event_with(heard: Heard, **update: Any) -> Any:
    return heard.decision.event.model_copy(update=update)


def _extracting(state: loop.State) -> loop.State:
    return to(state, loop.AskExtraction())


def _ends_once_rejected(_site: Site, event: loop.Event, following: loop.State) -> loop.State:
    # What becomes of a person's own words is CNF-005's affair.
    is_rejected = isinstance(event, loop.Declined) and str(event.observation).startswith("The user rejected")
    return _extracting(following) if is_rejected else following


def _ends_once_confirmed(site: Site, _event: loop.Event, following: loop.State) -> loop.State:
    return _extracting(following) if is_confirmed(site) else following


def _the_original(suspended: loop.State, following: loop.State) -> Iterable[loop.Call]:
    """The call as it was before the edit."""
    edited, waiting = following.action, suspended.action
    if isinstance(edited, loop.RunTool) and isinstance(waiting, loop.AwaitResponse):
        # Which tool runs where the edit names another one is CNF-013's affair.
        is_of_the_args = edited.call.name == waiting.call.name and edited.call != waiting.call
        yield from (waiting.call,) * is_of_the_args


MUTANTS = (
    mutant(
        "run-twice-on-resume",
        "CNF-003",
        "Runs a confirmed tool twice.",
        perform=on(loop.RunTool, when(is_confirmed, twice)),
    ),
    mutant(
        "y-is-feedback",
        "CNF-003",
        "Knows `yes` but not `y`.",
        response=misread(saying("y"), telling("The user says: y")),
    ),
    mutant(
        "args-dropped-on-resume",
        "CNF-003",
        "Runs a confirmed tool without its args.",
        response=misread(saying("yes", "y"), lambda heard: _event_with(heard, args={"text": ""})),
    ),
    mutant(
        "resume-ends-the-loop",
        "CNF-003",
        "Extracts the outputs as soon as a confirmed tool has run.",
        advance=then(_ends_once_confirmed),
    ),
    mutant(
        "rejection-run-anyway",
        "CNF-004",
        "Runs the tool whatever the user says to it, if it is a no.",
        response=misread(read_as("rejected"), approving),
    ),
    mutant(
        "n-is-yes",
        "CNF-004",
        "Knows `no` but takes `n` for an approval.",
        response=misread(saying("n"), approving),
    ),
    mutant(
        "rejection-not-told",
        "CNF-004",
        "Has an empty observation for a rejected call.",
        response=misread(read_as("rejected"), telling("")),
    ),
    mutant(
        "rejection-ends-the-loop",
        "CNF-004",
        "Extracts the outputs as soon as a call is rejected.",
        advance=then(_ends_once_rejected),
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
        "feedback-not-told",
        "CNF-005",
        "Tells the agent that the tool wasn't executed, but not what the user said.",
        response=misread(read_as("feedback"), telling("The tool was not executed.")),
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
        "edit-beside-the-original",
        "CNF-006",
        "Runs the original call, then that with the edited args.",
        run=running_first(_the_original),
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
)
