"""Operators on what the LM is shown and the caller is told: prompts, messages, replies, predictions, entries."""

import copy
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from react_tck.prove.mutants.operators.runs import Steps, after, earlier_of, in_a
from react_tck.reference.history import entries_of, write_history
from react_tck.reference.loop import SUBMIT, AssistantTurn, Entries, Entry, FinalAnswer, Observation, Request
from react_tck.reference.loop.views.trajectory import as_mapping, as_text, dump_entries, load_entries
from react_tck.reference.seams import Around, Beginning, Edit, Prompt, Site
from react_tck.reference.signatures.react import TRAJECTORY
from react_tck.reference.signatures.transcript import HISTORY
from react_tck.reference.transcript import TranscriptReAct

Messages = list[dict[str, Any]]


# The seam `prompt`


def inputs(change: Callable[[Site, dict[str, Any]], dict[str, Any]]) -> Edit[Prompt]:
    """Other inputs than the prompt has."""
    return lambda site, prompt: prompt._replace(inputs=change(site, prompt.inputs))


def steps_shown(change: Callable[[Steps], Steps]) -> Edit[Prompt]:
    """Other steps than were taken, in the trajectory as the LM reads it; what doesn't fit stays left out."""

    def changed(site: Site, shown: dict[str, Any]) -> dict[str, Any]:
        steps = change(site.state.steps)
        first = len(steps) - len(site.state.shown_steps)
        told = {key: value for key, value in as_mapping(steps).items() if int(key.rpartition("_")[2]) >= first}
        return shown | {TRAJECTORY: as_text(told)}

    return inputs(changed)


def said_before(change: Callable[[Site, list[dict[str, Any]]], list[dict[str, Any]]]) -> Edit[Prompt]:
    """Other messages than there are in the prompt's history: exchanges of a conversation, entries of a transcript."""

    def changed(site: Site, shown: dict[str, Any]) -> dict[str, Any]:
        if "history" not in shown:  # what asks for a summary has none
            return shown
        history = shown["history"]
        return shown | {"history": type(history)(messages=change(site, list(history.messages)))}

    return inputs(changed)


# The seam `adapter`


class LmReply(NamedTuple):
    """What the LM said, and the fields that were asked for."""

    text: str
    fields: tuple[str, ...]


def writing(change: Callable[[Site, Messages], Messages]) -> Edit[Any]:
    """Other messages than the adapter writes, in its fallback too."""

    def edited(site: Site, adapter: Any) -> Any:
        def write(signature: Any, demos: Any, inputs: Any) -> Messages:
            return change(site, adapter.format(signature, demos, inputs))

        return rewired(adapter, lambda other: edited(site, other), format=write)

    return edited


def reading(operator: Around[LmReply, dict[str, Any]]) -> Edit[Any]:
    """Read replies otherwise than the adapter does, in its fallback too."""

    def edited(site: Site, adapter: Any) -> Any:
        def read(signature: Any, completion: str) -> dict[str, Any]:
            reply = LmReply(completion, tuple(signature.output_fields))
            return operator(site, lambda said: adapter.parse(signature, said.text), reply)

        return rewired(adapter, lambda other: edited(site, other), parse=read)

    return edited


def rewired(adapter: Any, again: Callable[[Any], Any], **methods: Any) -> Any:
    """Return a copy of the adapter with these methods, whose fallback is edited `again`."""
    made = copy.copy(adapter)
    for name, method in methods.items():
        setattr(made, name, method)
    if fallback := getattr(adapter, "_make_json_adapter_fallback", None):
        made._make_json_adapter_fallback = lambda: again(fallback())
    return made


# The seam `prediction`


def without_key(name: str) -> Edit[Any]:
    """Return a prediction without this key."""

    def edited(_site: Site, prediction: Any) -> Any:
        return type(prediction)(**{key: value for key, value in prediction.items() if key != name})

    return edited


def retold(change: Callable[[Site, dict[str, Any]], Any]) -> Edit[Any]:
    """Another trajectory than the one there is."""

    def edited(site: Site, prediction: Any) -> Any:
        prediction[TRAJECTORY] = change(site, prediction[TRAJECTORY])
        return prediction

    return edited


