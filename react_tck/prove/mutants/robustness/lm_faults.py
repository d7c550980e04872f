"""Violations when the provider fails, or a good reply follows a malformed one (ERR-006, ERR-012, ERR-025 to 027)."""

import copy
from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError, LMError

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.crossings import note_unreadable
from react_tck.prove.mutants.operators.replies import every_output, where_finish_ends, where_it_fails
from react_tck.prove.mutants.operators.runs import (
    Perform,
    Proceed,
    call_of,
    event_changed,
    faults_swallowed,
    has_finished,
    on,
    on_request,
    ran,
    when,
)
from react_tck.prove.mutants.operators.views import Messages, reading, writing
from react_tck.reference import loop
from react_tck.reference.adapters.policies import is_transient_error
from react_tck.reference.adapters.strict_reading import make_strict
from react_tck.reference.drive import Episode
from react_tck.reference.seams import Beginning, Site

#: For ever, as far as anybody waits for it.
_FOR_EVER = 1000


def _run_all(site: Site, perform: Perform) -> Episode[None]:
    for step in site.state.steps:
        if step.tool in site.state.tools:
            yield from perform(ran(call_of(step)))


def _then_in_json(site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
    site.memory.pop("in JSON", None)
    try:
        return (yield from perform(action))
    except Exception:
        site.memory["in JSON"] = True
        return (yield from perform(action))


def _json_after_a_fault(site: Site, adapter: Any) -> Any:
    return make_strict(dspy.JSONAdapter(), site.agent.policy) if site.memory.get("in JSON") else adapter


def _once_more(_site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
    try:
        return (yield from perform(action))
    except LMError as error:
        if is_transient_error(error):
            raise
        return (yield from perform(action))


def _counting(site: Site, messages: Messages) -> Messages:
    site.memory["asked"] = site.memory.get("asked", 0) + 1
    return messages


def _tools_again_if_asked_twice(site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
    site.memory["asked"] = 0
    event = yield from perform(action)
    if site.memory["asked"] > 1:
        yield from _run_all(site, perform)
    return event


def _tools_again_if_too_long(site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
    event = yield from perform(action)
    if isinstance(event, loop.DoesNotFit | loop.StepGivenUp):
        yield from _run_all(site, perform)
    return event


class _CutOff(Exception):
    pass


def _tools_again_at_a_second_fault(site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
    try:
        return (yield from perform(action))
    except LMError:
        if "has failed" in site.memory:
            yield from _run_all(site, perform)
        site.memory["has failed"] = True
        return (yield from perform(action))


def _over_if_cut_off(_site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
    before = len(dspy.settings.lm.history)
    event = yield from perform(action)
    if any(asked["response"].finish_reason == "length" for asked in dspy.settings.lm.history[before:]):
        raise _CutOff
    return event


def _for_ever(_site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
    for _ in range(_FOR_EVER):
        try:
            return (yield from perform(action))
        except Exception:
            continue
    raise RuntimeError("the LM never answered")


def _once(_site: Site, adapter: Any) -> Any:
    made = copy.copy(adapter)
    made.use_json_adapter_fallback = False
    return made


def _noticing(site: Site, adapter: Any) -> Any:
    """Notices whether a reply to the request can't be read."""
    site.memory.pop("unreadable", None)
    return reading(note_unreadable)(site, adapter)


def _retrying_once(site: Site, adapter: Any) -> Any:
    """Asks again for the first reply of an instance that can't be read, and for no other."""
    return _once(site, adapter) if _has_failed(site) else reading(note_unreadable)(site, adapter)


def _has_failed(site: Site) -> bool:
    return "unreadable" in site.memory


def _thought_lost(site: Site, event: loop.Event) -> loop.Event:
    lost = isinstance(event, loop.StepChosen) and _has_failed(site)
    return event.model_copy(update={"thought": ""}) if lost else event


def _begun_anew(_site: Site, proceed: Proceed, beginning: Beginning) -> Episode[Any]:
    try:
        return (yield from proceed(beginning))
    except LMError:
        return (yield from proceed(beginning))


MUTANTS = {
    "begins-anew-after-a-fault": mutant(
        "ERR-025", "Begins the whole run anew where a fault would have ended it.", run=_begun_anew
    ),
    "fault-is-the-answer-at-max-steps": mutant(
        "ERR-012",
        "Reports the text of a fault as the answer where the steps have run out.",
        perform=where_finish_ends(
            when(
                lambda site: not has_finished(site.state.steps),
                on(loop.AskExtraction, where_it_fails(Exception, lambda site, error: every_output(site, str(error)))),
            )
        ),
    ),
    "fault-answered-in-another-format": mutant(
        "ERR-027",
        "Asks again for JSON where a step meets a fault, and declares that it doesn't ask again.",
        perform=on(loop.AskStep, _then_in_json),
        adapter=_json_after_a_fault,
    ),
    "asks-again-what-nothing-mends": mutant(
        "ERR-026",
        "Asks once more where the LM refuses a request that it will refuse again.",
        perform=on(loop.AskStep | loop.AskExtraction, _once_more),
    ),
    "asks-a-dead-lm-for-ever": mutant(
        "ERR-012", "Asks for a step again for as long as the LM fails.", perform=on(loop.AskStep, _for_ever)
    ),
    "tools-rerun-where-it-asks-twice": mutant(
        "ERR-025",
        "Runs all tools again where a step or the answer had to be asked for more than once.",
        perform=on(loop.AskStep | loop.AskExtraction, _tools_again_if_asked_twice),
        adapter=writing(_counting),
    ),
    "tools-rerun-where-a-prompt-is-too-long": mutant(
        "ERR-025",
        "Runs all tools again where a prompt doesn't fit, or no step can be had.",
        perform=on(loop.AskStep | loop.AskExtraction, _tools_again_if_too_long),
    ),
    "tools-rerun-at-a-second-fault": mutant(
        "ERR-025",
        "Asks again where a step meets a fault, and runs all tools again before that from the second one on.",
        perform=on(loop.AskStep, _tools_again_at_a_second_fault),
    ),
    "cut-off-step-is-a-success": mutant(
        "ERR-012",
        "Reports success with empty outputs where a step is cut off for want of tokens.",
        perform=on(loop.AskStep, _over_if_cut_off),
        run=faults_swallowed(LMError, AdapterParseError),
    ),
    "cut-off-answer-is-empty": mutant(
        "ERR-012",
        "Reports success with empty outputs where the answer is cut off for want of tokens.",
        perform=on(loop.AskExtraction, _over_if_cut_off),
        run=faults_swallowed(LMError, AdapterParseError),
    ),
    "retries-counted-as-steps": mutant(
        "ERR-006",
        "Asks for a step again in the next turn, as if the malformed reply had been one.",
        adapter=on_request("step", _once),
    ),
    "retries-once-an-instance": mutant(
        "ERR-006",
        "Asks again for one step of an instance that can't be read, and for none later.",
        adapter=on_request("step", _retrying_once),
    ),
    "recovered-thought-lost": mutant(
        "TRJ-002",
        "Forgets the thought of a step it had to ask for again.",
        adapter=_noticing,
        perform=event_changed(_thought_lost),
    ),
    "extraction-not-retried": mutant(
        "ERR-006",
        "Retries steps, and gives up where the answer can't be read.",
        adapter=on_request("extraction", _once),
    ),
}
