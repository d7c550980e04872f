"""Violations around a transcript's turns, and of what becomes of a history (TRN-…)."""

from collections.abc import Callable
from typing import Any

import dspy

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.runs import (
    Perform,
    Proceed,
    before,
    event_changed,
    first_call_alone,
    is_async,
    on,
    on_request,
    then,
    to,
    when,
)
from react_tck.prove.mutants.operators.views import (
    entries_kept,
    entries_read,
    entries_shown,
    inputs,
    json_history_read,
    last_turn,
    transcribing,
    unanswered,
    without,
    without_key,
)
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.history import write_history
from react_tck.reference.loop.compaction import Cut, cut_history
from react_tck.reference.loop.views.trajectory import as_mapping, as_text, steps_of
from react_tck.reference.seams import Around, Edit, Prompt, Site
from react_tck.reference.signatures.transcript import HISTORY

_UNOBSERVED = entries_kept(lambda _, history: without(history, loop.Observation))


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


def _written_out(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the requests, with what is written for an image as a text."""
    return [
        message | {"inputs": {n: str(v).replace("<<CUSTOM-TYPE-", "<<") for n, v in message["inputs"].items()}}
        if "inputs" in message
        else message
        for message in messages
    ]


def _images_told(_site: Site, shown: dict[str, Any]) -> dict[str, Any]:
    return shown | {HISTORY: dspy.History(messages=_written_out(shown[HISTORY].messages))}


def _shown(change: Callable[[loop.Entries], loop.Entries]) -> Edit[Prompt]:
    """Other entries than the history has, as the LM reads it."""
    return transcribing(entries_shown(lambda _, history: change(history)))  # type: ignore[no-any-return]


def _renamed(entries: loop.Entries, name: Callable[[int, str], str]) -> loop.Entries:
    """Return the entries with other ids; `name` is given the number of the turn and the old id."""
    made: list[loop.Entry] = []
    number = 0
    for entry in entries:
        if isinstance(entry, loop.AssistantTurn):
            number += 1
            calls = tuple(c.model_copy(update={"id": name(number, c.id)}) for c in entry.tool_calls)
            made.append(entry.model_copy(update={"tool_calls": calls}))
        elif isinstance(entry, loop.Observation):
            made.append(entry.model_copy(update={"tool_call_id": name(number, entry.tool_call_id)}))
        else:
            made.append(entry)
    return tuple(made)


def _with_observations(entries: loop.Entries, change: Callable[[loop.Observation], dict[str, Any]]) -> loop.Entries:
    """Return the entries with other observations."""
    return tuple(e.model_copy(update=change(e)) if isinstance(e, loop.Observation) else e for e in entries)


def _result_of_an_equal_call(site: Site, perform: Perform, action: loop.RunTool) -> Episode[loop.Event]:
    results = {e.tool_call_id: e.value for e in site.state.taken if isinstance(e, loop.Observation)}
    turn = [entry for entry in site.state.taken if isinstance(entry, loop.AssistantTurn)][-1]
    for call in turn.tool_calls:
        if call.id in results and (call.name, call.args) == (action.call.name, action.call.args):
            return loop.ToolReturned(observation=results[call.id])
    return (yield from perform(action))


def _nothing_behind_a_refused_submit(site: Site, proceed: Proceed, event: loop.Event) -> loop.State:
    following: loop.State = proceed(event)
    action = site.state.action
    if not isinstance(event, loop.ArgsMismatched) or not isinstance(action, loop.RunTool):
        return following
    return to(following, loop.AskStep()) if action.call.name == loop.SUBMIT else following


def _calls_counted(_site: Site, _event: loop.Event, following: loop.State) -> loop.State:
    made = sum(len(entry.tool_calls) for entry in following.taken if isinstance(entry, loop.AssistantTurn))
    is_spent = following.action == loop.AskStep() and made >= following.max_steps > 0
    return to(following, loop.AskExtraction()) if is_spent and following.ending == loop.SUBMIT else following


def _up_to_an_unknown_tool(site: Site, event: loop.Event) -> loop.Event:
    if not isinstance(event, loop.StepChosen):
        return event
    names = (*site.state.tools, loop.SUBMIT)
    first = next((n for n, call in enumerate(event.calls, 1) if call.name not in names), None)
    return event.model_copy(update={"calls": event.calls[:first]})


def _numbered_anew(history: loop.Entries) -> loop.Entries:
    numbers: dict[int, dict[str, int]] = {}

    def name(turn: int, call_id: str) -> str:
        in_turn = numbers.setdefault(turn, {})
        return f"call_{in_turn.setdefault(call_id, len(in_turn))}"

    return _renamed(history, name)


def _results_alone(history: loop.Entries) -> loop.Entries:
    return tuple(e for e in history if not isinstance(e, loop.AssistantTurn) or len(e.tool_calls) < 2)


def _one_call_a_turn(_site: Site, history: loop.Entries) -> loop.Entries:
    kept = [entry.tool_calls[0].id for entry in history if isinstance(entry, loop.AssistantTurn)]
    return tuple(
        e.model_copy(update={"tool_calls": e.tool_calls[:1]}) if isinstance(e, loop.AssistantTurn) else e
        for e in history
        if not isinstance(e, loop.Observation) or e.tool_call_id in kept
    )


def _joined(join: Callable[[Cut, loop.Summary], loop.Entries]) -> Around[loop.Event, loop.State]:
    """Join the summary and what stays in another way."""

    def changed(site: Site, event: loop.Event, following: loop.State) -> loop.State:
        parts = cut_history(site.state.history)
        if not isinstance(event, loop.Summarised) or parts is None:
            return following
        return following.model_copy(update={"history": join(parts, loop.Summary(summary=event.text))})

    return then(changed)


_STEPS = (loop.AssistantTurn, loop.Observation)


def _flattened(_site: Site, history: loop.Entries) -> loop.Entries:
    flat = as_text(as_mapping(steps_of(history, "submit")))
    return (*without(history, *_STEPS), *([loop.Remark(remark=flat)] if flat else []))


def _shown_once(site: Site, history: loop.Entries) -> loop.Entries:
    return last_turn(history) if any(isinstance(entry, _STEPS) for entry in site.state.taken) else history


def _ids_swapped(history: loop.Entries) -> loop.Entries:
    turns = ([call.id for call in entry.tool_calls] for entry in history if isinstance(entry, loop.AssistantTurn))
    swapped = {one: other for ids in turns for one, other in zip(ids, reversed(ids), strict=True)}
    return _with_observations(history, lambda entry: {"tool_call_id": swapped[entry.tool_call_id]})


MUTANTS = {
    "history-without-observations": mutant(
        "TRN-001", "Leaves what the tools returned out of the history.", prediction=transcribing(_UNOBSERVED)
    ),
    "async-history-without-observations": mutant(
        "TRN-001",
        "Leaves what the tools returned out of the history of an asynchronous call.",
        prediction=transcribing(when(is_async, _UNOBSERVED)),
    ),
    "final-answer-missing-from-history": mutant(
        "TRN-004",
        "Takes the end of a run for a side effect, not for a turn of the conversation.",
        prediction=transcribing(entries_kept(unanswered)),
    ),
    "trajectory-left-out": mutant(
        "TRN-007",
        "Gives a prediction without a trajectory, though it claims to have one.",
        prediction=transcribing(without_key("trajectory")),
    ),
    "follow-up-forgets-the-first-turn": mutant(
        "TRN-008", "Takes a history and begins anew.", begin=entries_read(lambda *_: ())
    ),
    "follow-up-keeps-the-last-turn-only": mutant(
        "TRN-008",
        "Remembers one turn, however many there were.",
        begin=entries_read(lambda _, history: last_turn(history)),
    ),
    "callers-history-changed": mutant(
        "ISO-003", "Appends its own turns to the history it was given.", prediction=transcribing(_given_changed)
    ),
    "history-kept-by-the-instance": mutant(
        "TRN-008",
        "Goes on in its last conversation when it is given no history.",
        begin=transcribing(before(_last_given)),
        prediction=transcribing(_last_kept),
    ),
    "history-of-its-own-turn": mutant(
        "TRN-017",
        "Returns a history of the call alone, whatever it was given.",
        prediction=transcribing(entries_kept(lambda _, history: last_turn(history))),
    ),
    "images-written-out": mutant(
        "TRN-016",
        "Writes an image among the inputs out as text.",
        prompt=transcribing(on_request("step", inputs(_images_told))),
    ),
    "history-lost-in-serialisation": mutant(
        "TRN-010", "Keeps the turns in its memory, and knows no others.", **json_history_read(lambda _: ())
    ),
    "values-become-text-in-serialisation": mutant(
        "TRN-010",
        "Reads every value of a history that was written out as text.",
        **json_history_read(lambda entries: _with_observations(entries, lambda entry: {"value": str(entry.value)})),
    ),
    "only-the-first-call-runs": mutant(
        "TRN-013", "Takes the first call of a turn and drops the others.", perform=event_changed(first_call_alone)
    ),
    "equal-calls-of-a-turn-run-once": mutant(
        "TRN-013",
        "Gives a call the result that an equal one of its turn had.",
        perform=on(loop.RunTool, _result_of_an_equal_call),
    ),
    "each-call-of-a-turn-is-a-step": mutant(
        "TRN-013", "Counts the calls against max_steps, not the turns.", advance=then(_calls_counted)
    ),
    "refused-submit-drops-the-rest": mutant(
        "TRN-013", "Takes no call of a turn behind a submit that was refused.", advance=_nothing_behind_a_refused_submit
    ),
    "unknown-tool-drops-the-rest": mutant(
        "TRN-013",
        "Takes no call of a turn behind one of a tool that there isn't.",
        perform=event_changed(_up_to_an_unknown_tool),
    ),
    "ids-begin-anew-in-every-turn": mutant(
        "TRN-013", "Numbers the calls of each turn from the first one on.", prompt=_shown(_numbered_anew)
    ),
    "parallel-calls-lost-in-the-next-turn": mutant(
        "TRN-013", "Keeps one call of every turn for the turns to come.", begin=entries_read(_one_call_a_turn)
    ),
    "summary-beside-everything": mutant(
        "TRN-014",
        "Adds the summary and drops nothing.",
        advance=_joined(lambda parts, summary: (*parts.before, *parts.summarised, summary, *parts.after)),
    ),
    "summary-hidden-from-the-history": mutant(
        "TRN-014",
        "Shows the summary to the LM, and not to the caller.",
        prediction=transcribing(entries_kept(lambda _, history: without(history, loop.Summary))),
    ),
    "flattened-into-one-message": mutant(
        "TRN-001", "Shows the steps as one text with numbered keys.", prompt=transcribing(entries_shown(_flattened))
    ),
    "earlier-turns-shown-once": mutant(
        "TRN-017",
        "Shows the turns of earlier calls in the first request only.",
        prompt=transcribing(entries_shown(_shown_once)),
    ),
    "results-shown-without-their-calls": mutant(
        "SAN-013",
        "Shows the results of several calls in one reply without the turn that made them.",
        prompt=_shown(_results_alone),
    ),
    "ids-of-parallel-calls-swapped": mutant(
        "TRN-013", "Gives each result of a turn the id of another call.", prompt=_shown(_ids_swapped)
    ),
    "compaction-drops-the-turn-under-way": mutant(
        "TRN-014",
        "Keeps the request and forgets all that was done for it.",
        advance=_joined(
            lambda parts, summary: (
                *parts.before,
                summary,
                *without(parts.after, loop.AssistantTurn, loop.Observation),
            )
        ),
    ),
}
