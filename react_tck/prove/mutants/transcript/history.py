"""Violations around a transcript's turns: TRN-001, TRN-004, TRN-007, TRN-008, TRN-016 and TRN-017."""

from typing import Any

import dspy

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.runs import before, is_async, on_request, when
from react_tck.prove.mutants.operators.views import (
    entries_kept,
    entries_read,
    entries_shown,
    inputs,
    last_turn,
    transcribing,
    unanswered,
    without,
    without_key,
)
from react_tck.reference import loop
from react_tck.reference.history import write_history
from react_tck.reference.loop.views.trajectory import as_mapping, as_text, steps_of
from react_tck.reference.seams import Site
from react_tck.reference.signatures.transcript import HISTORY

_UNOBSERVED = entries_kept(lambda _, history: without(history, loop.Observation))

# TRN-008


def _given_changed(site: Site, prediction: Any) -> Any:
    given = site.inputs.get("history")
    if given is not None:
        given.messages.extend(write_history(site.state.taken).messages)
    return prediction


def _last_given(site: Site, inputs: dict[str, Any]) -> dict[str, Any]:
    return inputs if inputs.get("history") is not None else inputs | {"history": site.memory.get("last")}


def _last_kept(site: Site, prediction: Any) -> Any:
    site.memory["last"] = prediction["history"]
    return prediction


# TRN-016


def _written_out(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The requests, with what is written for an image as a text."""
    return [
        message | {"inputs": {n: str(v).replace("<<CUSTOM-TYPE-", "<<") for n, v in message["inputs"].items()}}
        if "inputs" in message
        else message
        for message in messages
    ]


def _images_told(_site: Site, shown: dict[str, Any]) -> dict[str, Any]:
    return shown | {HISTORY: dspy.History(messages=_written_out(shown[HISTORY].messages))}


def _shown_once(site: Site, history: loop.Entries) -> loop.Entries:
    return last_turn(history) if any(isinstance(entry, _STEPS) for entry in site.state.taken) else history


def _flattened(_site: Site, history: loop.Entries) -> loop.Entries:
    flat = as_text(as_mapping(steps_of(history, "submit")))
    return (*without(history, *_STEPS), *([loop.Remark(remark=flat)] if flat else []))


_STEPS = (loop.AssistantTurn, loop.Observation)


MUTANTS = (
    mutant(
        "history-without-observations",
        "TRN-001",
        "Leaves what the tools returned out of the history.",
        prediction=transcribing(_UNOBSERVED),
    ),
    mutant(
        "async-history-without-observations",
        "TRN-001",
        "Leaves what the tools returned out of the history of an asynchronous call.",
        prediction=transcribing(when(is_async, _UNOBSERVED)),
    ),
    mutant(
        "final-answer-missing-from-history",
        "TRN-004",
        "Takes the end of a run for a side effect, not for a turn of the conversation.",
        prediction=transcribing(entries_kept(unanswered)),
    ),
    mutant(
        "trajectory-left-out",
        "TRN-007",
        "Gives a prediction without a trajectory, though it claims to have one.",
        prediction=transcribing(without_key("trajectory")),
    ),
    mutant(
        "follow-up-forgets-the-first-turn",
        "TRN-008",
        "Takes a history and begins anew.",
        begin=entries_read(lambda *_: ()),
    ),
    mutant(
        "follow-up-keeps-the-last-turn-only",
        "TRN-008",
        "Remembers one turn, however many there were.",
        begin=entries_read(lambda _, history: last_turn(history)),
    ),
    mutant(
        "callers-history-changed",
        "ISO-003",
        "Appends its own turns to the history it was given.",
        prediction=transcribing(_given_changed),
    ),
    mutant(
        "history-kept-by-the-instance",
        "TRN-008",
        "Goes on in its last conversation when it is given no history.",
        begin=transcribing(before(_last_given)),
        prediction=transcribing(_last_kept),
    ),
    mutant(
        "history-of-its-own-turn",
        "TRN-017",
        "Returns a history of the call alone, whatever it was given.",
        prediction=transcribing(entries_kept(lambda _, history: last_turn(history))),
    ),
    mutant(
        "images-written-out",
        "TRN-016",
        "Writes an image among the inputs out as text.",
        prompt=transcribing(on_request("step", inputs(_images_told))),
    ),
    mutant(
        "earlier-turns-shown-once",
        "TRN-017",
        "Shows the turns of earlier calls in the first request only.",
        prompt=transcribing(entries_shown(_shown_once)),
    ),
    mutant(
        "flattened-into-one-message",
        "TRN-001",
        "Shows the steps as one text with numbered keys.",
        prompt=transcribing(entries_shown(_flattened)),
    ),
)
