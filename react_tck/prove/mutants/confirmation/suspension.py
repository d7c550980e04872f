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
from react_tck.prove.mutants.operators.runs import Proceed, after, before, begun_with
from react_tck.reference.confirmation import (
    CONFIRMATIONS,
    ConfirmationRequired,
    Decision,
    ResponseRefused,
    get_confirmation_status,
)
from react_tck.reference.seams import Edit, Site

# CNF-001 and CNF-002


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
        "iteration-counted-from-one",
        "CNF-001",
        "Counts the iterations of the context from 1.",
        suspension=in_context(lambda context: {"iteration": context["iteration"] + 1}),
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
        "ids-reused",
        "CNF-007",
        "Makes the id of the tool and its args.",
        suspension=identified(lambda site: call_that_waits(site).model_dump_json(exclude={"id"})),
    ),
    mutant(
        "approved-when-asked",
        "CNF-007",
        "Has the status approved before anybody has responded.",
        suspension=_settled,
        resume=_settled_all_along,
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
        "state-of-this-process-only",
        "CNF-008",
        "Resumes only what was suspended in the same process.",
        resume=before(_of_this_process),
    ),
)
