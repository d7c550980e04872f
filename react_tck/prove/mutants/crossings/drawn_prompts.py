"""Crossings of pairs that a seed drew of dimensions and areas, not their author: what the LM is shown."""

from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.crossings import crossing, is_resumed, note_unreadable, without_instructions
from react_tck.prove.mutants.operators.prompts import by_trajectory, conversing, inputs_become
from react_tck.prove.mutants.operators.runs import (
    after,
    is_async,
    on_request,
    when,
)
from react_tck.prove.mutants.operators.views import Messages, entries_shown, reading, transcribing, writing
from react_tck.reference import loop
from react_tck.reference.seams import Beginning, Site


def has_typed_outputs(site: Site) -> bool:
    """Tell whether an output is asked for that isn't a text."""
    return any(field.annotation is not str for field in site.agent.signature.output_fields.values())


def _without_descriptions(site: Site, messages: Messages) -> Messages:
    told = [tool.description for tool in site.agent.bound.values() if tool.description]
    for text in told:
        messages = [message | {"content": str(message["content"]).replace(text, "")} for message in messages]
    return messages


def _keeping_conversation(site: Site, prediction: Any) -> Any:
    site.memory["conversation"] = prediction["history"]
    return prediction


def _going_on(site: Site, beginning: Beginning) -> Beginning:
    name = site.agent.history_field_name
    kept = site.memory.get("conversation")
    return (
        beginning if kept is None or name in site.inputs else beginning._replace(inputs=beginning.inputs | {name: kept})
    )


def _without_results_of_nothing(_site: Site, entries: loop.Entries) -> loop.Entries:
    return tuple(
        each.model_copy(update={"value": each.value or ""}) if isinstance(each, loop.Observation) else each
        for each in entries
    )


MUTANTS = {
    "resumed-without-instructions": crossing(
        "STEP-005",
        "Asks for a step without the signature's instructions, once a person has responded.",
        adapter=when(is_resumed, by_trajectory(on_request("step", writing(without_instructions)))),
    ),
    "awaited-conversation-goes-on-by-itself": mutant(
        "ISO-001",
        "Goes on with the last conversation that was awaited, where no history is given.",
        begin=conversing(after(_going_on)),
        prediction=conversing(when(is_async, _keeping_conversation)),
    ),
    "conversation-goes-on-by-itself": mutant(
        "ISO-001",
        "Goes on with the last conversation that wasn't awaited, where no history is given.",
        begin=conversing(after(_going_on)),
        prediction=conversing(when(lambda site: not is_async(site), _keeping_conversation)),
    ),
    "typed-outputs-hide-descriptions": crossing(
        "STEP-004",
        "Lists tools without their descriptions, where an output is no text.",
        adapter=when(has_typed_outputs, by_trajectory(on_request("step", writing(_without_descriptions)))),
    ),
    "null-input-hides-small-results": mutant(
        "TRN-001",
        "Shows nothing for an observation that is 0 or false, where an input is null.",
        prompt=transcribing(
            when(lambda site: None in site.state.inputs.values(), entries_shown(_without_results_of_nothing))
        ),
    ),
    "unreadable-reply-hides-inputs": crossing(
        "EXT-001",
        "Asks for the outputs without the inputs, once a reply couldn't be read.",
        adapter=reading(note_unreadable),
        prompt=when(
            lambda site: "unreadable" in site.memory, by_trajectory(on_request("extraction", inputs_become("")))
        ),
    ),
}
