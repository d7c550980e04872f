"""Crossings of pairs that a seed drew of dimensions and areas, not their author: what is done, kept and returned."""

from typing import Any, get_args

import dspy

from react_tck.prove.mutants.crossings.blind import as_texts, nulls_as_texts
from react_tck.prove.mutants.crossings.drawn_prompts import has_typed_outputs
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.crossings import NotesLoading, crossing, is_loaded
from react_tck.prove.mutants.operators.replies import args_changed, if_text, read_if_json
from react_tck.prove.mutants.operators.runs import (
    Perform,
    Proceed,
    earlier_of,
    event_changed,
    on,
    ran,
    results_remembered,
    when,
)
from react_tck.prove.mutants.operators.views import outputs_changed, transcribing
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.loop.views.trajectory import steps_of
from react_tck.reference.seams import Site


def _without_args(_site: Site, event: loop.Event) -> loop.Event:
    if not isinstance(event, loop.ArgsMalformed):
        return event
    return loop.StepChosen(thought=event.thought, calls=(loop.Call(name=event.tool, args={}),))


def _noting_refusal(site: Site, proceed: Proceed, said: str) -> Any:
    decision = proceed(said)
    site.kept["refused"] = isinstance(decision.event, loop.Declined)
    return decision


def _known_from_before(site: Site, perform: Perform, action: loop.RunTool) -> Episode[loop.Event]:
    known = {(step.tool, str(step.args)): step.observation for step in steps_of(earlier_of(site.state), "submit")}
    key = (action.call.name, str(action.call.args))
    if key in known:
        return loop.ToolReturned(observation=known[key])
    return (yield from perform(action))


def _nulls_left_out(site: Site, perform: Perform, action: Any) -> Episode[loop.Event]:
    if action.call.name != loop.SUBMIT:
        return perform(action)
    fields = site.agent.signature.output_fields.items()
    left_out = [
        name for name, field in fields if type(None) in get_args(field.annotation) and name not in action.call.args
    ]
    site.kept["left out"] = left_out
    args = {**action.call.args, **dict.fromkeys(left_out)}
    return perform(ran(action.call.model_copy(update={"args": args})))


def _without_those_left_out(site: Site, outputs: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in outputs.items() if name not in site.kept.get("left out", ())}


MUTANTS = {
    "typed-outputs-type-args": crossing(
        "TOOL-001",
        "Reads args that are texts as JSON, where an output is no text.",
        args=when(has_typed_outputs, args_changed(if_text(read_if_json))),
    ),
    "json-runs-malformed-args": mutant(
        "ERR-003",
        "Runs a tool without args where they can't be read, if JSON is asked for.",
        perform=when(lambda _site: isinstance(dspy.settings.adapter, dspy.JSONAdapter), event_changed(_without_args)),
    ),
    "outputs-are-texts-after-a-refusal": mutant(
        "CNF-004",
        "Gives typed outputs as texts, once a person has refused a call.",
        response=_noting_refusal,
        prediction=when(lambda site: bool(site.kept.get("refused")), outputs_changed(as_texts)),
    ),
    "loaded-null-is-none": crossing(
        "EXT-006",
        "Gives the text `None` for an output that is null, once a saved state was loaded.",
        mixin=NotesLoading,
        prediction=when(is_loaded, outputs_changed(nulls_as_texts)),
    ),
    "earlier-turns-know-the-result": mutant(
        "TRN-017",
        "Runs no call of a follow-up that an earlier turn has made, and observes what came of that.",
        perform=transcribing(on(loop.RunTool, _known_from_before)),
    ),
    "loaded-results-are-remembered": crossing(
        "SAN-003",
        "Runs equal calls of a tool once, once a saved state was loaded.",
        mixin=NotesLoading,
        perform=when(is_loaded, results_remembered(lambda site: site.kept.setdefault("results", {}))),
    ),
    "loaded-runs-malformed-args": crossing(
        "ERR-003",
        "Runs a tool without args where they can't be read, once a saved state was loaded.",
        mixin=NotesLoading,
        perform=when(is_loaded, event_changed(_without_args)),
    ),
    "outputs-that-may-be-null-may-be-missing": mutant(
        "TRN-009",
        "Takes a submit without an output that may be null, and gives a prediction without it.",
        perform=transcribing(on(loop.RunTool, _nulls_left_out)),
        prediction=transcribing(outputs_changed(_without_those_left_out)),
    ),
}
