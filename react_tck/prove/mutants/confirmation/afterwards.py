"""Violations of what outlives a suspension, and what doesn't: agreement, steps, limits, results (CNF)."""

from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.responses import (
    approved_for_all,
    asked_anew,
    misread,
    read_as,
    responded,
    saved_with,
    suspended,
)
from react_tck.prove.mutants.operators.runs import Proceed, after, before, is_async, ran, then, when
from react_tck.prove.mutants.operators.views import transcribing
from react_tck.reference import loop
from react_tck.reference.confirmation import CONFIRMATIONS, ConfirmationRequired
from react_tck.reference.drive import Episode
from react_tck.reference.loop.entries import replace_call
from react_tck.reference.loop.views.trajectory import as_mapping
from react_tck.reference.seams import Beginning, Site

# Agreement


def _agreed_to_until_it_works(site: Site, event: loop.Event, following: loop.State) -> loop.State:
    action = following.action
    if not isinstance(event, loop.StepChosen) or not isinstance(action, loop.AwaitResponse) or not site.state.steps:
        return following
    last = site.state.steps[-1]
    if last.tool != action.call.name or not str(last.observation).startswith("Error executing"):
        return following
    return following.model_copy(update={"action": ran(action.call), "pending": following.pending[1:]})


def _remembered(site: Site, saved: ConfirmationRequired) -> ConfirmationRequired:
    site.memory["waiting"] = saved
    return saved


def _forgotten_in_the_end(site: Site, proceed: Proceed, beginning: Beginning) -> Episode[Any]:
    prediction = yield from proceed(beginning)
    site.memory.clear()
    return prediction


def _agreed_to_before(site: Site, beginning: Beginning) -> Beginning:
    waiting = site.memory.get("waiting")
    known = waiting.tool_call.name if waiting else ""
    awaited = tuple(name for name in beginning.state.awaited if name != known)
    return beginning._replace(state=beginning.state.model_copy(update={"awaited": awaited}))


def _asked_anew_after_an_error(site: Site, proceed: Proceed, beginning: Beginning) -> Episode[Any]:
    try:
        return (yield from proceed(beginning))
    except ConfirmationRequired:
        raise
    except Exception:
        if waiting := site.memory.get("waiting"):
            asked_anew(site, waiting)
        raise


def _pending_after_a_failure(site: Site, event: loop.Event, following: loop.State) -> loop.State:
    waiting = site.memory.get("waiting")
    if waiting and isinstance(event, loop.ToolFailed):
        CONFIRMATIONS.record_question(waiting.confirmation_id)
    return following


# What the run has done and may do


def _since_the_first(site: Site, _waiting: ConfirmationRequired) -> dict[str, Any]:
    steps = site.state.steps
    first = next((number for number, step in enumerate(steps) if step.tool in site.state.awaited), 0)
    return {"context": _waiting.context | {"trajectory": as_mapping(steps[first:])}}


def _nulled(state: loop.State) -> loop.State:
    taken = tuple(
        entry.model_copy(update={"value": entry.value or None}) if isinstance(entry, loop.Observation) else entry
        for entry in state.taken
    )
    return state.model_copy(update={"taken": taken})


def _with_the_agents_limit(site: Site, beginning: Beginning) -> Beginning:
    return beginning._replace(state=beginning.state.model_copy(update={"max_steps": site.agent.max_steps}))


def _args_forgotten(state: loop.State) -> loop.State:
    last = [call for entry in state.taken if isinstance(entry, loop.AssistantTurn) for call in entry.tool_calls][-1]
    return state.model_copy(update={"taken": replace_call(state.taken, last.model_copy(update={"args": {}}))})


# Edits


def _args_kept(heard: Any) -> Any:
    event = heard.decision.event
    return event.model_copy(update={"args": event.args or heard.call.args})


def _original_recorded(site: Site, event: loop.Event, following: loop.State) -> loop.State:
    waiting = site.state.action
    if isinstance(event, loop.Approved) and isinstance(waiting, loop.AwaitResponse):
        return following.model_copy(update={"taken": replace_call(following.taken, waiting.call)})
    return following


MUTANTS = {
    "agreement-outlives-a-failure": mutant(
        "CNF-015",
        "Runs a tool without asking when the call before it was agreed to and failed.",
        advance=then(_agreed_to_until_it_works),
    ),
    "agreement-outlives-a-failed-run": mutant(
        "CNF-015",
        "Runs a tool without asking when it was agreed to in a run that ended with an error.",
        resume=before(_remembered),
        run=_forgotten_in_the_end,
        begin=after(_agreed_to_before),
    ),
    "async-agreement-for-the-turn": mutant(
        "CNF-015",
        "Takes the approval of one call of a turn for that of its others, when it is resumed asynchronously.",
        advance=transcribing(when(is_async, approved_for_all)),
    ),
    "context-since-the-first-suspension": mutant(
        "CNF-001",
        "Leaves out of the context what was done before the first suspension.",
        suspension=suspended(_since_the_first),
    ),
    "limit-of-the-call-lost-on-resume": mutant(
        "CNF-003",
        "Goes on with the constructed max_steps, not with the call's own.",
        resume=after(_with_the_agents_limit),
    ),
    "rejected-call-recorded-without-args": mutant(
        "CNF-004",
        "Records a call that was rejected without its args.",
        advance=responded(loop.Declined, _args_forgotten),
    ),
    "empty-edit-keeps-the-args": mutant(
        "CNF-006",
        "Takes the args that the LM gave where an edit has none.",
        response=misread(read_as("edited"), _args_kept),
    ),
    "edit-not-recorded": mutant(
        "CNF-014", "Records the original call where the edited one has run.", advance=then(_original_recorded)
    ),
    "failed-call-is-pending": mutant(
        "CNF-007",
        "Has a confirmation pending again when the call that was agreed to fails.",
        resume=before(_remembered),
        advance=then(_pending_after_a_failure),
    ),
    "small-results-nulled-on-resume": mutant(
        "CNF-008",
        "Has null for whatever result of before the suspension is 0, false or empty.",
        resume=before(saved_with(_nulled)),
    ),
    "failed-run-resumed-again": mutant(
        "CNF-012",
        "Takes a second response when the run has failed after the first.",
        resume=before(_remembered),
        run=_asked_anew_after_an_error,
    ),
}
