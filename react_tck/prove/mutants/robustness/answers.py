"""Violations of what becomes of an extraction that can't be read (ERR-011, SAN-010)."""

import dspy
from dspy.utils.exceptions import AdapterParseError

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.replies import (
    COMPLETED,
    first_of_each,
    joined,
    mended,
    sections,
    where_it_fails,
)
from react_tck.prove.mutants.operators.runs import event_changed, on
from react_tck.prove.mutants.operators.views import LmReply
from react_tck.reference import loop
from react_tck.reference.drive import EpisodeFailed
from react_tck.reference.seams import Site


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


MUTANTS = (
    mutant(
        "cut-off-answer-refused",
        "SAN-010",
        "Refuses an answer that ends for want of tokens, and declares that it returns it.",
        perform=on(loop.AskExtraction, event_changed(_unless_cut_off)),
    ),
    mutant(
        "first-of-contradicted-answers",
        "SAN-010",
        "Takes the first of two answers that contradict each other, and declares that it refuses them.",
        adapter=mended("extraction", first_of_each),
    ),
    mutant(
        "unreadable-answer-breaks-off",
        "ERR-011",
        "Looks an output up that isn't there.",
        perform=on(loop.AskExtraction, where_it_fails(AdapterParseError, _looked_up)),
    ),
    mutant(
        "fenced-answer-ends-with-its-fence",
        "ERR-011",
        "Takes the fence around an answer's fields for part of the last.",
        adapter=mended("extraction", _with_fence),
    ),
    mutant(
        "answer-without-an-end-loses-its-last-word",
        "ERR-011",
        "Drops the last word of an answer whose end isn't marked.",
        adapter=mended("extraction", _last_word_dropped),
    ),
)
