"""What is left out of a prompt that doesn't fit (CTX-001), and what a summary of it keeps (TRN-014)."""

import re
from collections.abc import Iterator
from itertools import pairwise

from pydantic import JsonValue

from react_tck.dialects.markup import as_text, is_encodable
from react_tck.judges.choices.replies import PASSING
from react_tck.judges.verdict import Violation
from react_tck.model.intent import Answer, Fault
from react_tck.model.record import Asked, Returned, ToolRan
from react_tck.record.evidence import Evidence, Scene
from react_tck.record.visibility import hides_value, text_shows


def find_overcut_prompts(scene: Scene) -> Iterator[Violation]:
    """Prompts that are made again with as much as before, without the newest step, or not at all."""
    if scene.case.options.system not in (None, "udspy"):
        return
    runs, overflows = 0, 0
    #: The newest step, if a tool ran in it.
    newest: ToolRan | None = None
    refused: Asked | None = None
    for event in scene.record.events:
        if isinstance(event, ToolRan):
            runs, newest = runs + 1, event
        if isinstance(event, Asked):
            if refused is not None and newest is not None and runs > 1:
                yield from _compare_prompts(refused, event, newest)
            refused = event if event.is_overflow else None
            overflows += refused is not None
            newest = newest if refused is not None else None
        if isinstance(event, Returned) and refused is not None:
            yield from _find_early_failure(event, could_be_shorter=runs > 1 and overflows == 1)
            # A person may respond after the end; what is said to that is about another thing.
            refused = None


def count_shortenings(scene: Scene) -> int:
    """Return the turns that making prompts fit has cost: one for each that was made anew, and one for each summary."""
    if not SHORTENING & set(scene.manifest.capabilities):
        return 0
    anew = sum(
        asked.is_overflow and then.request.messages != asked.request.messages
        for asked, then in pairwise(scene.record.requests)
    )
    return anew * 2 if scene.case.options.system == "transcript" else anew


def count_repeats(scene: Scene) -> int:
    """Return the requests that came again for the provider had failed; none, if the LM was asked for ever."""
    asked = scene.record.requests
    repeats = sum(
        isinstance(failed.intent, Fault) and failed.intent.fault in PASSING and then.attempt > 0
        for failed, then in pairwise(asked)
    )
    return 0 if any(each.refusal for each in asked) else repeats


#: What an error, or its type, says where a prompt can't be made to fit (CTX-002).
FITTING = re.compile(r"context|window|token|length|too (?:long|large)|exceed", re.IGNORECASE)
#: What a subject claims that can make a prompt fit (CTX-001, TRN-014).
SHORTENING = frozenset({"truncation", "compaction"})


def _compare_prompts(refused: Asked, again: Asked, newest: ToolRan) -> Iterator[Violation]:
    if again.request.messages == refused.request.messages:
        yield Violation("the prompt is made again with fewer steps", "it is the same", again, "CTX-001")
    was_shown = not newest.odd and text_shows(refused.request.text, newest.observation)
    if was_shown and hides_value(again.request.text, newest.observation):
        yield Violation(f"the newest step stays: {newest.observation!r}", "it is left out", again, "CTX-001")


def _find_early_failure(ended: Returned, *, could_be_shorter: bool) -> Iterator[Violation]:
    """Yield an error after a prompt that didn't fit: there were steps to drop, or its type says nothing."""
    if error := ended.outcome.error:
        if could_be_shorter:
            yield Violation("the prompt is made again with fewer steps", f"the call fails: {error}", ended, "CTX-001")
        elif not FITTING.search(error.type):
            expected = "the error's type says that the prompt didn't fit"
            yield Violation(expected, f"it is {error.type}: {error.message}", ended, "CTX-002")


def find_summary_losses(evidence: Evidence) -> Iterator[Violation]:
    """Yield a summary that isn't in the history, and a request made to fit that lacks a part of the turn it follows."""
    if evidence.episode.case.options.system != "transcript":
        return
    for scene in evidence.scenes:
        # A last turn that didn't fit itself may have been summarised by itself.
        before = next((one for one in evidence.scenes if one.number == scene.invocation.follows), None)
        whole = before if before and all(not asked.is_overflow for asked in before.record.requests) else None
        yield from _judge_scene(scene, whole)
        if before:
            yield from _find_lost_summary(before, next(iter(scene.record.requests), None))


def _find_lost_summary(before: Scene, first: Asked | None) -> Iterator[Violation]:
    """Yield the first request of a follow-up without the summary of the turn before, which fitted."""
    told = [asked.intent for asked in before.record.requests if _is_for_a_summary(before, asked)]
    summaries = [intent.outputs.get("summary") for intent in told if isinstance(intent, Answer)]
    if first is None or first.is_overflow or not summaries or before.record.outcomes[-1].status != "ok":
        return
    if hides_value(first.request.text, summaries[-1]):
        expected = f"the follow-up shows {summaries[-1]!r}, the summary of the turn before"
        yield Violation(expected, "it does not", first, "TRN-017")


def _judge_scene(scene: Scene, before: Scene | None) -> Iterator[Violation]:
    summary: JsonValue = None
    is_new = False
    for event in scene.record.events:
        match event:
            case Asked(intent=Answer(outputs=outputs)) if _is_for_a_summary(scene, event):
                summary, is_new = outputs.get("summary"), True
            case Asked(refusal=None) if is_new and not event.is_overflow:
                is_new = False
                for value in _list_prior_values(before):
                    if hides_value(event.request.text, value):
                        yield _build_violation(f"the request made to fit shows {value!r}, of the turn before", event)
            case Returned(outcome=outcome) if outcome.status == "ok" and summary is not None:
                if hides_value(as_text(outcome.history), summary):
                    yield _build_violation(f"the history holds the summary {summary!r}", event)


def _is_for_a_summary(scene: Scene, asked: Asked) -> bool:
    """Tell whether it asks for a summary alone, where that isn't all that the user asks for."""
    fields = {field for field in asked.ask.fields if field != "reasoning"} if asked.ask else set()
    return fields == {"summary"} != {field.name for field in scene.case.signature.outputs}


def _list_prior_values(before: Scene | None) -> list[JsonValue]:
    """Return the request, the observations and the answer of the turn before, which the user's words may refer to."""
    if before is None or before.record.outcomes[-1].status != "ok":
        return []
    observed = [run.result for run in before.record.tool_runs if run.error is None and not run.odd]
    given = before.case.signature.leave_out_images(before.invocation.inputs)
    values = [*given.values(), *observed, *before.record.outcomes[-1].outputs.values()]
    return [value for value in values if value is not None and is_encodable(value)]


def _build_violation(expected: str, at: Asked | Returned) -> Violation:
    return Violation(expected, "it does not", at, "TRN-014")


def request_bound(scene: Scene) -> int:
    """Return the most LM requests a call may take; how often a failed provider is asked is choice `lm-fault`."""
    return (scene.max_steps + 1 + count_shortenings(scene)) * (1 + scene.manifest.retries) + count_repeats(scene)
