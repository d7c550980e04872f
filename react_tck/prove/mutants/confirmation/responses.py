"""Violations of what a response makes of a suspended call, and of how the agent asks the user (CNF-…)."""

from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.responses import (
    Heard,
    approving,
    asked_anew,
    call_that_waits,
    is_answer,
    is_confirmed,
    misread,
    read_as,
    running_first,
    saved_with,
    saying,
    suspended,
    telling,
    this_turn_only,
    unasked,
    yes_if_malformed,
)
from react_tck.prove.mutants.operators.runs import Proceed, after, before, call_of, is_async, then, to, when
from react_tck.reference import loop
from react_tck.reference.confirmation import CLARIFY
from react_tck.reference.confirmation.suspension import Decision, make_clarification_tool
from react_tck.reference.seams import Site


def _event_with(heard: Heard, **update: Any) -> Any:
    return heard.decision.event.model_copy(update=update)


def _extracting(state: loop.State) -> loop.State:
    return to(state, loop.AskExtraction())


def _ends_once_confirmed(site: Site, _event: loop.Event, following: loop.State) -> loop.State:
    return _extracting(following) if is_confirmed(site) else following


def _approved_before(site: Site, proceed: Proceed, said: str) -> Decision:
    """Return the tool's approval for a rejection, where it has one in this run."""
    name = call_that_waits(site).name
    has_run = any(step.tool == name for step in site.state.steps)
    rejected = misread(read_as("rejected"), approving)
    decision: Decision = rejected(site, proceed, said) if has_run else proceed(said)
    return decision


_VERDICTS = {"yes": "The question was approved.", "no": "The question was rejected."}


def _ends_once_rejected(_site: Site, event: loop.Event, following: loop.State) -> loop.State:
    # What becomes of a person's own words is CNF-005's affair.
    is_rejected = isinstance(event, loop.Declined) and str(event.observation).startswith("The user rejected")
    return _extracting(following) if is_rejected else following


MUTANTS = {
    "y-is-feedback": mutant(
        "CNF-003", "Knows `yes` but not `y`.", response=misread(saying("y"), telling("The user says: y"))
    ),
    "nothing-is-yes": mutant(
        "CNF-005", "Takes an empty response for an approval.", response=before(lambda _, said: said or "yes")
    ),
    "resume-ends-the-loop": mutant(
        "CNF-003", "Extracts the outputs as soon as a confirmed tool has run.", advance=then(_ends_once_confirmed)
    ),
    "n-is-yes": mutant(
        "CNF-004", "Knows `no` but takes `n` for an approval.", response=misread(saying("n"), approving)
    ),
    "no-after-a-yes-is-yes": mutant(
        "CNF-004", "Runs a call that is rejected where one of the same tool has run.", response=_approved_before
    ),
    "feedback-run-as-approval": mutant(
        "CNF-005", "Takes whatever isn't a no for an approval.", response=misread(read_as("feedback"), approving)
    ),
    "any-yes-is-approval": mutant(
        "CNF-005",
        "Takes feedback that begins with yes for an approval.",
        response=misread(lambda heard: heard.said.startswith("yes"), approving),
    ),
    "edit-ignored": mutant(
        "CNF-006", "Runs the original call where the user edited it.", response=misread(read_as("edited"), approving)
    ),
    "edited-name-ignored": mutant(
        "CNF-013",
        "Takes the args of an edit but not its tool.",
        response=misread(read_as("edited"), lambda heard: _event_with(heard, tool=heard.call.name)),
    ),
    "executed-tools-rerun-on-resume": mutant(
        "CNF-009",
        "Runs the tools of the steps before once more when it is resumed.",
        run=running_first(lambda suspended, _: map(call_of, suspended.steps)),
    ),
    "confirmed-tools-rerun-on-resume": mutant(
        "CNF-009",
        "Runs the tools confirmed before once more when it is resumed.",
        run=running_first(lambda suspended, _: (call_of(s) for s in suspended.steps if s.tool in suspended.awaited)),
    ),
    "async-resume-starts-over": mutant(
        "CNF-010",
        "Forgets the steps before when it is resumed asynchronously.",
        resume=when(is_async, before(saved_with(this_turn_only))),
    ),
    "async-resume-approves": mutant(
        "CNF-010",
        "Takes every response for a yes when it is resumed asynchronously.",
        response=when(is_async, before(lambda *_: "yes")),
    ),
    "clarification-answers-itself": mutant(
        "CNF-011", "Goes on without the user when it has a question.", begin=unasked
    ),
    "clarification-reads-a-verdict": mutant(
        "CNF-011",
        "Takes yes and no for a verdict on the question, not for its answer.",
        response=misread(
            lambda heard: is_answer(heard) and heard.said in _VERDICTS,
            lambda heard: telling(_VERDICTS[heard.said])(heard),
        ),
    ),
    "clarification-always-offered": mutant(
        "CNF-011",
        "Has the clarification tool whether or not it is enabled.",
        tools=after(lambda _, tools: {CLARIFY: make_clarification_tool(), **tools}),
    ),
    "unknown-id-accepted": mutant(
        "CNF-012",
        "Takes a response for the suspended call under whatever id.",
        resume=before(suspended(lambda _, saved: {"confirmation_id": saved.context["state"]["confirmation_id"]})),
    ),
    "resumed-twice": mutant("CNF-012", "Takes a second response like the first.", resume=before(asked_anew)),
    "bad-edit-is-approval": mutant(
        "CNF-012", "Runs the original call where an edit can't be read.", response=yes_if_malformed
    ),
    "rejection-ends-the-loop": mutant(
        "CNF-004", "Extracts the outputs as soon as a call is rejected.", advance=then(_ends_once_rejected)
    ),
}