def untold(part: str) -> Edit[Any]:
    """Return a trajectory without what has this part of its name, in every step."""
    return retold(lambda _, told: {key: value for key, value in told.items() if not key.startswith(part)})


def steps_retold(change: Callable[[Site, Steps], Steps]) -> Edit[Any]:
    """Other steps than were taken, in the trajectory as the caller gets it."""
    return retold(lambda site, _: site.agent._tell_steps(change(site, site.state.steps)))


def outputs_changed(change: Callable[[Site, dict[str, Any]], dict[str, Any]]) -> Edit[Any]:
    """Other outputs than there are; those that the change leaves out are gone."""

    def edited(site: Site, prediction: Any) -> Any:
        names = site.agent.signature.output_fields
        kept = {key: value for key, value in prediction.items() if key not in names}
        return type(prediction)(**kept, **change(site, {name: prediction[name] for name in names}))

    return edited


def said_afterwards(change: Callable[[Site, list[dict[str, Any]]], list[dict[str, Any]]]) -> Edit[Any]:
    """Other messages than there are in the history that the caller gets: exchanges or entries."""

    def edited(site: Site, prediction: Any) -> Any:
        history = prediction["history"]
        prediction["history"] = type(history)(messages=change(site, list(history.messages)))
        return prediction

    return edited


# A transcript's entries

transcribing = partial(in_a, TranscriptReAct)


def entries_shown(change: Callable[[Site, Entries], Entries]) -> Edit[Prompt]:
    """Other entries than the history has, as the LM reads it."""
    return said_before(lambda site, messages: dump_entries(change(site, load_entries(messages))))


def entries_kept(change: Callable[[Site, Entries], Entries]) -> Edit[Any]:
    """Other entries than the history has, as the caller gets it."""

    def edited(site: Site, prediction: Any) -> Any:
        prediction[HISTORY] = write_history(change(site, entries_of(prediction[HISTORY], site.agent.signature)))
        return prediction

    return edited


def entries_read(change: Callable[[Site, Entries], Entries]) -> Around[dict[str, Any], Beginning]:
    """Continue other entries than the run was given."""

    def changed(site: Site, beginning: Beginning) -> Beginning:
        state = beginning.state
        history = (*change(site, earlier_of(state)), *state.taken)
        return beginning._replace(state=state.model_copy(update={"history": history}))

    return after(changed)


def json_history_read(change: Callable[[Entries], Entries]) -> dict[str, Any]:
    """Seams in which a history that the agent didn't make itself, as one out of JSON, is read in another way."""

    def made(site: Site, prediction: Any) -> Any:
        site.memory.setdefault("made", []).append(prediction["history"])
        return prediction

    def read(site: Site, entries: Entries) -> Entries:
        is_own = any(site.inputs.get("history") is history for history in site.memory.get("made", ()))
        return entries if is_own else change(entries)

    return {"begin": transcribing(entries_read(read)), "prediction": transcribing(made)}


def last_turn(entries: Entries) -> Entries:
    """Return the entries from the last request on; all of them, if there is none."""
    starts = [index for index, entry in enumerate(entries) if isinstance(entry, Request)]
    return entries[starts[-1] if starts else 0 :]


def unanswered(_site: Site, history: Entries) -> Entries:
    """Return the entries without the answer, and without the turn that submitted it."""
    turns = [entry for entry in history if isinstance(entry, AssistantTurn)]
    ends = [call.id for turn in turns for call in turn.tool_calls if call.name == SUBMIT]
    return tuple(entry for entry in without(history, FinalAnswer) if not _belongs(entry, ends))


def _belongs(entry: Entry, ids: list[str]) -> bool:
    if isinstance(entry, AssistantTurn):
        return any(call.id in ids for call in entry.tool_calls)
    return isinstance(entry, Observation) and entry.tool_call_id in ids


def without(entries: Entries, *kinds: type[Entry]) -> Entries:
    """Return the entries that are of none of these kinds."""
    return tuple(entry for entry in entries if not isinstance(entry, kinds))
