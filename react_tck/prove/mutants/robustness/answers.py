"""Violations of what becomes of answers that can't be read, and at the end of the steps (ERR-008, ERR-011, ERR-013)."""

from collections.abc import Callable
from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.replies import (
    COMPLETED,
    first_of_each,
    is_unknown,
    joined,
    mended,
    sections,
    where_finish_ends,
    where_it_fails,
)
from react_tck.prove.mutants.operators.runs import event_changed, on, then, until_no, when, with_steps
from react_tck.prove.mutants.operators.views import LmReply, steps_retold
from react_tck.reference import loop
from react_tck.reference.drive import EpisodeFailed
from react_tck.reference.seams import Edit, Site


def _looked_up(site: Site, error: AdapterParseError) -> loop.Event:
    raise KeyError(next(iter(site.agent.signature.output_fields))) from error


def _unless_cut_off(_site: Site, event: loop.Event) -> loop.Event:
    if dspy.settings.lm.history[-1]["response"].finish_reason == "length":
        raise EpisodeFailed("the answer is cut off")
    return event


def _with_fence(_site: Site, reply: LmReply) -> str:
    if not reply.text.startswith("```"):
        return reply.text
    *others, (name, text) = [part for part in sections(reply.text) if part[0] != COMPLETED]
    return joined([*others, (name, f"{text}\n```")])


def _last_word_dropped(_site: Site, reply: LmReply) -> str:
    parts = sections(reply.text)
    if not parts or COMPLETED in dict(parts):
        return reply.text
    *others, (name, text) = parts
    return joined([*others, (name, text.rpartition(" ")[0])])


_Such = Callable[[Site, loop.Event], bool]


def _is(kind: type[Any]) -> _Such:
    return lambda _, event: isinstance(event, kind)


def _not_counting(is_free: _Such) -> Any:
    """Return an operator that doesn't count steps of this kind towards the limit."""

    def counted(site: Site, event: loop.Event, following: loop.State) -> loop.State:
        if not is_free(site, event):
            return following
        ended = isinstance(following.action, loop.AskExtraction)
        free = {"max_steps": following.max_steps + 1, "action": loop.AskStep() if ended else following.action}
        return following.model_copy(update=free)

    return then(counted)


def _forgetting(is_fatal: _Such) -> Any:
    """Begins the trajectory anew with some steps."""

    def forgot(site: Site, event: loop.Event, following: loop.State) -> loop.State:
        if not is_fatal(site, event):
            return following
        left = following.max_steps - len(following.steps) + 1
        return with_steps(following, following.steps[-1:]).model_copy(update={"max_steps": left})

    return where_finish_ends(then(forgot))


def _unfinished(change: Edit[Any]) -> Edit[Any]:
    """Another prediction where the LM didn't finish."""
    return when(lambda site: not site.state.finished, change)  # type: ignore[no-any-return]


MUTANTS = {
    "cut-off-answer-refused": mutant(
        "SAN-010",
        "Refuses an answer that ends for want of tokens, and declares that it returns it.",
        perform=on(loop.AskExtraction, event_changed(_unless_cut_off)),
    ),
    "first-of-contradicted-answers": mutant(
        "SAN-010",
        "Takes the first of two answers that contradict each other, and declares that it refuses them.",
        adapter=mended("extraction", first_of_each),
    ),
    "unreadable-answer-breaks-off": mutant(
        "ERR-011",
        "Looks an output up that isn't there.",
        perform=on(loop.AskExtraction, where_it_fails(AdapterParseError, _looked_up)),
    ),
    "fenced-answer-ends-with-its-fence": mutant(
        "ERR-011",
        "Takes the fence around an answer's fields for part of the last.",
        adapter=mended("extraction", _with_fence),
    ),
    "answer-without-an-end-loses-its-last-word": mutant(
        "ERR-011",
        "Drops the last word of an answer whose end isn't marked.",
        adapter=mended("extraction", _last_word_dropped),
    ),
    "malformed-replies-not-counted": mutant(
        "ERR-008",
        "Asks for steps for as long as the LM isn't understood.",
        advance=_not_counting(_is(loop.StepMalformed)),
    ),
    "unknown-names-not-counted": mutant(
        "ERR-008", "Asks for steps for as long as the LM names no tool there is.", advance=_not_counting(is_unknown)
    ),
    "malformed-args-not-counted": mutant(
        "ERR-008", "Asks for steps for as long as the args aren't JSON.", advance=_not_counting(_is(loop.ArgsMalformed))
    ),
    "mismatches-not-counted": mutant(
        "ERR-008",
        "Asks for steps for as long as the args don't fit the tool.",
        advance=_not_counting(_is(loop.ArgsMismatched)),
    ),
    "failed-tools-not-counted": mutant(
        "ERR-008", "Asks for steps for as long as tools fail.", advance=_not_counting(_is(loop.ToolFailed))
    ),
    "answer-asked-for-until-it-can-be-read": mutant(
        "ERR-008", "Asks for the answer again and again.", perform=on(loop.AskExtraction, until_no(AdapterParseError))
    ),
    "last-step-lost-on-exhaustion": mutant(
        "ERR-013",
        "Drops the last step where the LM didn't finish.",
        prediction=_unfinished(steps_retold(lambda _, steps: steps[:-1])),
    ),
    "trajectory-reset-by-an-unknown-name": mutant(
        "ERR-013", "Forgets the steps before an unknown name.", advance=_forgetting(is_unknown)
    ),
    "trajectory-reset-by-malformed-args": mutant(
        "ERR-013", "Forgets the steps before args that don't parse.", advance=_forgetting(_is(loop.ArgsMalformed))
    ),
    "trajectory-reset-by-a-malformed-reply": mutant(
        "ERR-013", "Forgets the steps before a reply that can't be read.", advance=_forgetting(_is(loop.StepMalformed))
    ),
}
