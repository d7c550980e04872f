"""Violations of how a call is suspended (CNF-001, CNF-002, CNF-007, CNF-008)."""

import json
from typing import Any
from uuid import uuid4

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.responses import (
    approved_for_all,
    approved_for_equals,
    asked_anew,
    awaiting,
    call_that_waits,
    identified,
    run_before_confirmation,
    saved_with,
    suspended,
    this_turn_only,
)
from react_tck.prove.mutants.operators.runs import Proceed, after, before, begun_with, on
from react_tck.reference import loop
from react_tck.reference.confirmation import (
    CONFIRMATIONS,
    ConfirmationRequired,
    Decision,
    ResponseRefused,
    get_confirmation_status,
)
from react_tck.reference.seams import Beginning, Edit, Site

# CNF-001 and CNF-002


def _without_args(_site: Site, waiting: ConfirmationRequired) -> dict[str, Any]:
    assert waiting.tool_call is not None
    return {"tool_call": waiting.tool_call.model_copy(update={"args": {}})}


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


# CNF-007


def _begun(site: Site, beginning: Beginning) -> Beginning:
    site.memory["call"] = uuid4()
    return beginning


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


# CNF-008


def _of_this_process(_site: Site, saved: ConfirmationRequired) -> ConfirmationRequired:
    try:
        get_confirmation_status(saved.confirmation_id)
    except LookupError as error:
        raise ResponseRefused(str(error)) from error
    return saved


MUTANTS = (
    mutant(
        "confirmation-ignored",
        "CNF-001",
        "Runs tools that require confirmation without asking for it.",
        begin=begun_with(awaited=()),
    ),
    mutant(
        "objects-not-asked-about",
        "CNF-001",
        "Ends with an error where a call that should wait has an object among its args.",
        suspension=suspended(_of_flat_args),
    ),
    mutant(
        "every-tool-waits",
        "CNF-001",
        "Asks for confirmation of tools that don't require it.",
        begin=awaiting(lambda state: state.tools),
    ),
    mutant(
        "tool-run-before-confirmation",
        "CNF-001",
        "Runs the tool first, and asks then.",
        perform=on(loop.AskStep, run_before_confirmation),
    ),
    mutant(
        "confirmed-once-for-all",
        "CNF-015",
        "Takes the approval of one call for that of all later ones.",
        advance=approved_for_all,
    ),
    mutant(
        "confirmed-once-for-equal-calls",
        "CNF-015",
        "Takes the approval of a call for that of every later one with the same args, in later runs too.",
        advance=approved_for_equals(lambda site: site.memory.setdefault("approved", [])),
    ),
    mutant(
        "suspended-call-without-args",
        "CNF-001",
        "Doesn't say which args the call that waits has.",
        suspension=suspended(_without_args),
    ),
    mutant(
        "iteration-counted-from-one",
        "CNF-001",
        "Counts the iterations of the context from 1.",
        suspension=in_context(lambda context: {"iteration": context["iteration"] + 1}),
    ),
    mutant(
        "context-without-trajectory",
        "CNF-001",
        "Leaves the trajectory of the context empty.",
        suspension=in_context(lambda _: {"trajectory": {}}),
    ),
    mutant(
        "context-without-left-out-steps",
        "TRJ-005",
        "Leaves out of the trajectory of the context what had no room in the prompt.",
        suspension=suspended(_without_left_out_steps),
    ),
    mutant(
        "question-in-other-words",
        "CNF-002",
        "Offers more responses in the question than the wording has.",
        suspension=_question(lambda question, _: question.replace("(yes/no)", "(yes/no/feedback/edit)")),
    ),
    mutant(
        "question-without-args",
        "CNF-002",
        "Asks about the tool without its args.",
        suspension=_question(lambda question, args: question.replace(args, '{"hidden": true}')),
    ),
    mutant(
        "ids-reused",
        "CNF-007",
        "Makes the id of the tool and its args.",
        suspension=identified(lambda site: call_that_waits(site).model_dump_json(exclude={"id"})),
    ),
    mutant(
        "one-id-a-call",
        "CNF-007",
        "Keeps the id of a call's first confirmation for its later ones.",
        begin=after(_begun),
        suspension=identified(lambda site: str(site.memory["call"])),
    ),
    mutant(
        "approved-when-asked",
        "CNF-007",
        "Has the status approved before anybody has responded.",
        suspension=_settled,
        resume=_settled_all_along,
    ),
    mutant(
        "status-never-updated",
        "CNF-007",
        "Has the status pending for ever.",
        response=after(lambda _, decision: decision._replace(status="pending")),
    ),
    mutant(
        "edited-is-approved",
        "CNF-007",
        "Doesn't tell an edited call from an approved one.",
        response=after(_edited_is_approved),
    ),
    mutant(
        "steps-lost-in-serialisation",
        "CNF-008",
        "Suspends without the steps taken so far.",
        suspension=saved_with(this_turn_only),
    ),
    mutant(
        "inputs-lost-in-serialisation",
        "CNF-008",
        "Goes on with empty inputs.",
        resume=after(lambda _, beginning: beginning._replace(inputs=dict.fromkeys(beginning.inputs, ""))),
    ),
    mutant(
        "state-of-this-process-only",
        "CNF-008",
        "Resumes only what was suspended in the same process.",
        resume=before(_of_this_process),
    ),
)
