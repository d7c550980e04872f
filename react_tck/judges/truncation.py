"""What is left out of a prompt that doesn't fit: something, and never the newest step (CTX-001); else a typed error."""

import re
from collections.abc import Iterator
from itertools import pairwise

from react_tck.judges.verdict import Violation
from react_tck.model.record import Asked, Returned, ToolRan
from react_tck.record.evidence import Scene
from react_tck.record.visibility import hides_value, text_shows


def find_overcut_prompts(scene: Scene) -> Iterator[Violation]:
    """Prompts that are made again with as much as before, without the newest step, or not at all."""
    if "truncation" not in scene.manifest.capabilities or scene.case.options.system not in (None, "udspy"):
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
    """The turns that making prompts fit has cost: one for each that was made anew, and one for each summary."""
    if not SHORTENING & set(scene.manifest.capabilities):
        return 0
    anew = sum(
        asked.is_overflow and then.request.messages != asked.request.messages
        for asked, then in pairwise(scene.record.requests)
    )
    return anew * 2 if scene.case.options.system == "transcript" else anew


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
    """An error after a prompt that didn't fit, though there were steps to drop, or of a type that says nothing."""
    if error := ended.outcome.error:
        if could_be_shorter:
            yield Violation("the prompt is made again with fewer steps", f"the call fails: {error}", ended, "CTX-001")
        elif not FITTING.search(error.type):
            expected = "the error's type says that the prompt didn't fit"
            yield Violation(expected, f"it is {error.type}: {error.message}", ended, "CTX-002")
