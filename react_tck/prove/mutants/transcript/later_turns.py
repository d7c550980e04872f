"""Violations of what is left of a transcript's turns later on: small values, summaries, steps, adapters (TRN)."""

import json
from itertools import groupby
from typing import Any

import dspy

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.runs import after, earlier_of, is_async, then, to, when
from react_tck.prove.mutants.operators.views import (
    Messages,
    entries_kept,
    entries_read,
    steps_retold,
    transcribing,
    writing,
)
from react_tck.reference import loop
from react_tck.reference.loop.entries import turns_of
from react_tck.reference.loop.views.trajectory import steps_of
from react_tck.reference.seams import Beginning, Prompt, Site


def _something(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value}


def _with_something(entry: loop.Entry) -> loop.Entry:
    if isinstance(entry, loop.FinalAnswer):
        return loop.FinalAnswer(outputs=_something(entry.outputs))
    if isinstance(entry, loop.AssistantTurn):
        calls = tuple(c.model_copy(update={"args": _something(c.args)}) for c in entry.tool_calls)
        return entry.model_copy(update={"tool_calls": calls})
    return entry


def _observing_something(_site: Site, history: loop.Entries) -> loop.Entries:
    return tuple(
        e.model_copy(update={"value": e.value or None}) if isinstance(e, loop.Observation) else e for e in history
    )


def _less_what_was_taken(_site: Site, beginning: Beginning) -> Beginning:
    state = beginning.state
    left = max(1, state.max_steps - turns_of(earlier_of(state)))
    return beginning._replace(state=state.model_copy(update={"max_steps": left}))


def _asking_all_the_same(site: Site, event: loop.Event, following: loop.State) -> loop.State:
    refused = any(isinstance(e, loop.Observation) and e.name == loop.SUBMIT for e in site.state.taken)
    if not isinstance(event, loop.Committed) or not refused:
        return following
    return to(following, loop.AskExtraction()).model_copy(update={"history": following.history[:-1]})


def _one_result_a_turn(_site: Site, event: loop.Event, following: loop.State) -> loop.State:
    if not isinstance(event, loop.Summarised):
        return following
    kept: list[loop.Entry] = []
    for entry in following.history:
        if not (kept and isinstance(entry, loop.Observation) and isinstance(kept[-1], loop.Observation)):
            kept.append(entry)
    return following.model_copy(update={"history": tuple(kept)})


class _Unadapted(dspy.Module):
    """Has no adapter of its own once it is loaded."""

    def load_state(self, state: dict[str, Any], **options: Any) -> None:
        super().load_state(state, **options)
        self.adapter = None


def _results_reversed(_site: Site, messages: Messages) -> Messages:
    made: Messages = []
    for are_results, several in groupby(messages, _is_result):
        made += [_without_an_id(each) for each in reversed([*several])] if are_results else several
    return made


def _is_result(message: dict[str, Any]) -> bool:
    return message["role"] == "tool" or str(message["content"]).startswith('{"tool_call_id"')


def _without_an_id(message: dict[str, Any]) -> dict[str, Any]:
    if message["role"] == "tool":
        return message
    told = {key: value for key, value in json.loads(message["content"]).items() if key != "tool_call_id"}
    return {**message, "content": json.dumps(told, ensure_ascii=False)}


def _forced_for_good(site: Site, prompt: Prompt) -> Prompt:
    if prompt.phase == "extraction":
        site.memory["forced"] = {"tool_choice": {"type": "function", "function": {"name": loop.SUBMIT}}}
    elif "forced" in site.memory:
        return prompt._replace(inputs=prompt.inputs | {"config": site.memory["forced"]})
    return prompt


MUTANTS = {
    "async-refusal-followed-by-extraction": mutant(
        "TRN-003",
        "Asks for the outputs after a submit that follows a refused one, when called asynchronously.",
        advance=transcribing(when(is_async, then(_asking_all_the_same))),
    ),
    "earlier-turns-cost-steps": mutant(
        "TRN-006", "Counts the turns of the history towards max_steps.", begin=transcribing(after(_less_what_was_taken))
    ),
    "summarised-steps-left-out-of-the-trajectory": mutant(
        "TRN-007",
        "Returns the steps that no summary stands for.",
        prediction=transcribing(steps_retold(lambda site, _: steps_of(site.state.history, "submit"))),
    ),
    "small-results-lost-in-a-follow-up": mutant(
        "TRN-008",
        "Shows null for whatever result of an earlier call is 0, false or empty.",
        begin=transcribing(entries_read(_observing_something)),
    ),
    "terminal-message-without-small-outputs": mutant(
        "TRN-009",
        "Builds the terminal message, and the call that led to it, from the outputs that aren't 0, false or empty.",
        prediction=transcribing(entries_kept(lambda _site, history: tuple(map(_with_something, history)))),
    ),
    "own-adapter-lost-on-load": mutant(
        "TRN-011", "Goes by the global adapter once it is loaded, whatever adapter it was given.", mixin=_Unadapted
    ),
    "summary-leaves-one-result-a-turn": mutant(
        "TRN-014",
        "Keeps of a turn with several calls the first result, once it summarises.",
        advance=transcribing(then(_one_result_a_turn)),
    ),
    "results-in-reverse-order": mutant(
        "TRN-013",
        "Shows the results of a turn the last one first, in text without the ids of their calls.",
        adapter=transcribing(writing(_results_reversed)),
    ),
    "forced-submit-sticks": mutant(
        "ISO-001",
        "Forces every later step to submit, once the steps of a call have run out.",
        prompt=transcribing(_forced_for_good),
    ),
}
