"""Violations of how the calls of a transcript's turn wait for a person, and of what becomes of them (CNF)."""

from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.responses import (
    approved_for_all,
    approving,
    asked_anew,
    asking,
    call_that_waits,
    identified,
    is_confirmed,
    misread,
    read_as,
    responded,
    run_before_confirmation,
    running_first,
    saved_with,
    telling,
    this_call_only,
    unasked,
    yes_if_malformed,
)
from react_tck.prove.mutants.operators.runs import Proceed, before, call_of, is_async, on, ran, to, twice, when
from react_tck.prove.mutants.operators.views import transcribing
from react_tck.reference import loop
from react_tck.reference.confirmation import CLARIFY, CONFIRMATIONS, ConfirmationRequired, get_confirmation_status
from react_tck.reference.loop.entries import turns_of
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


def _alone(state: loop.State) -> loop.State:
    return state.model_copy(update={"pending": ()})


def _with_another_id(state: loop.State) -> loop.State:
    if not isinstance(state.action, loop.RunTool):
        return state
    return to(state, ran(state.action.call.model_copy(update={"id": "resumed"})))


def _of_the_next_turn(state: loop.State) -> loop.State:
    return to(_alone(state), loop.AskStep())


def _answer_lost(site: Site, said: str) -> str:
    return "It is answered." if call_that_waits(site).name == CLARIFY else said


def _responded(kind: Any, change: Any) -> Any:
    return transcribing(responded(kind, change))


MUTANTS = (
    mutant(
        "transcript-call-run-before-confirmation",
        "CNF-001",
        "Runs the calls of a turn that require confirmation first, and asks then.",
        perform=transcribing(on(loop.AskStep, run_before_confirmation)),
    ),
    mutant(
        "one-approval-for-the-turn",
        "CNF-015",
        "Takes the approval of one call for that of all calls after it.",
        advance=transcribing(approved_for_all),
    ),
    mutant(
        "question-about-the-turn",
        "CNF-002",
        "Asks whether the turn may go on, not which call of it.",
        suspension=transcribing(asking(lambda _: "Confirm execution of the calls of this turn? (yes/no)")),
    ),
    mutant(
        "one-id-a-turn",
        "CNF-007",
        "Has one id for all that is asked in one turn.",
        suspension=transcribing(identified(lambda site: f"{site.state.inputs} {turns_of(site.state.taken)}")),
    ),
    mutant(
        "status-of-the-turn",
        "CNF-007",
        "Has a call approved as soon as one before it in the turn is.",
        resume=transcribing(_status_kept),
        suspension=transcribing(_status_again),
    ),
    mutant(
        "rest-of-the-turn-lost-in-serialisation",
        "CNF-008",
        "Suspends without the calls after the one that waits.",
        suspension=transcribing(saved_with(this_call_only)),
    ),
    mutant(
        "rest-of-the-turn-dropped-on-resume",
        "CNF-003",
        "Forgets the calls after the one that the user agreed to.",
        advance=_responded(loop.Approved, _alone),
    ),
    mutant(
        "transcript-call-run-twice-on-resume",
        "CNF-003",
        "Runs a confirmed call twice.",
        perform=transcribing(on(loop.RunTool, when(is_confirmed, twice))),
    ),
    mutant(
        "pairing-lost-on-resume",
        "CNF-003",
        "Gives the result of a confirmed call another id than the call has.",
        advance=_responded(loop.Approved | loop.Declined, _with_another_id),
    ),
    mutant(
        "rejection-drops-the-turn",
        "CNF-004",
        "Asks for the next turn as soon as a call is rejected.",
        advance=_responded(loop.Declined, _of_the_next_turn),
    ),
    mutant(
        "transcript-rejection-not-told",
        "CNF-004",
        "Has an empty observation for a rejected call.",
        response=transcribing(misread(read_as("rejected"), telling(""))),
    ),
    mutant(
        "transcript-feedback-not-told",
        "CNF-005",
        "Tells the agent that the tool wasn't executed, but not what the user said.",
        response=transcribing(misread(read_as("feedback"), telling("The tool was not executed."))),
    ),
    mutant(
        "transcript-feedback-is-approval",
        "CNF-005",
        "Takes whatever isn't a no for an approval.",
        response=transcribing(misread(read_as("feedback"), approving)),
    ),
    mutant(
        "transcript-edit-ignored",
        "CNF-006",
        "Runs the original call where the user edited it.",
        response=transcribing(misread(read_as("edited"), approving)),
    ),
    mutant(
        "calls-of-the-turn-rerun-on-resume",
        "CNF-009",
        "Runs the calls of the turn that ran before the response once more.",
        run=transcribing(running_first(lambda suspended, _: map(call_of, suspended.steps))),
    ),
    mutant(
        "async-resume-drops-the-turn",
        "CNF-010",
        "Forgets the calls after the one that waited when it is resumed asynchronously.",
        resume=transcribing(when(is_async, before(saved_with(this_call_only)))),
    ),
    mutant(
        "transcript-clarification-answers-itself",
        "CNF-011",
        "Goes on without the user when it has a question.",
        begin=transcribing(unasked),
    ),
    mutant(
        "transcript-clarification-not-told",
        "CNF-011",
        "Doesn't tell the agent what the user answered.",
        response=transcribing(before(_answer_lost)),
    ),
    mutant(
        "transcript-resumed-twice",
        "CNF-012",
        "Takes a second response like the first.",
        resume=transcribing(before(asked_anew)),
    ),
    mutant(
        "transcript-bad-edit-is-approval",
        "CNF-012",
        "Runs the original call where an edit can't be read.",
        response=transcribing(yes_if_malformed),
    ),
)
