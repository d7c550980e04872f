"""Violations of what becomes of an extraction that can't be read (ERR-011, SAN-010)."""

from collections.abc import Callable
from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.replies import (
    COMPLETED,
    every_output,
    first_of_each,
    joined,
    mended,
    sections,
    where_finish_ends,
    where_it_fails,
)
from react_tck.prove.mutants.operators.runs import event_changed, on
from react_tck.prove.mutants.operators.views import LmReply
from react_tck.reference import loop
from react_tck.reference.drive import EpisodeFailed
from react_tck.reference.seams import Site


def _answering(said: Callable[[Site, AdapterParseError], Any]) -> Any:
    """Answers all the same where the extraction can't be read, with one value for every output."""
    answered = where_it_fails(AdapterParseError, lambda site, error: every_output(site, said(site, error)))
    return where_finish_ends(on(loop.AskExtraction, answered))


def _looked_up(site: Site, error: AdapterParseError) -> loop.Event:
    raise KeyError(next(iter(site.agent.signature.output_fields))) from error


def _last_result(site: Site, _error: AdapterParseError) -> str:
    return str(site.state.steps[-1].observation) if site.state.steps else ""


def _contradictions_joined(_site: Site, reply: LmReply) -> str:
    made: dict[str, str] = {}
    for name, text in sections(reply.text):
        made[name] = f"{made[name]} {text}" if name in made else text
    return joined([*made.items()]) if made else reply.text


def _unless_cut_off(_site: Site, event: loop.Event) -> loop.Event:
    if dspy.settings.lm.history[-1]["response"].finish_reason == "length":
        raise EpisodeFailed("the answer is cut off")
    return event


def _filled_in(_site: Site, reply: LmReply) -> str:
    said = dict(sections(reply.text))
    return joined([(name, said.get(name, "")) for name in reply.fields]) if len(said) > 1 else reply.text


def _by_order(_site: Site, reply: LmReply) -> str:
    texts = [text for _, text in sections(reply.text)]
    return joined(list(zip(reply.fields, texts, strict=False))) if len(texts) > len(reply.fields) else reply.text


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
        "missing-outputs-as-none",
        "ERR-011",
        "Reports a success with None for every output where the answer can't be read.",
        perform=_answering(lambda _site, _error: None),
    ),
    mutant(
        "prose-as-answer",
        "ERR-011",
        "Takes all that the LM said for the answer where it has no fields.",
        perform=_answering(lambda _, error: error.lm_response),
    ),
    mutant(
        "observation-for-an-unread-answer",
        "ERR-011",
        "Answers with the last tool's result where the answer can't be read.",
        perform=_answering(_last_result),
    ),
    mutant(
        "contradicted-answers-joined",
        "ERR-011",
        "Joins the values of a field that stands twice.",
        adapter=mended("extraction", _contradictions_joined),
    ),
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
        "missing-outputs-as-empty",
        "ERR-011",
        "Fills in an empty text for an output that the answer lacks.",
        adapter=mended("extraction", _filled_in),
    ),
    mutant(
        "readable-answer-changed",
        "ERR-011",
        "Reads an answer by the order of its fields, whatever their names.",
        adapter=mended("extraction", _by_order),
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
