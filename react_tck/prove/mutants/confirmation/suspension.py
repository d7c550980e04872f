"""Violations of how a call is suspended (CNF-001, CNF-002, CNF-007, CNF-008)."""

import json
from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.responses import (
    asked_anew,
    awaiting,
    call_that_waits,
    identified,
    saved_with,
    suspended,
    this_turn_only,
)
from react_tck.prove.mutants.operators.runs import Proceed, after, before, begun_with, event_changed
from react_tck.reference import loop
from react_tck.reference.confirmation import (
    CONFIRMATIONS,
    ConfirmationRequired,
    Decision,
    ResponseRefused,
    get_confirmation_status,
)
from react_tck.reference.seams import Edit, Site


def _of_flat_args(_site: Site, waiting: ConfirmationRequired) -> dict[str, Any]:
    assert waiting.tool_call is not None
    if any(isinstance(arg, dict) for arg in waiting.tool_call.args.values()):
        raise TypeError("an object can't be asked about")
    return {}


def _without_left_out_steps(site: Site, waiting: ConfirmationRequired) -> dict[str, Any]:
    told = waiting.context["trajectory"].items()
    kept = {key: value for key, value in told if int(key.rpartition("_")[2]) >= site.state.left_out}
    return {"context": waiting.context | {"trajectory": kept}}


def in_context(change: Any) -> Edit[ConfirmationRequired]:
    """Other values in the context, made from it."""
    return suspended(lambda _, waiting: {"context": waiting.context | change(waiting.context)})


def _question(change: Any) -> Edit[ConfirmationRequired]:
    """Other words of the question, made from it and from the args as they stand in it."""

    def parts(site: Site, waiting: ConfirmationRequired) -> dict[str, Any]:
        args = json.dumps(call_that_waits(site).args, ensure_ascii=False)
        return {"question": change(waiting.question, args)}

    return suspended(parts)


def _settled(_site: Site, waiting: ConfirmationRequired) -> ConfirmationRequired:
    CONFIRMATIONS.record_response(waiting.confirmation_id, "approved")
    return waiting


def _settled_all_along(site: Site, proceed: Proceed, saved: ConfirmationRequired) -> Any:
    try:
        return proceed(asked_anew(site, saved))
    finally:
        _settled(site, asked_anew(site, saved))


def _edited_is_approved(_site: Site, decision: Decision) -> Decision:
    return decision._replace(status="approved") if decision.status == "edited" else decision


def _of_this_process(_site: Site, saved: ConfirmationRequired) -> ConfirmationRequired:
    try:
        get_confirmation_status(saved.confirmation_id)
    except LookupError as error:
        raise ResponseRefused(str(error)) from error
    return saved


def _failed_instead(_site: Site, event: loop.Event) -> loop.Event:
    return loop.ToolFailed(reason=event.question) if isinstance(event, loop.ToolAsked) else event


MUTANTS = {
    "confirmation-ignored": mutant(
        "CNF-001", "Runs tools that require confirmation without asking for it.", begin=begun_with(awaited=())
    ),
    "objects-not-asked-about": mutant(
        "CNF-001",
        "Ends with an error where a call that should wait has an object among its args.",
        suspension=suspended(_of_flat_args),
    ),
    "asking-tools-swallowed": mutant(
        "CNF-016",
        "Tells the LM that a tool which asks a person has failed.",
        perform=event_changed(_failed_instead),
    ),
    "every-tool-waits": mutant(
        "CNF-001", "Asks for confirmation of tools that don't require it.", begin=awaiting(lambda state: state.tools)
    ),
    "iteration-counted-from-one": mutant(
        "CNF-001",
        "Counts the iterations of the context from 1.",
        suspension=in_context(lambda context: {"iteration": context["iteration"] + 1}),
    ),
    "context-without-left-out-steps": mutant(
        "TRJ-005",
        "Leaves out of the trajectory of the context what had no room in the prompt.",
        suspension=suspended(_without_left_out_steps),
    ),
    "question-in-other-words": mutant(
        "CNF-002",
        "Offers more responses in the question than the wording has.",
        suspension=_question(lambda question, _: question.replace("(yes/no)", "(yes/no/feedback/edit)")),
    ),
    "ids-reused": mutant(
        "CNF-007",
        "Makes the id of the tool and its args.",
        suspension=identified(lambda site: call_that_waits(site).model_dump_json(exclude={"id"})),
    ),
    "approved-when-asked": mutant(
        "CNF-007",
        "Has the status approved before anybody has responded.",
        suspension=_settled,
        resume=_settled_all_along,
    ),
    "edited-is-approved": mutant(
        "CNF-007", "Doesn't tell an edited call from an approved one.", response=after(_edited_is_approved)
    ),
    "steps-lost-in-serialisation": mutant(
        "CNF-008", "Suspends without the steps taken so far.", suspension=saved_with(this_turn_only)
    ),
    "state-of-this-process-only": mutant(
        "CNF-008", "Resumes only what was suspended in the same process.", resume=before(_of_this_process)
    ),
}
