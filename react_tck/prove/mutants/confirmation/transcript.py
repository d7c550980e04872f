"""Violations of how the calls of a transcript's turn wait for a person, and of what becomes of them (CNF)."""

from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.responses import (
    approving,
    asked_anew,
    asking,
    call_that_waits,
    misread,
    read_as,
    responded,
    running_first,
    saved_with,
    telling,
    this_call_only,
    yes_if_malformed,
)
from react_tck.prove.mutants.operators.runs import Proceed, before, call_of, is_async, when
from react_tck.prove.mutants.operators.views import transcribing
from react_tck.reference import loop
from react_tck.reference.confirmation import CLARIFY, CONFIRMATIONS, ConfirmationRequired, get_confirmation_status
from react_tck.reference.seams import Beginning, Site

# How they wait


def _status_kept(site: Site, proceed: Proceed, saved: ConfirmationRequired) -> Beginning:
    beginning: Beginning = proceed(saved)
    site.memory["status"] = get_confirmation_status(saved.confirmation_id)
    return beginning


def _status_again(site: Site, waiting: ConfirmationRequired) -> ConfirmationRequired:
    CONFIRMATIONS.record_response(waiting.confirmation_id, site.memory.get("status", "pending"))
    return waiting


# What becomes of them


def _responded(kind: Any, change: Any) -> Any:
    return transcribing(responded(kind, change))


def _with_its_equals(site: Site, proceed: Proceed, event: loop.Event) -> loop.State:
    following: loop.State = proceed(event)
    if not isinstance(event, loop.Approved) or not site.state.pending:
        return following
    equal = all(call.name == event.tool and call.args == event.args for call in following.pending)
    return following.model_copy(update={"awaited": ()}) if equal else following


MUTANTS = {
    "question-about-the-turn": mutant(
        "CNF-002",
        "Asks whether the turn may go on, not which call of it.",
        suspension=transcribing(asking(lambda _: "Confirm execution of the calls of this turn? (yes/no)")),
    ),
    "status-of-the-turn": mutant(
        "CNF-007",
        "Has a call approved as soon as one before it in the turn is.",
        resume=transcribing(_status_kept),
        suspension=transcribing(_status_again),
    ),
    "rest-of-the-turn-lost-in-serialisation": mutant(
        "CNF-008",
        "Suspends without the calls after the one that waits.",
        suspension=transcribing(saved_with(this_call_only)),
    ),
    "rest-of-the-turn-dropped-on-resume": mutant(
        "CNF-003",
        "Forgets the calls after the one that the user agreed to.",
        advance=_responded(loop.Approved, lambda state: state.model_copy(update={"pending": ()})),
    ),
    "yes-to-equal-calls": mutant(
        "CNF-015", "Takes one yes for all equal calls of a turn.", advance=transcribing(_with_its_equals)
    ),
    "transcript-rejection-not-told": mutant(
        "CNF-004",
        "Has an empty observation for a rejected call.",
        response=transcribing(misread(read_as("rejected"), telling(""))),
    ),
    "transcript-feedback-is-approval": mutant(
        "CNF-005",
        "Takes whatever isn't a no for an approval.",
        response=transcribing(misread(read_as("feedback"), approving)),
    ),
    "transcript-edit-ignored": mutant(
        "CNF-006",
        "Runs the original call where the user edited it.",
        response=transcribing(misread(read_as("edited"), approving)),
    ),
    "calls-of-the-turn-rerun-on-resume": mutant(
        "CNF-009",
        "Runs the calls of the turn that ran before the response once more.",
        run=transcribing(running_first(lambda suspended, _: map(call_of, suspended.steps))),
    ),
    "async-resume-drops-the-turn": mutant(
        "CNF-010",
        "Forgets the calls after the one that waited when it is resumed asynchronously.",
        resume=transcribing(when(is_async, before(saved_with(this_call_only)))),
    ),
    "transcript-clarification-not-told": mutant(
        "CNF-011",
        "Doesn't tell the agent what the user answered.",
        response=transcribing(
            before(lambda site, said: "It is answered." if call_that_waits(site).name == CLARIFY else said)
        ),
    ),
    "transcript-resumed-twice": mutant(
        "CNF-012", "Takes a second response like the first.", resume=transcribing(before(asked_anew))
    ),
    "transcript-bad-edit-is-approval": mutant(
        "CNF-012", "Runs the original call where an edit can't be read.", response=transcribing(yes_if_malformed)
    ),
}
