"""Crossings written blind, as those of `blind`: what goes on after a person's response, from JSON, or interrupted."""

from typing import Any

import dspy

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.crossings import crossing
from react_tck.prove.mutants.operators.prompts import asked_of, conversing
from react_tck.prove.mutants.operators.runs import after, earlier_of, then
from react_tck.prove.mutants.operators.views import inputs, transcribing
from react_tck.reference import loop
from react_tck.reference.loop.entries import replace_call
from react_tck.reference.loop.views.conversation import INSTRUCTIONS
from react_tck.reference.seams import Beginning, Site

_PART_STARTS, _PART_ENDS = "<<CUSTOM-TYPE-START-IDENTIFIER>>", "<<CUSTOM-TYPE-END-IDENTIFIER>>"


def _strip_parts(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _strip_parts(inner) for name, inner in value.items()}
    if isinstance(value, str):
        return value.replace(_PART_STARTS, "").replace(_PART_ENDS, "")
    return value


def _images_as_text(_site: Site, beginning: Beginning) -> Beginning:
    state = beginning.state

    def strip(entries: loop.Entries) -> loop.Entries:
        return tuple(
            each.model_copy(update={"inputs": _strip_parts(each.inputs)}) if isinstance(each, loop.Request) else each
            for each in entries
        )

    stripped = state.model_copy(update={"history": strip(state.history), "taken": strip(state.taken)})
    return Beginning(stripped, _strip_parts(beginning.inputs))


def _history_as_it_was(site: Site, event: loop.Event, following: loop.State) -> loop.State:
    earlier = earlier_of(site.state)
    if not isinstance(event, loop.Approved) or not earlier:
        return following
    return following.model_copy(update={"history": site.state.history})


def _without_history(site: Site, beginning: Beginning) -> Beginning:
    name = site.agent.history_field_name
    return beginning._replace(inputs={**beginning.inputs, name: dspy.History(messages=[])})


def _note_resumption(site: Site, beginning: Beginning) -> Beginning:
    site.memory["resumed"] = True
    return beginning


def _settle_adapter(site: Site, adapter: Any) -> Any:
    return site.memory.setdefault("adapter", adapter) if "resumed" in site.memory else adapter


def _note_waiting_inputs(site: Site, suspension: Any) -> Any:
    site.memory["waiting"] = dict(site.asked)
    return suspension


def _with_waiting_inputs(site: Site, beginning: Beginning) -> Beginning:
    return beginning._replace(inputs={**beginning.inputs, **site.memory.get("waiting", {})})


def _later_original_recorded(site: Site, event: loop.Event, following: loop.State) -> loop.State:
    waiting = site.state.action
    if not isinstance(event, loop.Approved) or not isinstance(waiting, loop.AwaitResponse):
        return following
    turn = [entry for entry in following.taken if isinstance(entry, loop.AssistantTurn)][-1]
    if turn.tool_calls[0].id == waiting.call.id:
        return following
    recorded = {name: replace_call(getattr(following, name), waiting.call) for name in ("history", "taken")}
    return following.model_copy(update=recorded)


MUTANTS = {
    "resumption-settles-the-adapter": mutant(
        "ADP-005",
        "Asks under the adapter in which a call was resumed, whatever is configured for the calls after it.",
        resume=after(_note_resumption),
        adapter=_settle_adapter,
    ),
    "inputs-of-the-call-that-waits-last": crossing(
        "EXT-001",
        "Goes on after a person's response with the inputs of that call of the instance which began to wait last.",
        suspension=_note_waiting_inputs,
        resume=after(_with_waiting_inputs),
    ),
    "instructions-lost-behind-an-unreadable-reply": mutant(
        "CNV-006",
        "Doesn't say what to do when it is interrupted behind a reply that can't be read.",
        prompt=asked_of(
            "interrupted",
            inputs(lambda site, shown: shown if site.state.steps[-1].tool else {**shown, INSTRUCTIONS: ""}),
        ),
    ),
    "edit-of-a-later-call-isnt-recorded": mutant(
        "CNF-014",
        "Records the original call where the edited one isn't the first of its turn.",
        advance=transcribing(then(_later_original_recorded)),
    ),
    "edit-in-a-follow-up-isnt-recorded": mutant(
        "TRN-017",
        "Keeps the call that a person has replaced in the history, where the run goes on with an earlier one.",
        advance=transcribing(then(_history_as_it_was)),
    ),
    "resumed-conversation-begins-anew": mutant(
        "CNV-002",
        "Forgets the turns before where a conversation goes on after a person's response.",
        resume=conversing(after(_without_history)),
    ),
    "image-is-text-after-a-response": crossing(
        "TRN-016",
        "Shows an image as text about it where a call goes on after a person's response.",
        resume=transcribing(after(_images_as_text)),
    ),
}
