"""Faults that a draw of the fuzzer shows, planted here: each is found."""

import json
import re
from typing import Any, get_origin

import dspy
import pytest

from react_tck.fuzz.campaign import Campaign
from react_tck.fuzz.progress import SilentSearchListener
from react_tck.fuzz.shards import Budget, GivenSubject, SearchScope
from react_tck.prove.mutants import load_mutants
from react_tck.prove.mutants.crossings.blind import nulls_as_texts
from react_tck.prove.mutants.mutant import Mutant, mutant
from react_tck.prove.mutants.operators.crossings import note_unreadable
from react_tck.prove.mutants.operators.responses import call_that_waits
from react_tck.prove.mutants.operators.runs import Proceed, event_changed
from react_tck.prove.mutants.operators.views import outputs_changed, reading
from react_tck.prove.mutants.subject import make_mutant_subject
from react_tck.reference import loop
from react_tck.reference.confirmation import Decision
from react_tck.reference.drive import Episode
from react_tck.reference.seams import Beginning, Site

ENOUGH = 1000


def _read_edit(said: str) -> dict[str, Any]:
    try:
        edit = json.loads(said)["edit"]
    except (ValueError, TypeError, KeyError):
        return {}
    return edit if isinstance(edit, dict) else {}


def _empty_args_unless_edited(_site: Site, proceed: Proceed, said: str) -> Decision:
    decision: Decision = proceed(said)
    if set(_read_edit(said)) != {"name"} or not isinstance(decision.event, loop.Approved):
        return decision
    return decision._replace(event=decision.event.model_copy(update={"args": {}}))


def _keep_args_if_unnamed(site: Site, proceed: Proceed, said: str) -> Decision:
    decision: Decision = proceed(said)
    if set(_read_edit(said)) != {"args"} or not isinstance(decision.event, loop.Approved):
        return decision
    return decision._replace(event=decision.event.model_copy(update={"args": call_that_waits(site).args}))


def _run_if_infinite(_site: Site, event: Any) -> Any:
    if not isinstance(event, loop.ArgsMalformed) or not re.search("Infinity|too large", event.reason):
        return event
    return loop.StepChosen(thought=event.thought, calls=(loop.Call(name=event.tool, args={}),))


def _swallow_behind_unreadable(site: Site, proceed: Proceed, beginning: Beginning) -> Episode[Any]:
    site.memory.pop("unreadable", None)
    try:
        return (yield from proceed(beginning))
    except Exception as error:
        if "unreadable" not in site.memory or "scripted LM fault" not in str(error):
            raise
        return dspy.Prediction(trajectory={}, **dict.fromkeys(site.agent.signature.output_fields, ""))


def _reversed_unions(site: Site, outputs: dict[str, Any]) -> dict[str, Any]:
    fields = site.agent.signature.output_fields
    return {
        name: value[::-1] if isinstance(value, list) and get_origin(fields[name].annotation) is not list else value
        for name, value in outputs.items()
    }


#: With the profiles in which it is searched for.
PLANTED: dict[str, tuple[Mutant, tuple[str, ...]]] = {
    "name-only": (
        mutant("CNF-005", "Runs without args what an edit only names.", response=_empty_args_unless_edited),
        ("confirmation",),
    ),
    "args-only": (
        mutant("CNF-005", "Keeps the args of an edit without a name.", response=_keep_args_if_unnamed),
        ("confirmation",),
    ),
    "null-text": (
        mutant("EXT-006", "Gives the text `None` for null.", prediction=outputs_changed(nulls_as_texts)),
        ("core",),
    ),
    "unions": (
        mutant("EXT-002", "Turns lists of a union round.", prediction=outputs_changed(_reversed_unions)),
        ("core",),
    ),
    "infinite": (
        mutant("ERR-002", "Runs without args whose number has no end.", perform=event_changed(_run_if_infinite)),
        ("robustness",),
    ),
    "fault-behind-prose": (
        mutant(
            "ERR-012",
            "Ends with what it has where the provider fails behind a reply that can't be read.",
            adapter=reading(note_unreadable),
            run=_swallow_behind_unreadable,
        ),
        ("robustness",),
    ),
    "summary-not-read-again": (load_mutants()["summary-not-read-again"], ("transcript",)),
    "context-without-left-out-steps": (load_mutants()["context-without-left-out-steps"], ("confirmation",)),
}


@pytest.mark.all
@pytest.mark.parametrize("name", PLANTED)
def test_what_only_one_draw_shows_is_found(name: str) -> None:
    planted, profiles = PLANTED[name]
    subject = GivenSubject(make_mutant_subject(name, planted))
    found = Campaign(subject, Budget(ENOUGH), SilentSearchListener(), SearchScope(profiles)).find_first()
    assert found is not None
    print(name, found.sighting.example, list(found.sighting.breaches))
