"""Violations of what becomes of a malformed reply that a good one follows (ERR-006)."""

import copy
from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.crossings import note_unreadable
from react_tck.prove.mutants.operators.runs import event_changed, on_request
from react_tck.prove.mutants.operators.views import reading
from react_tck.reference import loop
from react_tck.reference.seams import Site


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
