"""Crossings written blind, as those of `blind`: what goes on after a person's response."""

from typing import Any

import dspy

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.crossings import crossing, is_resumed
from react_tck.prove.mutants.operators.prompts import conversing
from react_tck.prove.mutants.operators.runs import after, earlier_of, raised, then, when
from react_tck.prove.mutants.operators.views import transcribing
from react_tck.reference import loop
from react_tck.reference.drive import EpisodeFailed
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


MUTANTS = (
    mutant(
        "edit-in-a-follow-up-isnt-recorded",
        "TRN-017",
        "Keeps the call that a person has replaced in the history, where the run goes on with an earlier one.",
        advance=transcribing(then(_history_as_it_was)),
    ),
    crossing(
        "error-of-a-confirmed-tool-ends-the-call",
        "ERR-007",
        "Lets the error of a tool end a call that goes on after a person's response.",
        perform=when(is_resumed, raised(loop.ToolFailed, lambda event: EpisodeFailed(event.reason))),
    ),
    mutant(
        "resumed-under-the-agents-own-limit",
        "CNF-003",
        "Goes on after a person's response under the limit of the agent, not of the call.",
        resume=after(
            lambda site, beginning: beginning._replace(
                state=beginning.state.model_copy(update={"max_steps": site.agent.max_steps})
            )
        ),
    ),
    mutant(
        "resumed-conversation-begins-anew",
        "CNV-002",
        "Forgets the turns before where a conversation goes on after a person's response.",
        resume=conversing(after(_without_history)),
    ),
    crossing(
        "image-is-text-after-a-response",
        "TRN-016",
        "Shows an image as text about it where a call goes on after a person's response.",
        resume=transcribing(after(_images_as_text)),
    ),
)
