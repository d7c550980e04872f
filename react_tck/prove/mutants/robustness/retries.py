"""Violations of what becomes of a malformed reply that a good one follows (ERR-006)."""

import copy
from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.crossings import note_unreadable
from react_tck.prove.mutants.operators.replies import where_finish_ends
from react_tck.prove.mutants.operators.runs import event_changed, on, on_request, then, twice, when, with_steps
from react_tck.prove.mutants.operators.views import reading
from react_tck.reference import loop
from react_tck.reference.seams import Site

_ATTEMPT = loop.Step(thought="", tool="", args={}, observation="Error: malformed")


def _once(_site: Site, adapter: Any) -> Any:
    made = copy.copy(adapter)
    made.use_json_adapter_fallback = False
    return made


def _noticing(site: Site, adapter: Any) -> Any:
    """Notices whether a reply to the request can't be read."""
    site.memory.pop("unreadable", None)
    return reading(note_unreadable)(site, adapter)


def _has_failed(site: Site) -> bool:
    return "unreadable" in site.memory


def _on_record(_site: Site, event: loop.Event, following: loop.State) -> loop.State:
    returned = isinstance(event, loop.ToolReturned)
    return with_steps(following, (_ATTEMPT, *following.steps)) if returned else following


def _thought_lost(site: Site, event: loop.Event) -> loop.Event:
    lost = isinstance(event, loop.StepChosen) and _has_failed(site)
    return event.model_copy(update={"thought": ""}) if lost else event


MUTANTS = (
    mutant(
        "retries-counted-as-steps",
        "ERR-006",
        "Asks for a step again in the next turn, as if the malformed reply had been one.",
        adapter=on_request("step", _once),
    ),
    mutant(
        "failed-attempt-on-record",
        "ERR-006",
        "Records the attempt that failed as a step of its own beside the one that didn't.",
        adapter=_noticing,
        advance=where_finish_ends(when(_has_failed, then(_on_record))),
    ),
    mutant(
        "retried-step-run-twice",
        "ERR-006",
        "Runs the tool for each attempt at its step.",
        adapter=_noticing,
        perform=on(loop.RunTool, when(_has_failed, twice)),
    ),
    mutant(
        "recovered-thought-lost",
        "TRJ-002",
        "Forgets the thought of a step it had to ask for again.",
        adapter=_noticing,
        perform=event_changed(_thought_lost),
    ),
    mutant(
        "extraction-not-retried",
        "ERR-006",
        "Retries steps, and gives up where the answer can't be read.",
        adapter=on_request("extraction", _once),
    ),
)
